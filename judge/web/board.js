// The board: draws a position into an element. Rows are cards in their places, piles and pairs are numbers with stones.

// Maximum number of places of all rows together that are drawn one by one. With more places, each run of cards or empty
// places is drawn as one piece.
const MAX_CELLS = 5000n;

// Minimum width of a card that shows its number, in pixels.
const MIN_NUMBERED = 22;

// Maximum number of pieces of a component that are drawn.
const MAX_PIECES = 300;

// Maximum number of components that are drawn.
const MAX_COMPONENTS = 30;

// The largest pile that is drawn as stones.
const MAX_STONES = 60n;

// Maximum number of characters of a component's rules that are shown.
const MAX_RULES = 200;

export function grouped(number) {
  return number.toLocaleString("en");
}

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
  // Creates a board in an element. The board is drawn again when the width of the element changes.
  constructor(container, position) {
    this.container = container;
    this.position = position;
    this.withNimbers = false;
    this.leftOut = [];
    // The move that is being chosen: a place, and the number to take.
    this.choice = null;
    container.classList.add("board");
    if (!container.hasAttribute("role")) container.setAttribute("role", "img");
    this.width = container.clientWidth;
    this.observer = new ResizeObserver(() => {
      if (container.clientWidth !== this.width) this.draw();
    });
    this.observer.observe(container);
  }

  // Stops drawing, so that another board can be drawn into the element.
  close() {
    this.observer.disconnect();
  }

  // Returns the place of a click; undefined if no place was clicked.
  placeAt({ target, clientX }) {
    const place = target.closest?.("[data-place]");
    if (place) return BigInt(place.dataset.place);
    const run = target.closest?.(".run");
    if (!run) return undefined;
    const index = Math.floor((clientX - run.getBoundingClientRect().left) / Number(run.dataset.cell));
    return BigInt(run.dataset.first) + BigInt(Math.max(0, index));
  }

  draw() {
    const { position, container } = this;
    this.width = container.clientWidth;
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
    this.scrollTo(container.querySelector(".chosen") ?? container.querySelector(".taken, .last"));
  }

  // Scrolls the board, not the page, so that an element is visible.
  scrollTo(shown) {
    if (!shown) return;
    const [board, box] = [this.container.getBoundingClientRect(), shown.getBoundingClientRect()];
    const margin = board.height / 4;
    if (box.top < board.top + margin) this.container.scrollTop -= board.top + margin - box.top;
    else if (box.bottom > board.bottom - margin) this.container.scrollTop += box.bottom - board.bottom + margin;
  }

  drawComponent(component, move) {
    const drawn = element("div", "component");
    if (this.position.components.length > 1) drawn.append(element("div", "rules", shortened(component.rules)));
    drawn.append(component.shape === "row" ? this.drawRow(component, move) : this.drawHeaps(component, move));
    return drawn;
  }

  drawRow(component, move) {
    const runs = runsOf(component, move, this.choice);
    const rows = this.position.components.filter(({ shape }) => shape === "row");
    const cells = rows.reduce((sum, { width }) => sum + width, 0n);
    return cells <= MAX_CELLS ? this.drawCells(component, runs) : this.drawPieces(runs);
  }

  // Draws every card at its place, in lines of equal length.
  drawCells({ width, end }, runs) {
    const cards = Number(width);
    // The width of a line without the number of its first place, in pixels.
    const free = this.width - 64;
    const wide = cards <= 40 ? 26 : cards <= 120 ? MIN_NUMBERED : cards <= 600 ? 14 : 9;
    // The cards are narrower if ten numbered cards would not fit in a line.
    const cell = wide > MIN_NUMBERED && free < 10 * wide ? Math.max(MIN_NUMBERED, Math.floor(free / 10)) : wide;
    const room = Math.max(5, Math.floor(free / cell));
    const step = room >= 10 ? 10 : 5;
    const perLine = BigInt(Math.max(step, Math.floor(room / step) * step));
    const lines = element("div", "row");
    lines.style.setProperty("--cell", `${cell}px`);
    const isNumbered = cell >= MIN_NUMBERED;
    let [line, filled] = [null, perLine];
    for (const run of runs) {
      let [place, left] = [run.first, run.places];
      while (left > 0n) {
        if (filled === perLine) {
          line = element("div", "row-line");
          if (!isNumbered || width > perLine) line.append(element("span", "first-place", String(place)));
          lines.append(line);
          filled = 0n;
        }
        const places = left < perLine - filled ? left : perLine - filled;
        line.append(this.drawRun({ ...run, first: place, places }, cell, place === run.first));
        [place, left, filled] = [place + places, left - places, filled + places];
      }
    }
    return lines;
  }

  drawRun({ first, places, kind, nimber, split }, cell, isStart) {
    const run = element("div", `run ${kind}`);
    if (split && isStart) run.append(element("span", `split ${split}`));
    const cells = element("div", "cells");
    run.style.width = cells.style.width = `${Number(places) * cell}px`;
    [run.dataset.first, run.dataset.cell] = [first, cell];
    if (cell >= MIN_NUMBERED) {
      cells.classList.add("numbered");
      for (let place = first; place < first + places; place += 1n) {
        const cell = element("span", "cell", kind === "empty" ? "" : String(place));
        cell.dataset.place = place;
        cells.append(cell);
      }
    }
    run.append(cells);
    if (this.withNimbers) run.append(element("div", "value", kind === "cards" && isStart ? valueText(nimber) : ""));
    return run;
  }

  // Draws a row that is too long to be drawn card by card.
  drawPieces(runs) {
    const index = (...names) => runs.findIndex(({ kind, split }) => names.includes(kind) || names.includes(split));
    const changed = Math.max(0, index("chosen"), index("taken", "last"));
    const shown = around(runs.length, changed, MAX_PIECES);
    this.leaveOut("runs of cards and empty places", shown, runs.length);
    const pieces = element("div", "pieces");
    for (const { first, places, kind, nimber, split } of runs.slice(...shown)) {
      const piece = element("div", `piece ${kind} ${split ?? ""}`);
      piece.dataset.place = first;
      const last = first + places - 1n;
      piece.append(element("div", "place", places === 1n ? grouped(first) : `${grouped(first)} – ${grouped(last)}`));
      const noun = { cards: places === 1n ? "card" : "cards", chosen: "chosen", taken: "taken", empty: "empty" }[kind];
      piece.append(element("div", "size", `${grouped(places)} ${noun}`));
      if (kind === "cards" && this.withNimbers) piece.append(element("div", "value", valueText(nimber)));
      pieces.append(piece);
    }
    if (!this.leftOut.includes(LONG_ROWS)) this.leftOut.unshift(LONG_ROWS);
    return pieces;
  }

  drawHeaps({ heaps, shape, place, width }, move) {
    const isPair = shape === "pair";
    const all = isPair ? pairPlaces(heaps) : pilePlaces(heaps, place, width, move);
    const changed = Math.max(0, all.findIndex((shown) => shown.place === move?.place));
    const shown = around(all.length, changed, MAX_PIECES);
    this.leaveOut(isPair ? "numbers" : "piles", shown, all.length);
    const pieces = element("div", "pieces");
    const withStones = all.length <= 40 && all.every(({ size }) => size <= MAX_STONES);
    for (const { place, size, nimber } of all.slice(...shown)) {
      const isLast = place === move?.place;
      const isChosen = place === this.choice?.place;
      const piece = element("div", `piece ${size > 0n ? "cards" : "empty"} ${isLast ? "last" : ""} ${isChosen ? "chosen" : ""}`);
      piece.dataset.place = place;
      piece.append(element("div", "place", isPair ? `number at ${place}` : `pile ${place}`));
      const taken = isLast ? ` (${grouped(move.take)} taken)` : "";
      piece.append(element("div", "size", grouped(size) + taken));
      if (withStones) piece.append(stones(size, isChosen ? this.choice.take : 0n, isLast ? move.take : 0n));
      if (this.withNimbers && nimber !== null) piece.append(element("div", "value", valueText(nimber)));
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
    const most = 12;
    const parts = this.position.components.slice(0, most).map(({ heaps, shape, width, rules }) => {
      const texts = heaps.slice(0, most).map(({ place, size, second }) => {
        if (shape === "row") return `${size} at ${place} to ${place + size - 1n}`;
        return second === undefined ? `${size} at ${place}` : `${size} and ${second} at ${place}`;
      });
      if (heaps.length > most) texts.push(`and ${heaps.length - most} more`);
      const what = shape === "row" ? `row of ${width} places, cards` : shape === "pair" ? "pair of numbers" : "piles";
      return `${shortened(rules)}: ${what}: ${texts.join(", ") || "none"}`;
    });
    const more = this.position.components.length - most;
    if (more > 0) parts.push(`and ${more} more games`);
    return parts.join(". ");
  }
}

