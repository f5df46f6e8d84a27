// This bot plays a row by symmetry, as First from the middle or as Second.
package main

import "fmt"

func main() {
	var n, l, r, x, y int
	fmt.Scan(&n, &l, &r)
	y = r - (n-r)%2
	if y >= l {
		fmt.Println("First")
		fmt.Println((n-y)/2+1, y)
	} else {
		fmt.Println("Second")
	}
	for {
		if _, err := fmt.Scan(&x, &y); err != nil || x <= 0 {
			return
		}
		fmt.Println(n-x-y+2, y)
	}
}
