//! The page of a game or a run: its verdict and why, the lines of both sides with the wait before each, the programs and
//! what they used. The page of a game also has the board, which needs a script. A page is a single file, which loads
//! nothing from a network.

pub(crate) mod game;

mod board;

use std::collections::VecDeque;
use std::fmt::Write;

use hmac_sha256::Hash;
use itertools::Itertools;
use runner::escape::{printable, shell_word};
use runner::relay::Side;

use crate::conversation::role::Role;
use crate::json::from_ms;
use crate::report::conversation_rows::{RowKind, ShownRow, ShownRows};
use crate::report::run::{ProgramReport, RefereeReport, RunReport, shown_command};
use crate::report::transcript::{Part, RunSetup};
use crate::text::html_escaped;
use crate::units::{in_mib, in_ms};

/// Minimum time since the previous row, in milliseconds, that is marked as long.
const LONG_WAIT: f64 = 100.0;

const STYLE: &str = concat!(include_str!("../../../web/page.css"), include_str!("../../../web/run.css"));

/// The rows of a page. The first and the last are kept, up to a number of bytes of HTML, so that a page stays below a
/// megabyte.
pub(crate) struct PageRows {
    rows: ShownRows,
    first: Vec<ShownRow>,
    room_for_first: usize,
    last: VecDeque<ShownRow>,
    room_for_last: usize,
    omitted: u64,
    /// About how many bytes a row has besides its text.
    markup: usize,
}

impl PageRows {
    pub(crate) fn of_run() -> Self {
        Self::new(400_000, 400_000, 40)
    }

    /// Creates the rows of a game, whose page has also the data of the board.
    pub(crate) fn of_game() -> Self {
        Self::new(450_000, 50_000, 100)
    }

    fn new(room_for_first: usize, room_for_last: usize, markup: usize) -> Self {
        let (rows, first, last, omitted) = Default::default();
        Self { rows, first, room_for_first, last, room_for_last, omitted, markup }
    }

    fn size(&self, row: &ShownRow) -> usize {
        self.markup + html_escaped(&row.text).len()
    }

    pub(crate) fn add(&mut self, part: Part<'_>) {
        self.rows.add(part).into_iter().for_each(|row| self.push(row));
    }

    fn push(&mut self, row: ShownRow) {
        let size = self.size(&row);
        if let Some(room) = self.room_for_first.checked_sub(size) {
            self.room_for_first = room;
            self.first.push(row);
            return;
        }
        self.room_for_first = 0;
        while self.room_for_last < size {
            self.omitted += 1;
            let Some(oldest) = self.last.pop_front() else { return };
            self.room_for_last += self.size(&oldest);
        }
        self.room_for_last -= size;
        self.last.push_back(row);
    }

    fn html(mut self, html: impl FnMut(&ShownRow) -> String) -> String {
        self.rows.end().into_iter().for_each(|row| self.push(row));
        let first = self.first.len();
        let mut rows = self.first.iter().chain(&self.last).map(html);
        let mut table: String = rows.by_ref().take(first).collect();
        if self.omitted > 0 {
            let _ = writeln!(table, "<tr class=event><td colspan=4>{} rows are left out here", self.omitted);
        }
        table.extend(rows);
        table
    }

    pub(crate) fn page(self, setup: &RunSetup, run: &RunReport) -> String {
        let page = Page {
            run,
            referee: setup.role.name(),
            bot: &setup.bot,
            judge: &setup.judge,
            rows: self.html(html),
            game: None,
        };
        page.html()
    }
}

struct Page<'a> {
    run: &'a RunReport,
    referee: &'static str,
    bot: &'a [String],
    judge: &'a str,
    rows: String,
    game: Option<GamePart>,
}

/// What only the page of a game has: the data of the board, the bot's limits, and what the page leaves out.
struct GamePart {
    data: String,
    limits: String,
    notes: Vec<String>,
}

