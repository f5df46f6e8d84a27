// The page of a transcript file: the list of its games, and the replay of one game.
import { element } from "./board.js";
import { Replay } from "./replay.js";
import { askRaw } from "./request.js";

// Maximum number of games that are listed.
const MAX_GAMES = 2000;

// Maximum size of a game that the judge accepts, in bytes.
const MAX_BYTES = 1 << 20;

const byId = (id) => document.getElementById(id);
let [replay, file, games] = [null, null, []];

// Returns the games of a file, with the first byte and the end of each game in the file. The first line of a game
// begins with {"transcript". The file is read in pieces.
async function findGames(file) {
  const found = [];
  const decoder = new TextDecoder("latin1");
  let [start, text] = [0, ""];
  for await (const bytes of file.stream()) {
    text += decoder.decode(bytes, { stream: true });
    for (let end = text.indexOf("\n"); end >= 0; end = text.indexOf("\n")) {
      addLine(found, text.slice(0, 300), start, start + end + 1);
      [start, text] = [start + end + 1, text.slice(end + 1)];
    }
  }
  return found;
}

// Adds a line to the games. `begin` is the beginning of the line's text. The line's bytes in the file begin at `from`
// and end before `to`.
function addLine(found, begin, from, to) {
  if (begin.startsWith('{"transcript"')) {
    const game = /"game":"([^"\\]*)"/.exec(begin)?.[1] ?? "a game";
    found.push({ game, from, to, verdict: "" });
  } else if (found.length) {
    const last = found[found.length - 1];
    last.to = to;
    if (begin.startsWith('{"verdict"')) last.verdict = /"verdict":"([A-Z_]+)"/.exec(begin)?.[1] ?? "";
  }
}

async function open(opened) {
  byId("message").textContent = "";
  byId("found").textContent = "Reading ...";
  try {
    [file, games] = [opened, await findGames(opened)];
    if (!games.length) throw new Error("Expected a transcript of the judge, got a file without a game.");
    const listed = games.length > MAX_GAMES ? `, of which the first ${MAX_GAMES} are listed` : "";
    byId("found").textContent = `${file.name}: ${games.length} ${games.length === 1 ? "game" : "games"}${listed}.`;
    listGames();
    await showGame(0);
  } catch (error) {
    byId("found").textContent = "";
    byId("message").textContent = error.message;
  }
}

function listGames() {
  const items = games.slice(0, MAX_GAMES).map(({ game, verdict }, index) => {
    const item = element("li");
    const button = item.appendChild(element("button", "", `${verdict} ${game}`.slice(0, 120).trim()));
    button.type = "button";
    button.addEventListener("click", () => showGame(index));
    return item;
  });
  byId("games").replaceChildren(...(games.length > 1 ? items : []));
}

async function showGame(index) {
  byId("message").textContent = "";
  try {
    const { from, to } = games[index];
    if (to - from > MAX_BYTES) {
      throw new Error("This game is larger than 1 MiB: judge replay --html shows it as a page.");
    }
    const data = await askRaw("replay", file.slice(from, to));
    replay?.close();
    byId("replay").hidden = false;
    replay = new Replay(data);
    for (const button of byId("games").querySelectorAll("button")) button.ariaCurrent = null;
    const button = byId("games").children[index]?.querySelector("button");
    if (button) button.ariaCurrent = "true";
  } catch (error) {
    byId("message").textContent = error.message;
  }
}

byId("file").addEventListener("change", () => byId("file").files[0] && open(byId("file").files[0]));
document.addEventListener("dragover", (event) => event.preventDefault());
document.addEventListener("drop", (event) => {
  event.preventDefault();
  if (event.dataTransfer.files[0]) open(event.dataTransfer.files[0]);
});
