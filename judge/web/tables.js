// Tables of a game's heaps: a picture, and the summary with the period.
import { askText } from "./request.js";

const byId = (id) => document.getElementById(id);
// Games whose table is who wins unless the nimbers are asked for, and those whose period can be looked for.
const HAS_OUTCOMES = /^square\b/;
const HAS_PERIOD = /^(segment|octal|subtract)\b/;
let [address, asked] = [null, 0];

async function show() {
  asked += 1;
  const number = asked;
  byId("message").textContent = "";
  byId("state").textContent = "Computing ...";
  byId("main").setAttribute("aria-busy", "true");
  try {
    const game = byId("game").value.trim();
    const plot = byId("plot").value;
    const to = readNumber("to", "sizes");
    history.replaceState(null, "", `#${new URLSearchParams({ game, to, plot })}`);
    const nimber = HAS_OUTCOMES.test(game) && plot !== "" && plot !== "outcomes";
    const modulus = plot === "residues" ? readNumber("modulus", "P") : undefined;
    const picture = plot && (await askText("table", { game, to, plot, modulus, nimber, width: pictureWidth() }));
    const summary = await askText("table", { game, to, period: HAS_PERIOD.test(game), nimber });
    if (number !== asked) return;
    showPicture(picture, game, to);
    byId("summary").textContent = summary;
    byId("state").textContent = "";
  } catch (error) {
    if (number !== asked) return;
    byId("message").textContent = error.message;
    byId("state").textContent = "";
  }
  byId("main").setAttribute("aria-busy", "false");
}

// The width that a plot has on this page: its text is not made smaller to fit.
function pictureWidth() {
  return Math.round(Math.min(960, Math.max(280, byId("main").clientWidth)));
}

// A picture is shown as an image, in which no script runs.
function showPicture(svg, game, to) {
  if (address) URL.revokeObjectURL(address);
  address = svg ? URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" })) : null;
  byId("picture").hidden = !svg;
  if (!svg) return byId("plot-image").removeAttribute("src");
  byId("plot-image").src = address;
  const what = byId("plot").selectedOptions[0].textContent;
  byId("plot-image").alt = `${game}, sizes up to ${to}: ${what}. The summary below has the figures.`;
}

function readNumber(id, what) {
  const text = byId(id).value.trim();
  if (!/^\d{1,9}$/.test(text)) throw new Error(`Expected a number for ${what}, got "${text}".`);
  return Number(text);
}

function readAddress() {
  const given = new URLSearchParams(location.hash.slice(1));
  byId("game").value = given.get("game") ?? "segment 1 2";
  byId("to").value = given.get("to") ?? "200";
  const plot = given.get("plot");
  if (plot !== null && [...byId("plot").options].some(({ value }) => value === plot)) byId("plot").value = plot;
  byId("modulus-choice").hidden = byId("plot").value !== "residues";
}

byId("setup").addEventListener("submit", (event) => {
  event.preventDefault();
  show();
});
byId("plot").addEventListener("change", () => {
  byId("modulus-choice").hidden = byId("plot").value !== "residues";
});
window.addEventListener("hashchange", () => {
  readAddress();
  show();
});
readAddress();
show();