impl Page<'_> {
    fn html(&self) -> String {
        let title = format!("{} {}", self.run.ruling.verdict, printable(&self.run.name()));
        let body = format!("<main>\n{}{}{}</main>\n", self.head(), self.conversation(), self.about());
        match &self.game {
            None => document(&title, STYLE, &body, None),
            Some(game) => {
                let modules = [
                    include_str!("../../../web/position.js"),
                    include_str!("../../../web/board.js"),
                    include_str!("../../../web/replay.js"),
                ];
                let style =
                    [STYLE, include_str!("../../../web/board.css"), include_str!("../../../web/replay.css")];
                document(&title, &style.concat(), &body, Some((&modules, &game.data)))
            }
        }
    }

    fn head(&self) -> String {
        let run = self.run;
        let class = if run.ruling.verdict.is_success() { "verdict won" } else { "verdict" };
        let mut head = format!(
            "<h1><span class=\"{class}\">{}</span> {}</h1>\n<p>{}</p>\n",
            run.ruling.verdict,
            text(&run.name()),
            text(&run.ruling.reason)
        );
        let notes = run.ruling.notes.iter().map(|note| &note.reason);
        let review = run.review.iter().flat_map(|review| &review.text);
        let labelled = (run.ruling.why.iter().map(|why| ("Why", why)))
            .chain(run.ruling.advice.iter().map(|advice| ("What to do", advice)))
            .chain(notes.map(|note| ("Note", note)))
            .chain(review.map(|review| ("Review", review)));
        for (label, line) in labelled {
            let _ = writeln!(head, "<p>{label}: {}</p>", text(line));
        }
        head
    }

    fn conversation(&self) -> String {
        let (columns, begin) = match self.game {
            Some(_) => (
                "<th scope=\"col\">Move<th scope=\"col\">Then wins",
                concat!(
                    "<div id=\"parts\">\n",
                    include_str!("../../../web/board.html"),
                    "<div id=\"list\" tabindex=\"0\">\n"
                ),
            ),
            None => ("", "<p><a href=\"#end\">Where it ended</a></p>\n<div>\n"),
        };
        let mut table = format!(
            "{begin}<table id=\"conversation\">\n<thead><tr><th scope=\"col\">ms<th scope=\"col\">After\
             <th scope=\"col\">{}<th scope=\"col\">Bot{columns}</thead>\n<tbody id=\"rows\">\n{}</table>\n</div>\n",
            capitalized(self.referee),
            self.rows
        );
        table += if self.game.is_some() { "</div>\n" } else { "<p id=\"end\">The run ended here.</p>\n" };
        table
    }

    fn about(&self) -> String {
        let run = self.run;
        let bot = match self.bot {
            [] => "the bundled bot".to_owned(),
            words => words.iter().map(|word| shell_word(word).unwrap_or_else(|_| word.clone())).join(" "),
        };
        let mut about = String::new();
        add_part(&mut about, "again", "Run it again", &shown_command(run.command.as_deref()));
        add_part(&mut about, "bot", "The bot", &bot);
        for (role, command) in run.referee.iter().flat_map(RefereeReport::shell_commands) {
            let id = if role == Role::Checker { "checker" } else { "interactor" };
            add_part(&mut about, id, &capitalized(role.with_article()), &command);
        }
        let limits = self.game.as_ref().map(|game| game.limits.clone());
        let statistics = [run.statistics()].into_iter().chain(limits).join("\n");
        add_part(&mut about, "figures", "Times and memory", &statistics);
        about += &self.figures();
        add_part(&mut about, "stderr", "The bot's stderr", &run.stderr().join("\n"));
        if let Some(RefereeReport { role, program, .. }) = &run.referee {
            let heading = format!("{}'s stderr", capitalized(role.with_article()));
            add_part(&mut about, "interactor-stderr", &heading, &program.stderr.join("\n"));
        }
        if let Some(game) = &self.game {
            add_part(&mut about, "notes", "What this page leaves out", &game.notes.join("\n"));
        }
        let _ = writeln!(about, "<p class=\"quiet\">judge {}</p>", text(self.judge));
        about
    }

    fn figures(&self) -> String {
        let bots = (1..).zip(&self.run.passes).flat_map(|(pass, report)| {
            let name = if self.run.passes.len() > 1 { format!("bot, pass {pass}") } else { "bot".to_owned() };
            report.seats.iter().map(move |seat| (name.clone(), seat))
        });
        let referee = self.run.referee.iter();
        let referee = referee.map(|referee| (referee.role.name().to_owned(), &referee.program));
        let columns = ["Program", "CPU", "Wall", "Memory", "Processes", "Lines", "End"];
        let columns =
            columns.iter().format_with("", |column, f| f(&format_args!("<th scope=\"col\">{column}")));
        let mut table = format!("<table id=\"programs\">\n<thead><tr>{columns}</thead>\n<tbody>\n");
        for (name, program) in bots.chain(referee) {
            let ProgramReport { exit, cpu_ms, wall_ms, memory_kib, processes, lines, .. } = program;
            let cells = [
                cpu_ms.map(|cpu| in_ms(from_ms(cpu))),
                Some(in_ms(from_ms(*wall_ms))),
                memory_kib.map(|kib| in_mib(kib.saturating_mul(1 << 10))),
                processes.map(|count| count.to_string()),
                Some(lines.to_string()),
                Some(exit.map_or_else(|| "ended by the judge".to_owned(), |exit| exit.to_string())),
            ];
            let cells = cells.map(|cell| format!("<td>{}", text(cell.as_deref().unwrap_or("-")))).concat();
            let _ = writeln!(table, "<tr><th scope=\"row\">{name}{cells}");
        }
        table + "</table>\n"
    }
}

