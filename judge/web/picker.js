// The choice of a move on the board, by the pointer and by the keyboard. The picker knows the cards and heaps, and the
// numbers that a move may take; the judge decides whether a move is legal. A choice that takes 0 splits a row before
// its card.
import { ask } from "./request.js";

// How far each key moves the place of the choice (`STEPS`), and how much it changes the number to take (`SIZES`).
const STEPS = { ArrowLeft: -1, ArrowRight: 1 };
const SIZES = { ArrowUp: 1, ArrowDown: -1, "+": 1, "-": -1 };

export class Picker {
  // `changed` is called with the choice after each change. `confirmed` is called when a person confirms the choice.
  constructor(board, { changed, confirmed }) {
    [this.board, this.changed, this.confirmed] = [board, changed, confirmed];
    this.isEnabled = false;
    this.keys = Promise.resolve();
    this.asking = 0;
    this.clear();
    const { container } = board;
    container.addEventListener("click", (event) => this.onClick(event));
    container.addEventListener("dblclick", () => this.isEnabled && this.choice && this.confirmed());
    container.addEventListener("keydown", (event) => this.onKey(event));
  }

  clear() {
    this.choice = null;
    // The numbers that may be taken from the chosen pile or pair; null for a row, or if they are not known.
    this.takes = null;
  }

  // Begins the choice of a move in a new position. `request` names the position. `rowTakes` has, for each component,
  // the ranges of numbers of cards that may be taken.
  begin(request, rowTakes) {
    this.clear();
    this.request = request;
    this.rowTakes = rowTakes.map((runs) => runs?.map((run) => run.map(BigInt)));
    this.isEnabled = true;
    const heaps = this.heaps();
    const [first] = heaps;
    if (heaps.length === 1 && first.component.shape !== "row") return this.pickHeap(first);
    this.show();
  }

  end() {
    this.clear();
    this.isEnabled = false;
    this.show();
  }

  // Returns all heaps that are not empty, with their components.
  heaps() {
    const { components } = this.board.position;
    return components.flatMap((component) => component.heaps.filter(({ size }) => size > 0n).map((heap) => ({ ...heap, component })));
  }

  heapAt(place) {
    const component = this.board.position.componentOf(place);
    const width = (heap) => (component.shape === "row" ? heap.size : component.shape === "pair" ? 2n : 1n);
    const heap = component?.heaps.find((heap) => heap.place <= place && place < heap.place + width(heap));
    return heap && { ...heap, component };
  }

  show() {
    this.board.choice = this.choice;
    this.board.draw();
    this.changed(this.choice, this.takes);
  }

  choose(place, take) {
    this.choice = { place, take };
    this.show();
  }

  onClick(event) {
    const place = this.isEnabled ? this.board.placeAt(event) : undefined;
    const heap = place === undefined ? undefined : this.heapAt(place);
    if (!heap) return;
    if (heap.component.shape === "row") this.pickCard(heap, place);
    else this.pickHeap(heap, place);
  }

  // Chooses a card. If there is a choice in the same run, and the choice extended to this card is a move, extends the
  // choice. Otherwise begins a new choice at this card.
  pickCard(heap, place) {
    const before = this.choice;
    if (before && before.place >= heap.place && before.place < heap.place + heap.size) {
      const [from, to] = [before.place < place ? before.place : place, before.place + before.take - 1n];
      const take = (to > place ? to : place) - from + 1n;
      const isInside = place >= before.place && place <= to;
      if (!isInside && this.isTake(heap, take)) return this.choose(from, take);
    }
    this.beginAt(heap, place);
  }

  // Chooses the split before a card if this split is a move. Otherwise chooses the shortest move that begins at the
  // card. If the rest of the run is too short for this move, chooses the shortest move at the end of the run.
  beginAt(heap, place) {
    const end = heap.place + heap.size;
    if (this.isTake(heap, 0n) && place > heap.place) return this.choose(place, 0n);
    const least = this.leastTake(heap);
    // If every move splits a row, choose the first split of the run.
    if (least === undefined && this.isTake(heap, 0n) && heap.size > 1n) return this.choose(heap.place + 1n, 0n);
    if (least === undefined || least > heap.size) return this.choose(place, 1n);
    this.choose(place + least <= end ? place : end - least, least);
  }

  // Returns the least number of cards that a move takes; undefined if moves only split rows.
  leastTake(heap) {
    return this.runsOf(heap).find(([from]) => from > 0n)?.[0];
  }

  runsOf(heap) {
    return this.rowTakes[this.board.position.components.indexOf(heap.component)] ?? [];
  }

  isTake(heap, take) {
    return this.runsOf(heap).some(([from, to]) => from <= take && take <= to);
  }

