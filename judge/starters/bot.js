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
// Only these lines go to stdout. Print everything else with console.error.

"use strict";
const readline = require("node:readline");

const lines = readline.createInterface({ input: process.stdin })[Symbol.asyncIterator]();

function chooseSide(n, l, r) {
  return "First";
}

/** Returns the move that takes the first L neighbouring cards, or 0 0. cards[x] says whether card x is left. */
function chooseMove(cards, l, r) {
  let inARow = 0;
  for (let x = 1; x < cards.length; x++) {
    inARow = cards[x] ? inARow + 1 : 0;
    if (inARow === l) return [x - l + 1, l];
  }
  return [0, 0];
}

function take(cards, x, y) {
  cards.fill(false, x, x + y);
}

function send(line) {
  process.stdout.write(line + "\n");
}

/** Returns the numbers of the next line; null at the end of the input. */
async function read() {
  const { value, done } = await lines.next();
  return done ? null : value.trim().split(/\s+/).map(Number);
}

async function main() {
  const header = await read();
  if (header === null) return 0;
  const [n, l, r] = header;
  const cards = Array(n + 1).fill(true);
  cards[0] = false; // The cards are numbered from 1.
  const side = chooseSide(n, l, r);
  send(side);
  for (let isMyTurn = side === "First"; ; isMyTurn = !isMyTurn) {
    let move;
    if (isMyTurn) {
      move = chooseMove(cards, l, r);
      send(move.join(" "));
    } else {
      move = await read();
      if (move === null) return 1; // The input has ended in the middle of the game.
      if (move[0] <= 0) return 0; // The game is over.
    }
    if (move[0] > 0) take(cards, ...move);
  }
}

main().then((code) => process.exit(code));
