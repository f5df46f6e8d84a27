// The board: draws a position into an element. Rows are cards in their places, piles and pairs are numbers.

// Maximum number of places of all rows together that are drawn one by one. With more places, each run of cards or empty
// places is drawn as one piece.
const MAX_CELLS = 5000n;

// Maximum number of pieces of a component that are drawn.
const MAX_PIECES = 300;

// Maximum number of components that are drawn.
const MAX_COMPONENTS = 30;

// Maximum number of components, and of heaps of each, that the description names.
const MAX_DESCRIBED = 12;

// Maximum number of characters of a component's rules that are shown.
const MAX_RULES = 200;

const LONG_ROWS = "Rows of more than 5,000 cards in all are shortened: a run of cards or empty places is one piece.";

// Returns a new element with a class and a text. The text is never read as HTML.
export function element(name, className, text) {
  const made = document.createElement(name);
  if (className) made.className = className;
  if (text !== undefined) made.textContent = text;
  return made;
}

// Describes a move in words.
export function moveDone({ place, take }) {
  return take === 0n ? `splits the row before card ${place}` : `takes ${take} at place ${place}`;
}

export class Board {
  constructor(container, position) {
    this.container = container;
    this.position = position;
    this.withNimbers = false;
    this.leftOut = [];
    container.setAttribute("role", "img");
  }

  draw() {
    const { position, container } = this;
    this.leftOut = [];
    const move = position.lastMove;
    const changed = move ? position.components.indexOf(position.componentOf(move.heap)) : 0;
    const shown = around(position.components.length, changed, MAX_COMPONENTS);
    this.leaveOut("games of the sum", shown, position.components.length);
    const drawn = position.components.slice(...shown).map((component, index) => {
      return this.drawComponent(component, shown[0] + index === changed ? move : undefined);
    });
    if (this.leftOut.length) drawn.unshift(element("div", "left-out", this.leftOut.join(" ")));
    container.replaceChildren(...drawn);
    container.setAttribute("aria-label", this.description());
    this.scrollTo(container.querySelector(".taken, .last"));
  }

  // Scrolls the board, not the page, so that an element is visible.
  scrollTo(shown) {
    if (!shown) return;
    const [board, box] = [this.container.getBoundingClientRect(), shown.getBoundingClientRect()];
    if (box.top < board.top || box.bottom > board.bottom) {
      this.container.scrollTop += box.top - board.top - board.height / 2;
    }
  }

  drawComponent(component, move) {
    const drawn = element("div", "component");
    if (this.position.components.length > 1) drawn.append(element("div", "rules", shortened(component.rules)));
    drawn.append(component.shape === "row" ? this.drawRow(component, move) : this.drawHeaps(component, move));
    return drawn;
  }

  drawRow(component, move) {
    const runs = runsOf(component, move);
    const rows = this.position.components.filter(({ shape }) => shape === "row");
    if (rows.reduce((sum, { width }) => sum + width, 0n) <= MAX_CELLS) return this.drawCells(runs);
    if (!this.leftOut.includes(LONG_ROWS)) this.leftOut.unshift(LONG_ROWS);
    const pieces = runs.map(({ first, places, kind, nimber }) => {
      const last = first + places - 1n;
      const size = `${places} ${kind === "cards" ? "cards" : kind}`;
      return { label: places === 1n ? `${first}` : `${first} – ${last}`, size, kind, nimber, isLast: kind === "taken" };
    });
    return this.drawPieces(pieces, "runs of cards and empty places");
  }

  // Draws every place of a row. The nimber of a run is before its first card.
  drawCells(runs) {
    const row = element("div", "row");
    for (const { first, places, kind, nimber, split } of runs) {
      const run = element("div", `run ${kind}`);
      if (split) run.append(element("span", `split ${split}`));
      if (kind === "cards" && this.withNimbers) run.append(element("span", "value", valueText(nimber)));
      for (let place = first; place < first + places; place += 1n) {
        run.append(element("span", "cell", String(place)));
      }
      row.append(run);
    }
    return row;
  }