/// Adds a part of a page, unless its content is empty.
fn add_part(page: &mut String, id: &str, heading: &str, content: &str) {
    if !content.is_empty() {
        let content = content.lines().map(text).join("\n");
        let _ = writeln!(page, "<h2>{heading}</h2>\n<pre id=\"{id}\" tabindex=\"0\">{content}</pre>");
    }
}

fn capitalized(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map(|first| first.to_ascii_uppercase()).into_iter().chain(chars).collect()
}

fn text(text: &str) -> String {
    html_escaped(&printable(text))
}

/// Returns the cells of a row. HTML allows omitting the end tags of rows and cells.
fn cells(row: &ShownRow) -> String {
    let ms = |time: std::time::Duration| time.as_secs_f64() * 1e3;
    let waited = ms(row.waited);
    let long = if waited >= LONG_WAIT { " class=long" } else { "" };
    let empty = if row.side == Side::Bot { "<td>" } else { "" };
    format!("<td>{:.1}<td{long}>{waited:.1}{empty}<td>{}", ms(row.at), html_escaped(&row.text))
}

fn html(row: &ShownRow) -> String {
    match row.kind {
        RowKind::Pass => format!("<tr><th colspan=4>{}\n", capitalized(&row.text)),
        RowKind::Event => format!("<tr class=event>{}\n", cells(row)),
        RowKind::Line(_) => format!("<tr>{}\n", cells(row)),
    }
}

