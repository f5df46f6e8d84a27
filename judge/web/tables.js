// Tables of a game's heaps: a picture, and the summary with the period.
import { OUTCOME_GAMES, TABLES } from "./registry.js";
import { askText } from "./request.js";

const byId = (id) => document.getElementById(id);
// The games whose period can be searched for. Games whose takes grow with the pile, as in 1..n/2, have no such search.
const HAS_PERIOD = /^(segment|octal|subtract)\b(?!.*\/)/;
// How long the window must keep a new width before a plot is drawn for it, in milliseconds.
const REDRAW_DELAY = 200;
// The plot that is shown, with its request and the width for which it was drawn.
let plotted = null;
let [address, asked, isComputing, resized] = [null, 0, false, null];

async function show() {
  asked += 1;
  const number = asked;
  clearTimeout(resized);
  byId("message").textContent = "";
  byId("state").textContent = "Computing ...";
  isComputing = true;
  setBusy(true);
  try {
    const game = byId("game").value.trim();
    const plot = byId("plot").value;
    const to = readNumber("to", "sizes");
    history.replaceState(null, "", `#${new URLSearchParams({ game, to, plot })}`);
    const nimber = OUTCOME_GAMES.includes(game.split(/\s+/)[0]) && plot !== "" && plot !== "outcomes";
    const modulus = plot === "residues" ? readNumber("modulus", "P") : undefined;
    const drawn = plot && (await draw({ game, to, plot, modulus, nimber }));
    const summary = await askText("table", { game, to, period: HAS_PERIOD.test(game), nimber });
    if (number !== asked) return;
    showPicture(drawn);
    byId("summary").textContent = summary;
    byId("state").textContent = "";
  } catch (error) {
    if (number !== asked) return;
    byId("message").textContent = error.message;
    byId("state").textContent = "";
  }
  isComputing = false;
  fitPicture();
}

function setBusy(isBusy) {
  byId("main").setAttribute("aria-busy", String(isBusy));
}

// Returns the width of a plot on this page. A plot is drawn at this width and not scaled, so its text stays readable.
function pictureWidth() {
  return Math.round(Math.min(960, Math.max(280, byId("main").clientWidth)));
}

// Asks the judge for a plot at the present width.
async function draw(question) {
  const width = pictureWidth();
  return { question, width, svg: await askText("table", { ...question, width }) };
}

// A plot is shown as an image, in which no script runs.
function showPicture(drawn) {
  if (address) URL.revokeObjectURL(address);
  plotted = drawn || null;
  address = drawn ? URL.createObjectURL(new Blob([drawn.svg], { type: "image/svg+xml" })) : null;
  byId("picture").hidden = !drawn;
  if (!drawn) return byId("plot-image").removeAttribute("src");
  byId("plot-image").src = address;
  const { game, to, plot } = drawn.question;
  const what = [...byId("plot").options].find(({ value }) => value === plot).textContent;
  byId("plot-image").alt = `${game}, sizes up to ${to}: ${what}. The summary below has the figures.`;
}

// Draws the plot again if the width of the page has changed, after the width has been stable for `REDRAW_DELAY`
// milliseconds.
function fitPicture() {
  if (isComputing) return;
  clearTimeout(resized);
  const fits = !plotted || plotted.width === pictureWidth();
  setBusy(!fits);
  if (!fits) resized = setTimeout(redraw, REDRAW_DELAY);
}

// Draws the plot again at the present width. If that fails, the plot stays as it is.
async function redraw() {
  const number = asked;
  const drawn = await draw(plotted.question).catch(() => plotted);
  if (number !== asked) return;
  showPicture(drawn);
  setBusy(false);
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
window.addEventListener("resize", fitPicture);
window.addEventListener("hashchange", () => {
  readAddress();
  show();
});
byId("examples").replaceChildren(...TABLES.map((game) => new Option("", game)));
readAddress();
show();
