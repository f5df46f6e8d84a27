// A starter bot for rows of cards. It plays legal moves and knows no strategy.
//
// From a row of N cards the players in turn take L to R neighbouring cards. A player who cannot move loses.
//
//     the judge sends    N L R       the header
//     the bot answers    First       or Second: the side that it plays
//     then in turn       x y         take the y cards x, x+1, ..., x+y-1
//     the bot            0 0         I have no move
//     the judge at last  0 0         the bot has won; or -1 -1: the bot has lost
//
// Only these lines go to stdout, and each is flushed. Print everything else to System.err.

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.util.Arrays;

public class Main {
    static final BufferedReader INPUT = new BufferedReader(new InputStreamReader(System.in));

    static String chooseSide(int n, int l, int r) {
        return "First";
    }

    /** Returns the move that takes the first L neighbouring cards, or 0 0. cards[x] says whether card x is left. */
    static int[] chooseMove(boolean[] cards, int l, int r) {
        int inARow = 0;
        for (int x = 1; x < cards.length; x++) {
            inARow = cards[x] ? inARow + 1 : 0;
            if (inARow == l) return new int[] {x - l + 1, l};
        }
        return new int[] {0, 0};
    }

    static void take(boolean[] cards, int x, int y) {
        Arrays.fill(cards, x, x + y, false);
    }

    static void send(String line) {
        System.out.println(line);
        System.out.flush();
    }

    /** Returns the numbers of the next line; null at the end of the input. */
    static int[] read() throws IOException {
        String line = INPUT.readLine();
        return line == null ? null : Arrays.stream(line.trim().split("\\s+")).mapToInt(Integer::parseInt).toArray();
    }

    public static void main(String[] args) throws IOException {
        int[] header = read();
        if (header == null) return;
        int n = header[0], l = header[1], r = header[2];
        boolean[] cards = new boolean[n + 1];
        Arrays.fill(cards, 1, n + 1, true); // The cards are numbered from 1.
        String side = chooseSide(n, l, r);
        send(side);
        for (boolean isMyTurn = side.equals("First"); ; isMyTurn = !isMyTurn) {
            int[] move;
            if (isMyTurn) {
                move = chooseMove(cards, l, r);
                send(move[0] + " " + move[1]);
            } else {
                move = read();
                if (move == null) System.exit(1); // The input has ended in the middle of the game.
                if (move[0] <= 0) return; // The game is over.
            }
            if (move[0] > 0) take(cards, move[0], move[1]);
        }
    }
}