/// Returns a page with this title, which is text, and this body, which is HTML. The script has JavaScript modules, each
/// after those that it imports, and JSON that it reads from the element `data`. The modules are joined, so the names in
/// all must be unique.
fn document(title: &str, style: &str, body: &str, script: Option<(&[&str], &str)>) -> String {
    let (modules, data) = script.unwrap_or_default();
    // The policy forbids all loads, and allows only the script and the style with the nonce. The nonce is a hash of all
    // that the page shows, so nothing in it can contain the nonce.
    let nonce = format!("{:02x}", Hash::hash([title, body, data].concat().as_bytes()).iter().format(""));
    let policy = format!(
        "default-src 'none'; style-src 'nonce-{nonce}'; script-src 'nonce-{nonce}'; base-uri 'none'; form-action 'none'"
    );
    let scripts = script.map_or_else(String::new, |_| {
        // Escape `<`, which occurs only in JSON strings, so that the data cannot close the script element.
        let data = data.replace('<', "\\u003c");
        format!(
            "<script type=\"application/json\" id=\"data\">{data}</script>\n\
             <script type=\"module\" nonce=\"{nonce}\">{}</script>\n",
            joined(modules)
        )
    });
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
        <meta name=\"generator\" content=\"judge\">\n\
        <meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\">\n\
        <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
        <meta name=\"color-scheme\" content=\"light dark\">\n<title>{}</title>\n\
        <style nonce=\"{nonce}\">{style}</style>\n</head>\n<body>\n{body}{scripts}</body>\n</html>\n",
        html_escaped(title)
    )
}

/// Concatenates modules, without the lines that begin with `import` and without the word `export` at line starts.
fn joined(modules: &[&str]) -> String {
    let lines = modules.iter().flat_map(|module| module.lines());
    let lines = lines.filter(|line| !line.starts_with("import "));
    lines.flat_map(|line| [line.strip_prefix("export ").unwrap_or(line), "\n"]).collect()
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use runner::event::{Bytes, Event};

    use super::*;
    use crate::conversation::interaction::Step;

    fn step(ms: u64, text: &[u8]) -> Step {
        let event = Event::Received(Bytes(text.to_vec()));
        Step { at: Duration::from_millis(ms), side: Side::Bot, process: None, event }
    }

    #[test]
    fn rows_are_text_and_never_markup() {
        let mut rows = PageRows::of_run();
        rows.add(Part::Step(&step(1, b"<script>alert(1)</script>\n")));
        rows.add(Part::Step(&step(1001, b"\x1b[1m&\n")));
        assert_eq!(
            rows.html(html),
            "<tr><td>1.0<td>1.0<td><td>&lt;script&gt;alert(1)&lt;/script&gt;\n\
             <tr><td>1001.0<td class=long>1000.0<td><td>\\u{1b}[1m&amp;\n"
        );
    }

    #[test]
    fn a_long_conversation_keeps_its_first_and_last_rows() {
        let mut rows = PageRows::of_run();
        for number in 0..100_000 {
            rows.add(Part::Step(&step(number, format!("line {number}\n").as_bytes())));
        }
        let html = rows.html(html);
        assert!((600_000..1_000_000).contains(&html.len()), "{} bytes", html.len());
        assert!(html.lines().next().unwrap().ends_with("<td>line 0") && html.ends_with("<td>line 99999\n"));
        let omitted = 100_001 - html.lines().count();
        assert!(
            html.contains(&format!("\n<tr class=event><td colspan=4>{omitted} rows are left out here\n"))
        );
    }

    #[test]
    fn text_is_never_markup() {
        let title = "<script>alert(1)</script> & more";
        let data = "[\"</script><script>alert(1)</script><!--\"]";
        let page = document(title, "p {}", "<p></p>\n", Some((&["let a;\n"], data)));
        assert!(page.contains("<title>&lt;script&gt;alert(1)&lt;/script&gt; &amp; more</title>"), "{page}");
        assert!(page.contains(r#">["\u003c/script>\u003cscript>alert(1)\u003c/script>\u003c!--"]</script>"#));
        assert_eq!(page.matches("<script").count(), 2, "{page}");
    }

    #[test]
    fn modules_are_joined_into_one() {
        let modules = ["export const a = 1;\n", "import { a } from \"./a.js\";\nexport function b() {}\n"];
        assert_eq!(joined(&modules), "const a = 1;\nfunction b() {}\n");
    }
}
