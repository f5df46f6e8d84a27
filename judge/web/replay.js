// The replay of a game: the board, the controls, and the lines of both sides.
import { Board, element } from "./board.js";
import { Position } from "./position.js";

// The times between two moves while the replay plays, in milliseconds: long games play faster.
const SLOW = 700;
const FAST = 60;

const data = JSON.parse(document.getElementById("data").textContent);
const byId = (id) => document.getElementById(id);
const position = new Position(data.board);
const board = new Board(byId("board"), position);
const blunders = new Map(data.evaluation.blunders.map((blunder) => [blunder.ply, blunder]));
const last = position.moves.length;
let [timer, selected] = [null, 0];

const isBotsMove = (ply) => data.side !== null && (ply % 2 === 1) === (data.side === "First");
const mover = (ply) => (data.side === null ? "A side" : isBotsMove(ply) ? "The bot" : "The judge");
const moveText = ([place, take]) => `${place} ${take}`;

// The line with which a position is reached: its move, or at the start the first one.
const lineOfPly = data.lines.reduce((found, line, index) => {
  if (line.isMove) found[line.moves] = index;
  return found;
}, [0]);

function showGame() {
  document.title = data.title;
  const verdict = element("span", `verdict ${data.won ? "won" : ""}`, data.verdict);
  byId("title").replaceChildren(verdict, data.title.slice(data.verdict.length + 1));
  byId("reason").textContent = data.reason;
  byId("again").textContent = data.again ?? "The command cannot be shown, because the bot's command is not UTF-8.";
  byId("copy").hidden = data.again === null;
  byId("stderr").textContent = data.stderr;
  byId("stderr-part").hidden = data.stderr === "";
  byId("facts").replaceChildren(
    ...data.facts.flatMap(([name, text]) => [element("dt", "", name), element("dd", "", text)]),
  );
  const notes = [...data.notes, ...data.evaluation.notes];
  const { unexplained } = data.evaluation;
  if (unexplained > 0) {
    notes.push(`For ${unexplained} of ${blunders.size} blunders no better move is named: it would take too long to find them.`);
  }
  byId("notes").replaceChildren(...notes.map((note) => element("li", "", note)));
  byId("slider").max = last;
  byId("blunder").disabled = blunders.size === 0;
  const own = [...blunders.keys()].filter(isBotsMove).length;
  const count = (number) => `${number} ${number === 1 ? "blunder" : "blunders"}`;
  const key = data.side === null ? "" : "Strip: who wins with perfect play, the bot blue, its opponent orange. ";
  byId("key").textContent = `${key}${count(own)} by the bot, ${count(blunders.size - own)} by its opponent.`;
}

// A strip above the moves: who wins after each.
function showWinners() {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  const { winners } = data.evaluation;
  svg.setAttribute("viewBox", `0 0 ${winners.length} 1`);
  svg.setAttribute("preserveAspectRatio", "none");
  const kind = (winner) => (winner === null ? "unknown" : winner === data.side ? "bot" : "opponent");
  for (let from = 0, to = 0; from < winners.length; from = to) {
    while (to < winners.length && winners[to] === winners[from]) to += 1;
    const rect = document.createElementNS("http://www.w3.org/2000/svg", "rect");
    const isBot = kind(winners[from]) === "bot";
    const box = { x: from, width: to - from, y: isBot ? 0 : 0.35, height: isBot ? 1 : 0.65, class: kind(winners[from]) };
    for (const [name, value] of Object.entries(box)) rect.setAttribute(name, value);
    svg.append(rect);
  }
  byId("winners").hidden = data.side === null;
  byId("winners").replaceChildren(svg);
}

function showLines() {
  const rows = data.lines.map((line, index) => {
    const row = element("tr", line.from);
    const number = row.appendChild(element("th", ""));
    number.scope = "row";
    const isBlunder = line.isMove && blunders.has(line.moves);
    if (line.isMove) {
      const button = number.appendChild(element("button", "", String(line.moves)));
      button.type = "button";
      button.tabIndex = -1;
    }
    if (isBlunder) {
      row.classList.add("blunder");
      number.append(element("span", "mark", " ✗"), element("span", "hidden", " blunder"));
    }
    const winner = line.isMove ? data.evaluation.winners[line.moves] : undefined;
    const text = element("td", "text", line.text);
    row.append(element("td", "", line.from === "event" ? "" : line.from), text);
    if (line.from === "event") {
      text.colSpan = 3;
    } else {
      row.append(
        element("td", "", line.waited === undefined ? "" : `${line.waited.toFixed(1)} ms`),
        element("td", "", winner === undefined ? "" : (winner ?? "?")),
      );
    }
    row.dataset.index = index;
    return row;
  });
  byId("rows").replaceChildren(...rows);
}

function show(ply, line = lineOfPly[ply]) {
  position.goTo(Math.min(Math.max(ply, 0), last));
  board.draw();
  byId("slider").value = position.ply;
  byId("status").textContent = statusText();
  byId("advice").textContent = adviceText();
  for (const id of ["first", "back"]) byId(id).disabled = position.ply === 0;
  for (const id of ["forward", "last"]) byId(id).disabled = position.ply === last;
  byId("slider").setAttribute("aria-valuetext", statusText());
  select(line);
  history.replaceState(null, "", `#${position.ply}`);
}

