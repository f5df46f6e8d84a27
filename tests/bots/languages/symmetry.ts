// This bot plays a row by symmetry, as First from the middle or as Second.
import { createInterface } from "node:readline";

let n = 0;

function answer(line: string): void {
  const [x, y, r]: number[] = line.trim().split(/\s+/).map(Number);
  if (n === 0) {
    n = x;
    const take: number = r - ((n - r) % 2);
    console.log(take >= y ? "First" : "Second");
    if (take >= y) console.log(`${(n - take) / 2 + 1} ${take}`);
  } else if (x > 0) {
    console.log(`${n - x - y + 2} ${y}`);
  } else {
    process.exit(0);
  }
}

createInterface({ input: process.stdin }).on("line", answer);
