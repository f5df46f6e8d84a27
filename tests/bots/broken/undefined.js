// A misspelled field is undefined.

const lines = require("readline").createInterface({ input: process.stdin });
lines.once("line", (header) => {
  const [n, l, r] = header.split(" ").map(Number);
  const move = { place: n / 2, count: l };
  console.log("First");
  console.log(move.place, move.take);
});