function statusText() {
  const { ply, lastMove } = position;
  const winner = data.evaluation.winners[ply];
  const who = winner === data.side ? " (the bot)" : data.side === null ? "" : " (the judge)";
  const wins = winner ? `${winner}${who} wins with perfect play` : "who wins is out of reach";
  const xor = byId("nimbers").checked ? `; XOR of the nimbers: ${position.nimber ?? "out of reach"}` : "";
  const made = lastMove ? `Move ${ply} of ${last}: ${mover(ply)} takes ${lastMove.take} at ${lastMove.place}` : "Start";
  return `${made}; ${wins}${xor}.`;
}

function adviceText() {
  const advice = [];
  const blunder = blunders.get(position.ply);
  if (blunder) {
    const better = blunder.better ? `; ${moveText(blunder.better)} would have kept it` : "";
    advice.push(`Blunder: this move threw the win away${better}.`);
    if (blunder.refutation) advice.push(`Now ${moveText(blunder.refutation)} wins.`);
  }
  if (position.ply === last) advice.push(`The end. ${data.verdict}: ${data.reason}.`);
  return advice.join(" ");
}

// Marks a line of the list, and shows it whole.
function select(index) {
  const rows = byId("rows").children;
  const before = rows[selected];
  before?.removeAttribute("aria-current");
  const buttonBefore = before?.querySelector("button");
  if (buttonBefore) buttonBefore.tabIndex = -1;
  selected = index;
  const row = rows[index];
  const line = data.lines[index];
  byId("line").textContent = line?.text ?? "";
  byId("line-at").textContent = line ? `${line.from === "event" ? "At" : `From the ${line.from} at`} ${line.ms.toFixed(1)} ms` : "";
  if (!row) return;
  row.setAttribute("aria-current", "true");
  const button = row.querySelector("button");
  if (button) button.tabIndex = 0;
  const list = byId("list");
  const head = list.querySelector("thead").offsetHeight;
  if (row.offsetTop < list.scrollTop + head) list.scrollTop = row.offsetTop - head;
  const below = row.offsetTop + row.offsetHeight - list.clientHeight;
  if (below > list.scrollTop) list.scrollTop = below;
}

function pause() {
  clearInterval(timer);
  timer = null;
  byId("play").textContent = "Play";
  byId("status").setAttribute("aria-live", "polite");
}

function playOrPause() {
  if (timer !== null) return pause();
  if (position.ply === last) show(0);
  byId("play").textContent = "Pause";
  // Not every move is read aloud while the replay plays.
  byId("status").setAttribute("aria-live", "off");
  timer = setInterval(() => {
    show(position.ply + 1);
    if (position.ply === last) pause();
  }, Math.max(FAST, Math.min(SLOW, 60000 / Math.max(last, 1))));
}

function go(ply, line) {
  pause();
  show(ply, line);
}

function nextBlunder() {
  const plies = [...blunders.keys()];
  const next = plies.find((ply) => ply > position.ply) ?? plies[0];
  if (next !== undefined) go(next);
}

function toggleNimbers() {
  board.withNimbers = byId("nimbers").checked;
  show(position.ply, selected);
}

// Copies the command; where the browser does not allow that, it is selected to be copied by hand.
async function copyCommand() {
  try {
    await navigator.clipboard.writeText(data.again);
    byId("copy").textContent = "Copied";
  } catch {
    getSelection().selectAllChildren(byId("again"));
  }
}

const actions = {
  ArrowLeft: () => go(position.ply - 1),
  ArrowRight: () => go(position.ply + 1),
  Home: () => go(0),
  End: () => go(last),
  " ": playOrPause,
  b: nextBlunder,
  n: () => {
    byId("nimbers").checked = !byId("nimbers").checked;
    toggleNimbers();
  },
};

function onKey(event) {
  const { target, key } = event;
  const action = actions[key.length === 1 ? key.toLowerCase() : key];
  if (!action || event.ctrlKey || event.altKey || event.metaKey) return;
  // The slider has these keys itself, and Space presses a button.
  const isOwn = target.id === "slider" ? key !== " " : key === " " && target.closest("button, input, label");
  if (isOwn && !/^[bn]$/i.test(key)) return;
  event.preventDefault();
  action();
}

byId("first").onclick = actions.Home;
byId("back").onclick = actions.ArrowLeft;
byId("forward").onclick = actions.ArrowRight;
byId("last").onclick = actions.End;
byId("play").onclick = playOrPause;
byId("blunder").onclick = nextBlunder;
byId("nimbers").onchange = toggleNimbers;
byId("slider").oninput = () => go(Number(byId("slider").value));
byId("copy").onclick = copyCommand;
byId("rows").onclick = (event) => {
  const row = event.target.closest("tr");
  if (row) go(data.lines[row.dataset.index].moves, Number(row.dataset.index));
};
document.addEventListener("keydown", onKey);
window.addEventListener("hashchange", () => go(Number(location.hash.slice(1)) || 0));

showGame();
showWinners();
showLines();
show(/^#\d+$/.test(location.hash) ? Number(location.hash.slice(1)) : 0);
