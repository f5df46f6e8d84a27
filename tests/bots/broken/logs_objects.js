// console.log prints to stdout.

const lines = require("readline").createInterface({ input: process.stdin });
lines.once("line", (header) => {
  const [n, l, r] = header.split(" ").map(Number);
  console.log({ n, l, r });
  console.log("First");
});
