// The replay of a game: the board, the controls, and the lines of both sides.
import { Board, moveDone } from "./board.js";
import { Position } from "./position.js";

// The longest and the shortest time between two moves while the replay plays, in milliseconds. Long games play faster.
const MAX_INTERVAL = 700;
const MIN_INTERVAL = 60;

const byId = (id) => document.getElementById(id);
const moveText = ([place, take]) => `${place} ${take}`;

class Replay {
  constructor(data) {
    this.data = data;
    this.position = new Position(data.board);
    this.board = new Board(byId("board"), this.position);
    this.blunders = new Map(data.evaluation.blunders.map((blunder) => [blunder.ply, blunder]));
    this.last = this.position.moves.length;
    [this.timer, this.selected] = [null, undefined];
    this.rows = [...byId("rows").rows];
    // For each ply, the row with its move. For ply 0, the first row.
    this.rowOfPly = this.rows.reduce((found, row) => {
      if (row.querySelector("th")) found[row.dataset.ply] = row;
      return found;
    }, [this.rows[0]]);
    byId("nimbers").closest("label").hidden = this.data.misere;
    byId("nimbers").checked = false;
    this.showGame();
    this.listen();
    this.show(/^#\d+$/.test(location.hash) ? Number(location.hash.slice(1)) : 0);
  }

  isOwnMove(ply) {
    const { side } = this.data;
    return side !== null && (ply % 2 === 1) === (side === "First");
  }

  // Returns the player who made a move, as written within a sentence.
  mover(ply) {
    if (this.data.side === null) return "a side";
    return this.isOwnMove(ply) ? "the bot" : "the judge";
  }

  showGame() {
    byId("slider").max = this.last;
    byId("blunder").disabled = this.blunders.size === 0;
    const ownCount = [...this.blunders.keys()].filter((ply) => this.isOwnMove(ply)).length;
    const count = (number) => `${number} ${number === 1 ? "blunder" : "blunders"}`;
    const isWhole = this.last === this.data.moves;
    const part = isWhole ? "" : `This page shows the first ${this.last} of ${this.data.moves} moves. In these: `;
    byId("key").textContent = `${part}${count(ownCount)} by the bot, ${count(this.blunders.size - ownCount)} by the judge.`;
  }

  show(ply, row = this.rowOfPly[ply]) {
    this.position.goTo(Math.min(Math.max(ply, 0), this.last));
    this.board.draw();
    byId("slider").value = this.position.ply;
    byId("status").textContent = this.statusText();
    byId("advice").textContent = this.adviceText();
    for (const id of ["first", "back"]) byId(id).disabled = this.position.ply === 0;
    for (const id of ["forward", "last"]) byId(id).disabled = this.position.ply === this.last;
    byId("slider").setAttribute("aria-valuetext", this.statusText());
    this.select(row);
    history.replaceState(null, "", `#${this.position.ply}`);
  }

  statusText() {
    const { ply, lastMove } = this.position;
    const winner = this.data.evaluation.winners[ply];
    const who = this.data.side === null ? "" : ` (${winner === this.data.side ? "the bot" : "the judge"})`;
    const wins = winner ? `${winner}${who} wins with perfect play` : "the winner cannot be computed";
    const xor = byId("nimbers").checked ? `; XOR of the nimbers: ${this.position.nimber ?? "out of reach"}` : "";
    if (!lastMove) return `Start; ${wins}${xor}.`;
    const mover = this.mover(ply).replace(/^./, (first) => first.toUpperCase());
    const made = `Move ${ply} of ${this.data.moves}: ${mover} ${moveDone(lastMove)}`;
    return `${made}; ${wins}${xor}.`;
  }

  adviceText() {
    const advice = [];
    const blunder = this.blunders.get(this.position.ply);
    if (blunder) {
      const better = blunder.better ? `; ${moveText(blunder.better)} would have kept it` : "";
      advice.push(`Blunder: this move threw the win away${better}.`);
      if (blunder.refutation) advice.push(`Now ${moveText(blunder.refutation)} wins.`);
    }
    if (this.position.ply === this.last) {
      const end = this.last === this.data.moves ? "The end." : "The page ends here, but the game continued.";
      advice.push(`${end} ${this.data.verdict}: ${this.data.reason}.`);
    }
    return advice.join(" ");
  }

  // Marks a row of the list, and scrolls the list to it. Rows in the middle of a long game may be missing.
  select(row) {
    this.selected?.removeAttribute("aria-current");
    this.selected = row;
    if (!row) return;
    row.setAttribute("aria-current", "true");
    const list = byId("list");
    const head = list.querySelector("thead").offsetHeight;
    if (row.offsetTop < list.scrollTop + head) list.scrollTop = row.offsetTop - head;
    const below = row.offsetTop + row.offsetHeight - list.clientHeight;
    if (below > list.scrollTop) list.scrollTop = below;
  }

  pause() {
    clearInterval(this.timer);
    this.timer = null;
    byId("play").textContent = "Play";
    byId("status").setAttribute("aria-live", "polite");
  }

  playOrPause() {
    if (this.timer !== null) return this.pause();
    if (this.position.ply === this.last) this.show(0);
    byId("play").textContent = "Pause";
    // While the replay plays, screen readers must not read each move aloud.
    byId("status").setAttribute("aria-live", "off");
    this.timer = setInterval(() => {
      this.show(this.position.ply + 1);
      if (this.position.ply === this.last) this.pause();
    }, Math.max(MIN_INTERVAL, Math.min(MAX_INTERVAL, 60000 / Math.max(this.last, 1))));
  }

  go(ply, row) {
    this.pause();
    this.show(ply, row);
  }

  nextBlunder() {
    const plies = [...this.blunders.keys()];
    const next = plies.find((ply) => ply > this.position.ply) ?? plies[0];
    if (next !== undefined) this.go(next);
  }

  toggleNimbers() {
    this.board.withNimbers = byId("nimbers").checked;
    this.show(this.position.ply, this.selected);
  }

  listen() {
    const on = (target, name, action) => target.addEventListener(name, action);
    const actions = {
      ArrowLeft: () => this.go(this.position.ply - 1),
      ArrowRight: () => this.go(this.position.ply + 1),
      Home: () => this.go(0),
      End: () => this.go(this.last),
      " ": () => this.playOrPause(),
      b: () => this.nextBlunder(),
      n: () => {
        if (this.data.misere) return;
        byId("nimbers").checked = !byId("nimbers").checked;
        this.toggleNimbers();
      },
    };
    const buttons = { first: "Home", back: "ArrowLeft", forward: "ArrowRight", last: "End", play: " ", blunder: "b" };
    for (const [id, key] of Object.entries(buttons)) on(byId(id), "click", actions[key]);
    on(byId("nimbers"), "change", () => this.toggleNimbers());
    on(byId("slider"), "input", () => this.go(Number(byId("slider").value)));
    on(byId("rows"), "click", (event) => {
      const row = event.target.closest("tr");
      if (row?.dataset.ply) this.go(Number(row.dataset.ply), row);
    });
    on(document, "keydown", (event) => onKey(event, actions));
    on(window, "hashchange", () => this.go(Number(location.hash.slice(1)) || 0));
  }
}

function onKey(event, actions) {
  const { target, key } = event;
  const action = actions[key.length === 1 ? key.toLowerCase() : key];
  if (!action || event.ctrlKey || event.altKey || event.metaKey) return;
  // The slider handles the other keys itself, and Space presses a button.
  const isOwn = target.id === "slider" ? key !== " " : key === " " && target.closest("button, input, label");
  if (isOwn && !/^[bn]$/i.test(key)) return;
  event.preventDefault();
  action();
}

new Replay(JSON.parse(byId("data").textContent));
