// A promise is rejected, and nothing handles the rejection.

const lines = require("readline").createInterface({ input: process.stdin });
async function reply(header) {
  const [n, l, r] = header.split(" ").map(Number);
  console.log("First");
  throw new Error("no strategy for " + n);
}
lines.once("line", reply);
