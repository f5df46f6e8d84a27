// The page of known games, with links to play each game and to draw its table.
import { element, grouped } from "./board.js";
import { ask } from "./request.js";

const byId = (id) => document.getElementById(id);

// Returns a link. Its rules are hidden and only read by screen readers, because the row of the table already shows
// them.
function link(text, rules, page, fields) {
  const made = element("a", "", text);
  if (rules) made.append(element("span", "hidden", ` ${rules}`));
  made.href = `${page}#${new URLSearchParams(fields)}`;
  return made;
}

// Returns a header with these rules and a row that is long enough to play.
function playable(rules) {
  const [kind, ...words] = rules.split(" ");
  return kind === "segment" ? `segment ${Math.max(12, 4 * words[1])} ${words.join(" ")}` : `${rules} 15`;
}

function periodText(period, to) {
  if (period === null) return [`none up to n = ${grouped(to)}`, ""];
  return [grouped(BigInt(period.length)), grouped(BigInt(period.start))];
}

function row({ name, rules, playable: isPlayable, period, status }, to, withName) {
  const made = element("tr");
  const head = element("th", "", withName ? name : rules);
  head.scope = "row";
  made.append(head);
  if (withName) made.append(element("td", "", rules));
  for (const text of periodText(period, to)) made.append(element("td", "", text));
  made.append(element("td", "", status));
  const links = element("td", "links");
  if (isPlayable) links.append(link("Play", rules, "./", { game: playable(rules) }), ", ");
  links.append(link("Table", rules, "tables", { game: rules, to: 200, plot: "scatter" }));
  made.append(links);
  return made;
}

function fill(id, games, to, withName) {
  const head = element("tr");
  const names = [...(withName ? ["Name"] : []), "Game", "Period", "Pre-period", "Status", "Look"];
  head.append(...names.map((name) => {
    const cell = element("th", "", name);
    cell.scope = "col";
    return cell;
  }));
  byId(id).replaceChildren(head, ...games.map((game) => row(game, to, withName)));
}

async function show() {
  try {
    const { named, windows, codes, open, to } = await ask("games", {});
    fill("named", named, to, true);
    fill("windows", windows, to, false);
    fill("codes", codes, to, false);
    const links = open.flatMap((code) => [link(code, "", "tables", { game: `octal ${code}`, to: 1000, plot: "scatter" }), " "]);
    byId("open").replaceChildren(...links);
  } catch (error) {
    byId("message").textContent = error.message;
  }
  byId("state").textContent = "";
  byId("main").setAttribute("aria-busy", "false");
}

show();
