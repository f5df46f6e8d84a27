// A game on a page: its board, the choice of a move, and the list of moves. The page decides who plays.
import { Board, element } from "./board.js";
import { Picker } from "./picker.js";
import { Position } from "./position.js";

const byId = (id) => document.getElementById(id);

// Maximum number of moves that are listed. If there are more, the last moves are listed.
const MAX_LISTED = 400;

export function moveText([place, take]) {
  return `${place} ${take}`;
}

// Returns moves as text, in the form of a request.
export function movesText(moves) {
  return moves.map(moveText).join(", ");
}

// Parses moves in the form of a request; returns no moves for a text of another form.
export function readMoves(text) {
  const moves = (text ?? "").split(",").filter((move) => move.trim());
  const isMove = (move) => /^\s*\d{1,19} +\d{1,19}\s*$/.test(move);
  return moves.every(isMove) ? moves.map((move) => move.trim().split(/ +/).map(BigInt)) : [];
}

// Enables or disables a button. A disabled button keeps the focus, because it may be enabled again in a moment.
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
    // Select the text of the chosen move, so that a typed move replaces it.
    byId("move").addEventListener("focus", () => byId("move").select());
    byId("back").addEventListener("click", () => this.look(this.position.ply - 1));
    byId("forward").addEventListener("click", () => this.look(this.position.ply + 1));
  }

  // Shows a board that the judge has sent, after `ply` moves, or by default after all of its moves. If a person is to
  // move, `request` names the position, and `rowTakes` has the numbers of cards that may be taken.
  show(board, { request, rowTakes, ply } = {}) {
    this.position = new Position(board);
    this.board.position = this.position;
    this.request = request;
    this.rowTakes = rowTakes;
    this.last = this.position.moves.length;
    this.listMoves();
    this.look(ply ?? this.last);
  }

  // Shows the position after a number of moves. A move can be chosen only in the last position.
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

  // Whether the game has only one place, so that a single number describes a move.
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

  // Shows a button for each number that may be taken from a pile or a pair.
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

  // Returns the typed move as a place and the number to take; null if the text is malformed. If there is only one
  // place, the text may be only the number to take.
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
