// The analysis of a position: who wins, the nimber of each heap, and the moves that win.
import { element } from "./board.js";
import { GameView, allow, movesText, readMoves } from "./game.js";
import { HeaderInput, isMisere } from "./header.js";
import { Latest } from "./request.js";

const byId = (id) => document.getElementById(id);
const header = new HeaderInput(byId("kind"), byId("header"), byId("header-help"));
const [turns, analyses] = [new Latest(), new Latest()];
const sideOf = (ply) => (ply % 2 === 1 ? "First" : "Second");
const view = new GameView({ made: playMove, describe: sideOf });
let state = readAddress();
// The state that the page shows. If the judge refuses a new state, `state` returns to this state.
let shown = state;
view.board.withNimbers = true;

function readAddress() {
  const given = new URLSearchParams(location.hash.slice(1));
  return { game: given.get("game") ?? "segment 20 3 5 + nim 3 5", moves: readMoves(given.get("moves")) };
}

const request = () => ({ game: state.game, moves: movesText(state.moves) });

// Shows the position, and then its analysis, which may take longer.
async function show() {
  view.busy(true);
  const turn = await turns.ask("turn", { ...request(), bot: null });
  if (turn === undefined) return;
  shown = state;
  const asked = request();
  history.replaceState(null, "", `#${new URLSearchParams(asked)}`);
  byId("to-play").href = `./#${new URLSearchParams({ game: state.game })}`;
  const how = turn.loser === null ? { request: asked, rowTakes: turn.row_takes } : {};
  view.refuse("");
  view.board.withNimbers = !isMisere(state.game);
  view.show(turn.board, how);
  byId("title").textContent = state.game;
  byId("status").textContent = turn.loser === null ? `${turn.to_move} is to move.` : isMisere(state.game) ? `${turn.to_move} has no move, and has won: this is misère play.` : `${turn.loser} has no move, and has lost.`;
  allow("undo", state.moves.length > 0);
  byId("verdict").textContent = "Computing ...";
  byId("winning").replaceChildren();
  byId("notes").replaceChildren();
  const analysis = await analyses.ask("analysis", asked);
  if (analysis === undefined) return;
  const typed = byId("move").value;
  view.show(analysis.board, how);
  if (document.activeElement === byId("move")) byId("move").value = typed;
  showAnalysis(analysis, turn.to_move);
  view.busy(false);
}

function showAnalysis({ won, nimber, winning_moves, winning_moves_total, notes }, side) {
  const other = side === "First" ? "Second" : "First";
  const values = nimber === null ? "; the nimber is out of reach" : `; the nimber is ∗${nimber}`;
  const count = winning_moves_total === null ? "the number of winning moves is out of reach" : `${winning_moves_total} winning ${winning_moves_total === "1" ? "move" : "moves"}`;
  byId("verdict").textContent = `${won ? side : other} wins with perfect play${isMisere(state.game) ? "" : values}${won ? `; ${count}` : ""}.`;
  const buttons = winning_moves.map((move) => {
    const button = element("button", "", view.moveWords(move));
    button.type = "button";
    button.addEventListener("click", () => playMove(move.map(BigInt)));
    return button;
  });
  const isAll = winning_moves_total === String(winning_moves.length);
  if (won && !isAll) buttons.push(element("span", "key", `${winning_moves.length} of them are listed.`));
  byId("winning").replaceChildren(...buttons);
  byId("notes").replaceChildren(...notes.map((note) => element("li", "", note)));
}

function playMove(move) {
  state = { ...state, moves: [...state.moves, move] };
  attempt();
}

// Shows `state`. If that fails, returns to the state that was shown last, and shows the error.
async function attempt() {
  try {
    await show();
  } catch (error) {
    view.busy(false);
    state = shown;
    if (byId("verdict").textContent === "Computing ...") byId("verdict").textContent = error.message;
    else view.refuse(error.message);
  }
}

function undo() {
  if (state.moves.length === 0) return;
  state = { ...state, moves: state.moves.slice(0, -1) };
  attempt();
}

byId("undo").addEventListener("click", undo);
byId("setup").addEventListener("submit", (event) => {
  event.preventDefault();
  state = { game: header.value, moves: [] };
  byId("verdict").textContent = "";
  attempt();
});
document.addEventListener("keydown", ({ key, target, ctrlKey, altKey, metaKey }) => {
  if (!ctrlKey && !altKey && !metaKey && !target.closest("input, select") && /^u$/i.test(key)) undo();
});
window.addEventListener("hashchange", () => {
  state = readAddress();
  header.value = state.game;
  attempt();
});

header.value = state.game;
attempt();
