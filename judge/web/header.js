// The choice of a game: examples of each kind, which fill in the header that is then played.
import { element } from "./board.js";

const EXAMPLES = [
  ["Subtract-a-square", "square 20", "A move takes a perfect square from a pile: 1, 4, 9 and so on. Squares behind \"ban\" may not be taken: square 20 ban 1."],
  ["Row of cards", "segment 20 3 5", "A move takes neighbouring cards of a row: segment N L R is a row of N cards, of which a move takes L to R."],
  ["Kayles", "octal 0.77 15", "A move takes one card or two neighbouring ones. The code of an octal game, then its rows: octal 0.77 15 9."],
  ["Dawson's Kayles", "octal 0.07 16", "A move takes two neighbouring cards. The code of an octal game, then its rows."],
  ["Nim", "nim 3 5 7", "A move takes any number of stones from one pile. The sizes of the piles follow."],
  ["Divisors", "divisor 12 18 ban 1", "A move takes a divisor of the pile's present size. Divisors behind \"ban\" may not be taken."],
  ["Subtraction set", "subtract 21 14 take 1 3 4", "A move takes one of the numbers behind \"take\" from a pile."],
  ["Pair of numbers", "euclid 34 21", "A move subtracts a multiple of the smaller number from the larger one, which must stay at least 1."],
  ["Sum of games", "segment 12 2 3 + square 20 + nim 5", "A move is made in one of the games. They are joined by +."],
];

// What two headers of one kind have in common.
function kindOf(header) {
  if (header.includes("+")) return "+";
  const [name, code] = header.trim().split(/\s+/);
  if (/^\d+$/.test(name)) return "segment";
  return name === "octal" ? `octal ${code}` : name;
}

export class HeaderInput {
  constructor(select, input, help) {
    [this.select, this.input, this.help] = [select, input, help];
    const options = EXAMPLES.map(([name], index) => {
      const option = element("option", "", name);
      option.value = index;
      return option;
    });
    const own = element("option", "", "Your own");
    own.value = "";
    select.replaceChildren(...options, own);
    select.addEventListener("change", () => this.fillIn());
    input.addEventListener("input", () => this.showKind());
  }

  get value() {
    return this.input.value.trim();
  }

  set value(header) {
    this.input.value = header;
    this.showKind();
  }

  // Writes the chosen example.
  fillIn() {
    const example = EXAMPLES[this.select.value];
    if (example && this.select.value !== "") this.input.value = example[1];
    this.showKind();
  }

  // Shows which kind of game is written.
  showKind() {
    const kind = EXAMPLES.findIndex(([, header]) => kindOf(header) === kindOf(this.value));
    this.select.value = kind >= 0 ? kind : "";
    this.help.textContent = kind >= 0 ? EXAMPLES[kind][2] : "Any game of the judge, in the words of a header.";
  }
}
