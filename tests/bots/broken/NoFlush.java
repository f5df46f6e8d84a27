// A PrintWriter does not flush by itself.

import java.io.PrintWriter;
import java.util.Scanner;

public class NoFlush {
    public static void main(String[] args) {
        Scanner in = new Scanner(System.in);
        PrintWriter out = new PrintWriter(System.out);
        int n = in.nextInt(), l = in.nextInt(), r = in.nextInt();
        out.println("First");
        int y = 2 - n % 2;
        out.println((n - y) / 2 + 1 + " " + y);
        while (true) {
            int x = in.nextInt();
            y = in.nextInt();
            if (x <= 0) break;
            out.println(n - x - y + 2 + " " + y);
        }
    }
}
