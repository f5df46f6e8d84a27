// A game on a page: its board, the choice of a move, and the list of moves. Who plays is for the page to say.
import { Board, element } from "./board.js";
import { Picker } from "./picker.js";
import { Position } from "./position.js";

const byId = (id) => document.getElementById(id);

// The most moves that are listed: those at the end.
const MAX_LISTED = 400;

export function moveText([place, take]) {
  return `${place} ${take}`;
}

// Moves as a request has them.
export function movesText(moves) {
  return moves.map(moveText).join(", ");
}

// Moves that were written so; an empty list if they were not.
export function readMoves(text) {
  const moves = (text ?? "").split(",").filter((move) => move.trim());
  const isMove = (move) => /^\s*\d{1,19} +\d{1,19}\s*$/.test(move);
  return moves.every(isMove) ? moves.map((move) => move.trim().split(/ +/).map(BigInt)) : [];
}

// Lets a button be used or not. One that cannot be used keeps the focus: it may be used again in a moment.
export function allow(id, isAllowed) {
  byId(id).ariaDisabled = String(!isAllowed);
}

export function isAllowed(id) {
  return byId(id).ariaDisabled !== "true";
}

export class GameView {
  // `made` is called with a move that a person has chosen; `describe` says who has made a move.
  constructor({ made, describe }) {
    this.made = made;
    this.describe = describe;
    this.position = new Position({ components: [], heaps: [], moves: [] });
    this.board = new Board(byId("board"), this.position);
    this.picker = new Picker(this.board, {
      changed: (choice, takes) => this.showChoice(choice, takes),
      confirmed: () => this.submit(),
    });
    this.canMove = false;
    byId("move-form").addEventListener("submit", (event) => {
      event.preventDefault();
      this.submit();
    });
    byId("move").addEventListener("input", () => this.readTyped());
    // What is typed replaces what was chosen.
    byId("move").addEventListener("focus", () => byId("move").select());
    byId("back").addEventListener("click", () => this.look(this.position.ply - 1));
    byId("forward").addEventListener("click", () => this.look(this.position.ply + 1));
  }

  // Shows a board of the judge after all of its moves. If a person is to move, `request` names the position.
  show(board, { request, rowTakes, ply } = {}) {
    this.position = new Position(board);
    this.board.position = this.position;
    this.request = request;
    this.rowTakes = rowTakes;
    this.last = this.position.moves.length;
    this.listMoves();
    this.look(ply ?? this.last);
  }

  // Shows the position after a number of moves. A move can be chosen in the last one.
  look(ply) {
    this.position.goTo(Math.min(Math.max(ply, 0), this.last));
    const isLast = this.position.ply === this.last;
    this.canMove = isLast && this.request !== undefined;
    allow("back", this.position.ply > 0);
    allow("forward", !isLast);
    byId("ply").textContent = this.last ? `After move ${this.position.ply} of ${this.last}` : "";
    byId("move").value = "";
    allow("make-move", this.canMove);
    for (const button of byId("moves").querySelectorAll("button")) {
      button.ariaCurrent = Number(button.dataset.ply) === this.position.ply ? "step" : null;
    }
    if (this.canMove) this.picker.begin(this.request, this.rowTakes);
    else this.picker.end();
    this.looked?.(this.position.ply);
  }

  listMoves() {
    const first = Math.max(0, this.last - MAX_LISTED);
    byId("moves").start = first + 1;
    const items = this.position.moves.slice(first).map(({ place, take }, index) => {
      const ply = first + index + 1;
      const item = element("li");
      const button = item.appendChild(element("button", "", `${this.describe(ply)}: ${this.moveWords([place, take])}`));
      button.type = "button";
      button.dataset.ply = ply;
      button.addEventListener("click", () => this.look(ply));
      return item;
    });
    byId("moves").replaceChildren(...items);
    byId("moves").scrollTop = byId("moves").scrollHeight;
  }

  // Whether there is only one place, so that a move is a single number.
  get isSinglePlace() {
    const { components } = this.position;
    return components.length === 1 && components[0].width === 1n;
  }

  moveWords([place, take]) {
    return this.isSinglePlace ? String(take) : moveText([place, take]);
  }

  showChoice(choice, takes) {
    const isTyping = document.activeElement === byId("move");
    if (!isTyping) byId("move").value = choice ? this.moveWords([choice.place, choice.take]) : "";
    byId("move").placeholder = this.isSinglePlace ? "how many" : "place, how many";
    byId("choice").textContent = choice ? this.choiceText(choice) : "";
    this.showTakes(choice, takes ?? []);
  }

  choiceText({ place, take }) {
    const component = this.position.componentOf(place);
    if (take === 0n) return `Split the row before card ${place}`;
    if (component?.shape !== "row") return this.isSinglePlace ? `Take ${take}` : `Take ${take} at place ${place}`;
    return take === 1n ? `Take card ${place}` : `Take cards ${place} to ${place + take - 1n}`;
  }

  // Buttons for what may be taken from a pile or a pair.
  showTakes(choice, takes) {
    const hadFocus = byId("takes").contains(document.activeElement);
    const buttons = takes.map((take) => {
      const button = element("button", "", String(take));
      button.type = "button";
      button.ariaPressed = String(take === choice?.take);
      button.addEventListener("click", () => this.picker.choose(choice.place, take));
      return button;
    });
    if (takes.more) buttons.push(element("span", "key", "and more: type a number"));
    byId("takes").replaceChildren(...(takes.length ? [element("span", "", "Take"), ...buttons] : []));
    if (hadFocus) byId("takes").querySelector("[aria-pressed=true]")?.focus();
  }

  // The typed move: a place and how many, or how many alone where there is one place.
  typed() {
    const numbers = byId("move").value.trim().split(/[\s,]+/);
    if (this.isSinglePlace && numbers.length === 1) numbers.unshift("1");
    const isNumber = (text) => /^\d{1,19}$/.test(text);
    return numbers.length === 2 && numbers.every(isNumber) ? numbers.map(BigInt) : null;
  }

  readTyped() {
    const move = this.typed();
    if (move) this.picker.set(...move);
  }

  submit() {
    if (!this.canMove) return;
    const move = this.typed();
    if (move) this.made(move);
    else this.refuse(this.isSinglePlace ? "Type how many to take, or choose on the board." : "Type a place and how many to take, such as 4 2, or choose on the board.");
  }

  refuse(message) {
    byId("message").textContent = message;
  }

  busy(isBusy) {
    byId("main").setAttribute("aria-busy", String(isBusy));
  }
}
