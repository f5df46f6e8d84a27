// The input for the header of a game, with a list of examples that fill it in.
import { element } from "./board.js";
import { EXAMPLES } from "./registry.js";

// Whether the player who makes the last move of a game loses.
export function isMisere(header) {
  return /^\s*misere\b/.test(header);
}

// Returns the kind of a header's game, as a text that is the same for all headers of one kind.
function kindOf(header) {
  if (isMisere(header)) return "misere";
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
