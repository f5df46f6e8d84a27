// The replay of the game whose data the page contains.
import { Replay } from "./replay.js";

new Replay(JSON.parse(document.getElementById("data").textContent));
