// The page on which a game is played, against the bot or another person. The page itself keeps the game, so each tab
// has its own game.
import { element, moveDone } from "./board.js";
import { GameView, allow, isAllowed, movesText, readMoves } from "./game.js";
import { HeaderInput, isMisere } from "./header.js";
import { Latest, ask, saveFile } from "./request.js";

// How long a person's move is shown before the bot's move, in milliseconds.
const BOT_MOVE_DELAY = 450;

const byId = (id) => document.getElementById(id);
const header = new HeaderInput(byId("kind"), byId("header"), byId("header-help"));
const latest = new Latest();
const view = new GameView({ made: playMove, describe: (ply) => playerName(sideOf(ply)) });

// The game. `bot` is the bot's side, null between two people; `loser` is null while the game continues.
let state = readAddress();
// The state that the page shows. If a turn fails, `state` returns to this state.
let shown = state;
let hints = { steps: null, shown: 0 };
let loser = null;
// `pending`: the number of actions that have not ended. `turns`: the number of turns so far. `locked`: whether the last
// turn is not shown yet.
let [pending, turns, locked] = [0, 0, false];

const other = (side) => (side === "First" ? "Second" : "First");
const sideOf = (ply) => (ply % 2 === 1 ? "First" : "Second");
const toMove = () => sideOf(state.moves.length + 1);

function playerName(side) {
  if (state.bot === null) return side === "First" ? "Player 1" : "Player 2";
  return side === state.bot ? "The bot" : "You";
}

// Returns the game that the address names, so that a page that is loaded again continues its game.
function readAddress() {
  const given = new URLSearchParams(location.hash.slice(1));
  const level = ["easy", "normal", "perfect"].includes(given.get("level")) ? given.get("level") : "normal";
  const bot = ["First", "Second", "none"].includes(given.get("bot")) ? given.get("bot") : "Second";
  return {
    game: given.get("game") ?? "square 20",
    bot: bot === "none" ? null : bot,
    level,
    seed: /^\d{1,15}$/.test(given.get("seed")) ? Number(given.get("seed")) : newSeed(),
    moves: readMoves(given.get("moves")),
    resigned: given.get("resigned") === "yes",
  };
}

function writeAddress() {
  const { game, bot, level, seed, moves, resigned } = state;
  const fields = { game, bot: bot ?? "none", level, seed, moves: movesText(moves) };
  if (resigned) fields.resigned = "yes";
  history.replaceState(null, "", `#${new URLSearchParams(fields)}`);
  byId("to-analysis").href = `analysis#${new URLSearchParams({ game, moves: movesText(moves) })}`;
}

function newSeed() {
  return crypto.getRandomValues(new Uint32Array(1))[0];
}

const request = () => ({ game: state.game, moves: movesText(state.moves) });

// Asks for the position, and for the bot's move if it is the bot's turn, and shows them.
async function turn() {
  turns += 1;
  const number = turns;
  locked = true;
  showButtons();
  try {
    const { bot, level, seed, resigned } = state;
    const asked = { ...request(), bot: bot && !resigned ? { side: bot, level, seed } : null };
    const answer = await askTurn(asked);
    if (answer !== undefined) await showTurn(answer);
  } catch (error) {
    state = shown;
    throw error;
  } finally {
    if (number === turns) {
      locked = false;
      showButtons();
    }
  }
}

// Returns the position after the bot's move. A bot that needs too long is asked again to move without tables.
async function askTurn(asked) {
  try {
    return await latest.ask("turn", asked);
  } catch (error) {
    if (!error.isOutOfReach || asked.bot === null) throw error;
    return latest.ask("turn", { ...asked, bot: { ...asked.bot, hurried: true } });
  }
}

async function showTurn(answer) {
  view.refuse("");
  [hints, loser] = [{ steps: null, shown: 0 }, null];
  byId("hint-text").textContent = "";
  byId("review").hidden = true;
  const moving = state;
  if (answer.reply) {
    if (state.moves.length && !matchMedia("(prefers-reduced-motion: reduce)").matches) {
      view.show(answer.board, { ply: state.moves.length });
      showStatus("The bot moves.");
      await new Promise((done) => setTimeout(done, BOT_MOVE_DELAY));
    }
    // Another game may have begun meanwhile.
    if (state !== moving) return;
    state.moves.push(answer.reply.map(BigInt));
  }
  shown = state;
  loser = state.resigned ? toMove() : answer.loser;
  writeAddress();
  const isPersons = loser === null && toMove() !== state.bot;
  view.show(answer.board, isPersons ? { request: request(), rowTakes: answer.row_takes } : {});
  showStatus(statusText(answer));
  if (loser !== null) attempt(review);
}

// Enables the buttons that can be used now.
function showButtons() {
  view.busy(pending > 0);
  const canMove = !locked && loser === null && toMove() !== state.bot;
  allow("hint", canMove);
  allow("resign", canMove);
  allow("undo", !locked && (state.resigned || undoPlies() > 0));
}

function showStatus(text) {
  byId("status").textContent = text;
  const who = state.bot === null ? "two people" : `you are ${other(state.bot)}, the bot (${state.level}) is ${state.bot}`;
  byId("title").textContent = `${state.game}: ${who}`;
}