const LONG_ROWS = `Rows of more than ${grouped(MAX_CELLS)} cards in all are shortened: a run of cards or empty places is one piece, with its places and its length.`;

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

// Returns the runs of a row: cards, chosen cards, places emptied by the last move, and places emptied before. If cards
// directly follow the cards of another row, `split` says what divides them: the choice ("chosen"), the last move
// ("last"), or an earlier move or the start ("old").
function runsOf({ place, end, heaps }, move, choice) {
  const runs = [];
  const isSplit = (move, first) => move?.take === 0n && move.place === first;
  const add = (first, next, kind, nimber, split) => {
    if (first < next) runs.push({ first, places: next - first, kind, nimber, split });
  };
  const addCards = (first, next, nimber, split) => {
    if (choice?.take === 0n && first < choice.place && choice.place < next) {
      add(first, choice.place, "cards", nimber, split);
      return add(choice.place, next, "cards", undefined, "chosen");
    }
    const from = choice && choice.place > first ? choice.place : first;
    const to = choice && choice.place + choice.take < next ? choice.place + choice.take : next;
    if (!choice || from >= to) return add(first, next, "cards", nimber, split);
    add(first, from, "cards", nimber, split);
    add(from, to, "chosen", undefined, first === from ? split : undefined);
    add(to, next, "cards", nimber);
  };
  const addEmpty = (first, next) => {
    const from = move && move.place > first ? move.place : first;
    const to = move && move.place + move.take < next ? move.place + move.take : next;
    if (!move || from >= to) return add(first, next, "empty");
    add(first, from, "empty");
    add(from, to, "taken");
    add(to, next, "empty");
  };
  let next = place;
  for (const heap of heaps) {
    addEmpty(next, heap.place);
    const split = heap.place > next || heap.place === place ? undefined : isSplit(move, heap.place) ? "last" : "old";
    addCards(heap.place, heap.place + heap.size, heap.nimber, split);
    next = heap.place + heap.size;
  }
  addEmpty(next, end);
  return runs;
}