  drawHeaps({ heaps, shape }, move) {
    const isPair = shape === "pair";
    const all = isPair ? pairPlaces(heaps) : pilePlaces(heaps, move);
    const pieces = all.map(({ place, size, nimber }) => {
      const isLast = place === move?.place;
      return {
        label: `${isPair ? "number at" : "pile"} ${place}`,
        size: isLast ? `${size} (${move.take} taken)` : String(size),
        kind: size > 0n ? "cards" : "empty",
        nimber,
        isLast,
      };
    });
    return this.drawPieces(pieces, isPair ? "numbers" : "piles");
  }

  drawPieces(all, what) {
    const changed = Math.max(0, all.findIndex(({ isLast }) => isLast));
    const shown = around(all.length, changed, MAX_PIECES);
    this.leaveOut(what, shown, all.length);
    const pieces = element("div", "pieces");
    for (const { label, size, kind, nimber, isLast } of all.slice(...shown)) {
      const piece = element("div", `piece ${kind} ${isLast ? "last" : ""}`);
      piece.append(element("div", "place", label), element("div", "size", size));
      const hasNimber = this.withNimbers && kind === "cards" && nimber !== null;
      if (hasNimber) piece.append(element("div", "value", valueText(nimber)));
      pieces.append(piece);
    }
    return pieces;
  }

  leaveOut(what, [start, end], count) {
    if (end - start < count) {
      this.leftOut.push(`${end - start} of ${count} ${what} are shown, those around the last move.`);
    }
  }

  // Describes the position in words.
  description() {
    const parts = this.position.components.slice(0, MAX_DESCRIBED).map(({ heaps, rules }) => {
      const texts = heaps.slice(0, MAX_DESCRIBED).map(({ place, size, second }) => {
        return `${size}${second === undefined ? "" : ` and ${second}`} at ${place}`;
      });
      if (heaps.length > MAX_DESCRIBED) texts.push(`and ${heaps.length - MAX_DESCRIBED} more`);
      return `${shortened(rules)}: ${texts.join(", ") || "nothing left"}`;
    });
    const more = this.position.components.length - MAX_DESCRIBED;
    if (more > 0) parts.push(`and ${more} more games`);
    return parts.join(". ");
  }
}

// Returns the range of at most `most` of `count` indices around `index`.
function around(count, index, most) {
  const start = Math.max(0, Math.min(index - Math.floor(most / 2), count - most));
  return [start, Math.min(count, start + most)];
}

function shortened(text) {
  return text.length > MAX_RULES ? `${text.slice(0, MAX_RULES)}…` : text;
}

function valueText(nimber) {
  return nimber === undefined ? "∗?" : `∗${nimber}`;
}

// Returns the runs of a row: cards, places emptied by the last move ("taken"), and places emptied before. If cards
// directly follow the cards of another heap, `split` says what divides them: the last move ("last"), or an earlier move
// or the start ("old").
function runsOf({ place, end, heaps }, move) {
  const runs = [];
  const add = (first, next, kind, heap) => {
    if (first < next) runs.push({ first, places: next - first, kind, ...heap });
  };
  const addEmpty = (first, next) => {
    const isTaken = move && move.take > 0n && first <= move.place && move.place < next;
    if (!isTaken) return add(first, next, "empty");
    add(first, move.place, "empty");
    add(move.place, move.place + move.take, "taken");
    add(move.place + move.take, next, "empty");
  };
  let next = place;
  for (const heap of heaps) {
    addEmpty(next, heap.place);
    const isSplit = heap.place === next && heap.place > place;
    const isLast = move?.take === 0n && move.place === heap.place;
    const split = isSplit ? (isLast ? "last" : "old") : undefined;
    add(heap.place, heap.place + heap.size, "cards", { nimber: heap.nimber, split });
    next = heap.place + heap.size;
  }
  addEmpty(next, end);
  return runs;
}

// Returns the piles with their places. The pile that the last move emptied is one of them.
function pilePlaces(heaps, move) {
  const isEmptied = move && !heaps.some((heap) => heap.place === move.place);
  if (!isEmptied) return heaps;
  return [...heaps, { place: move.place, size: 0n }].sort((a, b) => (a.place < b.place ? -1 : 1));
}

// Returns the two numbers of each pair. Only the first number has the nimber of the pair.
function pairPlaces(heaps) {
  return heaps.flatMap(({ place, size, second, nimber }) => [
    { place, size, nimber },
    { place: place + 1n, size: second, nimber: null },
  ]);
}
