// Tables of a game's heaps: a picture, and the summary with the period.
import { OUTCOME_GAMES, TABLES } from "./registry.js";
import { askText } from "./request.js";

const byId = (id) => document.getElementById(id);
// Games whose period can be looked for: not those in which the takes grow with the pile, as in 1..n/2.
const HAS_PERIOD = /^(segment|octal|subtract)\b(?!.*\/)/;
// How long the window must keep a new width before a plot is drawn for it, in milliseconds.
const REST = 200;
// What the plot shows, and for which width it was drawn.
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

// The width that a plot has on this page: its text is not made smaller to fit.
function pictureWidth() {
  return Math.round(Math.min(960, Math.max(280, byId("main").clientWidth)));
}

// The plot that answers a question, for the present width.
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

// Draws the plot again if the page has another width than it was drawn for, once that has stayed for a moment.
function fitPicture() {
  if (isComputing) return;
  clearTimeout(resized);
  const fits = !plotted || plotted.width === pictureWidth();
  setBusy(!fits);
  if (!fits) resized = setTimeout(redraw, REST);
}

// Where the plot cannot be drawn again, it stays as it is.
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
