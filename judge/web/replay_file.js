// The replay of the game that is in the page itself.
import { Replay } from "./replay.js";

new Replay(JSON.parse(document.getElementById("data").textContent));
