// It answers only when the input has ended.

let input = "";
process.stdin.on("data", (chunk) => (input += chunk));
process.stdin.on("end", () => {
  const [n, l, r] = input.split(" ").map(Number);
  console.log("First");
  const y = 2 - (n % 2);
  console.log((n - y) / 2 + 1, y);
});