function statusText({ reply, unsolved }) {
  const done = reply && (view.isSinglePlace ? `takes ${reply[1]}` : moveDone(view.position.moves.at(-1)));
  const said = reply ? [`The bot ${done}.`] : [];
  if (unsolved) said.push("It could not compute who wins.");
  if (loser === null) {
    said.push(state.bot === null ? `${playerName(toMove())} is to move.` : "It is your turn.");
  } else {
    const [lost, won] = [playerName(loser), playerName(other(loser))];
    const has = (name) => (name === "You" ? "have" : "has");
    const isLastMove = isMisere(state.game) && !state.resigned;
    const why = state.resigned ? "resigned" : isLastMove ? "made the last move of misère play" : "no move left";
    const verb = isLastMove ? "" : `${has(lost)} `;
    said.push(`${won} ${has(won)} won: ${lost.replace("You", "you").replace("The", "the")} ${verb}${why}.`);
  }
  return said.join(" ");
}

// Makes a person's move. If the move is not legal, the judge refuses it.
function playMove(move) {
  if (locked) return;
  state = { ...state, moves: [...state.moves, move] };
  attempt(turn);
}

// Performs an action, and shows the error if it fails.
async function attempt(action) {
  pending += 1;
  showButtons();
  try {
    await action();
  } catch (error) {
    view.refuse(error.message);
  }
  pending -= 1;
  showButtons();
}

async function showHint() {
  if (!isAllowed("hint")) return;
  const asked = state;
  const steps = hints.steps ?? (await ask("hint", request()));
  if (state !== asked) return;
  hints = { steps, shown: Math.min(hints.shown + 1, steps.length) };
  const step = steps[hints.shown - 1];
  const texts = {
    lost: () => "No move wins against perfect play.",
    won: () => "A move wins from here.",
    heap: () => `A move in ${step.name} wins.`,
    move: () => `${view.moveWords(step.mv)} wins.`,
  };
  const more = hints.shown < steps.length ? " Ask again for more." : "";
  byId("hint-text").textContent = `Hint ${hints.shown} of ${steps.length}: ${texts[step.kind]()}${more}`;
  if (step.kind === "move") view.picker.set(...step.mv.map(BigInt));
}

// Returns how many moves `undo` takes back: a person's last move, and the bot's reply to it.
function undoPlies() {
  if (state.resigned) return 0;
  const plies = state.bot !== null && toMove() !== state.bot ? 2 : 1;
  return state.moves.length >= plies ? plies : 0;
}

function undo() {
  if (!isAllowed("undo")) return;
  const moves = state.resigned ? state.moves : state.moves.slice(0, -undoPlies());
  state = { ...state, moves, resigned: false };
  attempt(turn);
}

function resign() {
  if (!isAllowed("resign")) return;
  state = { ...state, resigned: true };
  attempt(turn);
}

// Shows why the game was lost, and every blunder.
async function review() {
  const reviewed = state;
  const answer = await ask("review", { ...request(), loser, bot: state.bot });
  if (state !== reviewed) return;
  byId("review-text").textContent = answer.text;
  const { blunders } = answer.evaluation;
  const items = blunders.map(({ ply, better }) => {
    const item = element("li");
    const move = view.position.moves[ply - 1];
    const kept = better ? `; ${view.moveWords(better)} would have kept it` : "";
    const text = `Move ${ply}: ${playerName(sideOf(ply))} threw the win away by ${view.moveWords([move.place, move.take])}${kept}.`;
    const button = item.appendChild(element("button", "", text));
    button.type = "button";
    // Show the position before the blunder, in which another move wins.
    button.addEventListener("click", () => view.look(ply - 1));
    return item;
  });
  byId("blunders").replaceChildren(...items);
  byId("review").hidden = false;
}

async function save(form, kind) {
  const { bot, level, resigned } = state;
  const { name, content } = await ask("save", { ...request(), bot: bot && { side: bot, level }, resigned, form });
  saveFile(name, kind, content);
}

// Starts a new game with the settings of the form.
function start() {
  const level = byId("opponent").value;
  state = {
    game: header.value,
    bot: level ? other(byId("own-side").value) : null,
    level: level || state.level,
    seed: newSeed(),
    moves: [],
    resigned: false,
  };
  attempt(turn);
}

function showSetup() {
  header.value = state.game;
  byId("opponent").value = state.bot === null ? "" : state.level;
  byId("own-side").value = state.bot === null ? "First" : other(state.bot);
  byId("side-choice").hidden = state.bot === null;
}

byId("hint").addEventListener("click", () => attempt(showHint));
byId("undo").addEventListener("click", undo);
byId("resign").addEventListener("click", resign);
byId("again").addEventListener("click", () => {
  state = { ...state, seed: newSeed(), moves: [], resigned: false };
  attempt(turn);
});
byId("opponent").addEventListener("change", () => {
  byId("side-choice").hidden = byId("opponent").value === "";
});
byId("setup").addEventListener("submit", (event) => {
  event.preventDefault();
  start();
});
byId("save-page").addEventListener("click", () => attempt(() => save("page", "text/html")));
byId("save-transcript").addEventListener("click", () => attempt(() => save("transcript", "application/x-ndjson")));
document.addEventListener("keydown", ({ key, target, ctrlKey, altKey, metaKey }) => {
  if (ctrlKey || altKey || metaKey || target.closest("input, select")) return;
  if (/^h$/i.test(key)) attempt(showHint);
  if (/^u$/i.test(key)) undo();
});
window.addEventListener("hashchange", () => {
  state = readAddress();
  showSetup();
  attempt(turn);
});

showSetup();
attempt(turn);
