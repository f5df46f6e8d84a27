// A position of a game, which makes moves and takes them back. Each move lists the heaps that it leaves, so this module
// knows no rules.

// Returns the index of the first item of a sorted array for which `isBefore` is false.
function boundary(array, isBefore) {
  let [low, high] = [0, array.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isBefore(array[middle])) low = middle + 1;
    else high = middle;
  }
  return low;
}

function heapOf([place, size, nimber, second]) {
  const number = (value) => (value === undefined || value === null ? undefined : BigInt(value));
  return { place: BigInt(place), size: BigInt(size), second: number(second), nimber: number(nimber) };
}

// Places, sizes and nimbers are BigInts, because rows have up to 10^18 cards.
export class Position {
  constructor({ components, heaps, moves }) {
    this.components = components.map(({ place, width, rules, shape }) => {
      const first = BigInt(place);
      return { place: first, width: BigInt(width), end: first + BigInt(width), rules, shape, heaps: [] };
    });
    this.moves = moves.map(([place, take, heap, left]) => {
      return { place: BigInt(place), take: BigInt(take), heap: BigInt(heap), left: left.map(heapOf), removed: null };
    });
    for (const heap of heaps.map(heapOf)) this.componentOf(heap.place).heaps.push(heap);
    this.ply = 0;
  }

  // Returns the component to which a place belongs.
  componentOf(place) {
    return this.components[boundary(this.components, (component) => component.place <= place) - 1];
  }

  // Makes or takes back moves until `ply` moves have been made.
  goTo(ply) {
    while (this.ply < ply) this.forward();
    while (this.ply > ply) this.back();
  }

  forward() {
    const move = this.moves[this.ply];
    const { heaps } = this.componentOf(move.heap);
    const at = boundary(heaps, (heap) => heap.place < move.heap);
    move.removed = heaps.splice(at, 1, ...move.left)[0];
    this.ply += 1;
  }

  back() {
    this.ply -= 1;
    const move = this.moves[this.ply];
    const { heaps } = this.componentOf(move.heap);
    const at = boundary(heaps, (heap) => heap.place < move.heap);
    heaps.splice(at, move.left.length, move.removed);
  }

  // The move that was made last; undefined at the start.
  get lastMove() {
    return this.moves[this.ply - 1];
  }

  // The XOR of the nimbers; undefined if a nimber is not known.
  get nimber() {
    let xor = 0n;
    for (const { heaps } of this.components) {
      for (const { nimber } of heaps) {
        if (nimber === undefined) return undefined;
        xor ^= nimber;
      }
    }
    return xor;
  }
}
