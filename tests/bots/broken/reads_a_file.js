// It reads all of stdin as a file before it answers.

const [n, l, r] = require("fs").readFileSync(0, "utf8").split(" ").map(Number);
console.log("First");
const y = 2 - (n % 2);
console.log((n - y) / 2 + 1, y);
