// This bot plays a row by symmetry, as First from the middle or as Second.
fun numbers(): List<Int> = readLine()!!.trim().split(" ").map { it.toInt() }

fun main() {
    val (n, l, r) = numbers()
    val middle = r - (n - r) % 2
    if (middle >= l) {
        println("First")
        println("${(n - middle) / 2 + 1} $middle")
    } else {
        println("Second")
    }
    while (true) {
        val (x, y) = numbers()
        if (x <= 0) break
        println("${n - x - y + 2} $y")
    }
}
