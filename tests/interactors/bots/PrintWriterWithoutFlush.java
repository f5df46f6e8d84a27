// Writes by a PrintWriter that is never flushed.

import java.io.PrintWriter;
import java.util.Scanner;

public class PrintWriterWithoutFlush {
    public static void main(String[] args) {
        Scanner in = new Scanner(System.in);
        PrintWriter out = new PrintWriter(System.out);
        int high = in.nextInt();
        out.println("? " + high / 2);
        in.next();
        out.flush();
    }
}