// Returns the piles with their places. If there are few piles, adds the empty piles; otherwise adds only the pile that
// the last move emptied, if any.
function pilePlaces(heaps, place, width, move) {
  const piles = heaps.map(({ place, size, nimber }) => ({ place, size, nimber }));
  if (width > BigInt(MAX_PIECES)) {
    if (move && !piles.some((pile) => pile.place === move.place)) {
      piles.push({ place: move.place, size: 0n, nimber: 0n });
      piles.sort((a, b) => (a.place < b.place ? -1 : 1));
    }
    return piles;
  }
  const known = new Map(piles.map((pile) => [pile.place, pile]));
  const all = [];
  for (let at = place; at < place + width; at += 1n) {
    all.push(known.get(at) ?? { place: at, size: 0n, nimber: 0n });
  }
  return all;
}

// Returns the two numbers of each pair. Only the first number has the nimber of the pair.
function pairPlaces(heaps) {
  return heaps.flatMap(({ place, size, second, nimber }) => [
    { place, size, nimber },
    { place: place + 1n, size: second, nimber: null },
  ]);
}

// Draws a pile as stones: the stones that stay, the chosen stones, and the stones that the last move has taken.
function stones(size, chosen, taken) {
  const drawn = element("div", "stones");
  const stay = chosen < size ? size - chosen : 0n;
  for (let index = 0n; index < size + (taken <= MAX_STONES ? taken : 0n); index += 1n) {
    const kind = index < stay ? "" : index < size ? "chosen" : "taken";
    drawn.append(element("span", `stone ${kind}`));
  }
  return drawn;
}