  // Chooses a pile or a pair, and asks the judge what may be taken from it.
  async pickHeap(heap, place = heap.place) {
    const request = this.request;
    this.takes = [];
    this.choose(place, 1n);
    this.asks(1);
    try {
      const answer = await ask("takes", { ...request, place: String(place) });
      if (this.request !== request || this.choice?.place !== place) return;
      this.takes = answer.takes.map(BigInt);
      this.takes.more = answer.more;
      this.choose(BigInt(answer.place), this.takes[0] ?? 1n);
    } catch {
      // Ignore the error: the judge reports it again when the move is played.
    } finally {
      this.asks(-1);
    }
  }

  // Adds `more` to the number of requests that have no answer yet.
  asks(more) {
    this.asking += more;
    this.board.container.ariaBusy = String(this.asking > 0);
  }

  // Sets the choice to a move that was typed or that a hint shows.
  set(place, take) {
    const heap = place >= 1n ? this.heapAt(place) : undefined;
    if (heap && heap.component.shape !== "row" && this.choice?.place !== place) this.takes = null;
    this.choice = { place, take };
    this.show();
  }

  onKey(event) {
    const { key, shiftKey, ctrlKey, altKey, metaKey } = event;
    const isOwn = key === "Enter" || key === " " || key === "Home" || key === "End" || key in STEPS || key in SIZES;
    if (!this.isEnabled || !isOwn || ctrlKey || altKey || metaKey) return;
    event.preventDefault();
    event.stopPropagation();
    // Handle keys one after the other, because an earlier key may still wait for an answer of the judge.
    this.keys = this.keys.then(() => this.isEnabled && this.press(key, shiftKey));
  }

  // Performs the action of a key. Returns a promise if the judge has to be asked.
  press(key, shiftKey) {
    if (key === "Enter" || key === " ") return this.choice ? this.confirmed() : this.step(1n);
    if (key === "Home" || key === "End") return this.stepTo(key === "Home" ? 0 : -1);
    if (key in STEPS && !shiftKey) return this.step(BigInt(STEPS[key]));
    return this.resize(STEPS[key] ?? SIZES[key]);
  }

  // Moves the choice to the next card or heap in a direction.
  step(by) {
    if (!this.choice) return this.stepTo(by > 0n ? 0 : -1);
    const heap = this.heapAt(this.choice.place);
    const next = this.choice.place + by;
    if (heap?.component.shape === "row" && this.canBegin(heap, next)) return this.beginAt(heap, next);
    const heaps = this.heaps();
    const others = by > 0n ? heaps.filter(({ place }) => place > this.choice.place) : heaps.filter(({ place }) => place < (heap?.place ?? this.choice.place)).reverse();
    if (others.length) return this.stepInto(others[0], by < 0n);
  }

  // Returns whether a split or the shortest move can begin at a card.
  canBegin(heap, place) {
    const end = heap.place + heap.size;
    if (this.isTake(heap, 0n) && heap.place < place && place < end) return true;
    const least = this.leastTake(heap) ?? (this.isTake(heap, 0n) ? heap.size + 1n : 1n);
    return place >= heap.place && place + least <= end;
  }

  stepTo(index) {
    const heap = this.heaps().at(index);
    if (heap) return this.stepInto(heap, index < 0);
  }

  stepInto(heap, fromEnd) {
    if (heap.component.shape !== "row") return this.pickHeap(heap);
    this.beginAt(heap, fromEnd ? heap.place + heap.size - 1n : heap.place);
  }

  // Changes the number to take to the next larger or smaller number that a move may take.
  resize(by) {
    if (!this.choice) return this.step(1n);
    const { place, take } = this.choice;
    const heap = this.heapAt(place);
    if (!heap) return;
    const next = heap.component.shape === "row" ? this.nextInRow(heap, take, by) : this.nextOfTakes(take, by);
    if (next === undefined || (next === 0n && place === heap.place)) return;
    const end = heap.place + heap.size;
    const isRow = heap.component.shape === "row";
    this.choose(isRow && place + next > end ? end - next : place, next);
  }

  nextInRow(heap, take, by) {
    const wanted = take + BigInt(by);
    if (this.isTake(heap, wanted)) return wanted <= heap.size ? wanted : undefined;
    const runs = this.runsOf(heap);
    const run = by > 0 ? runs.find(([from]) => from > take) : runs.findLast(([, to]) => to < take);
    const next = run?.[by > 0 ? 0 : 1];
    return next !== undefined && next <= heap.size ? next : undefined;
  }

  nextOfTakes(take, by) {
    const takes = this.takes ?? [];
    return by > 0 ? takes.find((other) => other > take) : takes.findLast((other) => other < take);
  }
}
