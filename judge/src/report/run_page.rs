//! The page of a run: its verdict, the conversation in two columns with the time before each line, and the programs.
//! The page needs no script.

use std::collections::VecDeque;
use std::fmt::Write;

use itertools::Itertools;
use runner::escape::{printable, shell_word};
use runner::relay::Side;

use crate::conversation::interaction::{Interaction, Step};
use crate::conversation::verdict::Verdict;
use crate::report::page::static_page;
use crate::report::rows::{Row, Rows};
use crate::report::run::{RefereeReport, RunReport};
use crate::report::transcript::RunSetup;
use crate::text::html_escaped;

/// Maximum size of the first rows, and of the last rows, in bytes of HTML, so that a page stays below a megabyte.
const MAX_ROWS_SIZE: usize = 400_000;

/// Minimum time since the previous row, in milliseconds, that is marked as long.
const LONG_WAIT: f64 = 100.0;

/// The rows of a conversation, as HTML.
#[derive(Default)]
pub(crate) struct PageRows {
    rows: Rows,
    kept: KeptRows,
}

/// Rows in HTML. Of many rows, only the first and the last are kept.
#[derive(Default)]
struct KeptRows {
    first: String,
    last: VecDeque<String>,
    /// The size of the last rows, in bytes.
    last_size: usize,
    omitted: u64,
}

impl KeptRows {
    fn push(&mut self, row: String) {
        if self.last.is_empty() && self.first.len() + row.len() <= MAX_ROWS_SIZE {
            self.first += &row;
            return;
        }
        self.last_size += row.len();
        self.last.push_back(row);
        while self.last_size > MAX_ROWS_SIZE {
            let Some(row) = self.last.pop_front() else { return };
            self.last_size -= row.len();
            self.omitted += 1;
        }
    }
}

impl PageRows {
    /// Returns the rows of a run that consists of these passes.
    pub(crate) fn of(passes: &[Interaction]) -> Self {
        let mut rows = Self::default();
        for (pass, interaction) in (1..).zip(passes) {
            if pass > 1 {
                rows.begin_pass(pass);
            }
            interaction.steps().iter().for_each(|step| rows.add(step));
        }
        rows
    }

    /// Adds the rows that this step completes.
    pub(crate) fn add(&mut self, step: &Step) {
        self.rows.add(step).for_each(|row| self.kept.push(html(&row)));
    }

    /// Begins another pass.
    pub(crate) fn begin_pass(&mut self, number: u32) {
        self.end_pass();
        self.kept.push(format!("<tr><th colspan=4>Pass {number}\n"));
    }

    fn end_pass(&mut self) {
        for row in std::mem::take(&mut self.rows).end() {
            self.kept.push(html(&row));
        }
    }

    /// Returns the page of the run.
    pub(crate) fn page(mut self, setup: &RunSetup, line: &RunReport) -> String {
        self.end_pass();
        let title = format!("{} {}", line.verdict, printable(&line.name()));
        static_page(&title, STYLE, &self.body(setup, line))
    }

    fn body(&self, setup: &RunSetup, line: &RunReport) -> String {
        let text = |text: &str| html_escaped(&printable(text));
        let class = if line.verdict == Verdict::Accepted { "verdict won" } else { "verdict" };
        let mut body = format!(
            "<main>\n<h1><span class=\"{class}\">{}</span> {}</h1>\n<p>{}</p>\n",
            line.verdict,
            text(&line.name()),
            text(&line.reason)
        );
        for (label, lines) in [("Why", &line.why), ("What to do", &line.advice)] {
            body.extend(lines.iter().map(|line| format!("<p>{label}: {}</p>\n", text(line))));
        }
        body += "<p><a href=\"#end\">Where it ended</a></p>\n<table id=\"conversation\">\n<thead><tr>\
                 <th scope=\"col\">ms<th scope=\"col\">After<th scope=\"col\">Interactor<th scope=\"col\">Bot</thead>\n<tbody>\n";
        let KeptRows { first, last, omitted, .. } = &self.kept;
        body += first;
        if *omitted > 0 {
            let _ = writeln!(body, "<tr class=event><td colspan=4>{omitted} rows are left out here");
        }
        body.extend(last.iter().map(String::as_str));
        body += "</table>\n<p id=\"end\">The run ended here.</p>\n";
        let bot = setup.bot.iter().map(|word| shell_word(word).unwrap_or_else(|_| word.clone())).join(" ");
        let again = line.command.as_deref().unwrap_or("The command is not valid UTF-8 and cannot be shown.");
        let referee = line.referee.as_ref();
        let parts = [
            ("Run it again", again.to_owned()),
            ("The bot", bot),
            ("The interactor", referee.map_or_else(String::new, RefereeReport::shell_command)),
            ("Times and memory of the bot", line.statistics()),
            ("The bot's stderr", line.stderr().join("\n")),
            (
                "The interactor's stderr",
                referee.map_or_else(String::new, |referee| referee.program.stderr.join("\n")),
            ),
        ];
        for (heading, content) in parts {
            if !content.is_empty() {
                let content = content.lines().map(text).join("\n");
                let _ = writeln!(body, "<h2>{heading}</h2>\n<pre>{content}</pre>");
            }
        }
        body + "</main>\n"
    }
}

/// Returns a row of the table. HTML allows omitting the end tags of rows and cells.
fn html(row: &Row) -> String {
    let ms = |time: std::time::Duration| time.as_secs_f64() * 1e3;
    let class = if row.is_line { "" } else { " class=event" };
    let waited = ms(row.waited);
    let long = if waited >= LONG_WAIT { " class=long" } else { "" };
    let empty = if row.side == Side::Bot { "<td>" } else { "" };
    format!("<tr{class}><td>{:.1}<td{long}>{waited:.1}{empty}<td>{}\n", ms(row.at), html_escaped(&row.text))
}

/// The style of this page. In the HTML it comes after the style of all pages.
const STYLE: &str = include_str!("conversation.css");

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use runner::event::{Bytes, Event};

    use super::*;

    fn step(ms: u64, text: &[u8]) -> Step {
        let event = Event::Received(Bytes(text.to_vec()));
        Step { at: Duration::from_millis(ms), side: Side::Bot, event }
    }

    #[test]
    fn rows_are_text_and_never_markup() {
        let mut rows = PageRows::default();
        rows.add(&step(1, b"<script>alert(1)</script>\n"));
        rows.add(&step(1001, b"\x1b[1m&\n"));
        assert_eq!(
            rows.kept.first,
            "<tr><td>1.0<td>1.0<td><td>&lt;script&gt;alert(1)&lt;/script&gt;\n\
             <tr><td>1001.0<td class=long>1000.0<td><td>\\u{1b}[1m&amp;\n"
        );
    }

    #[test]
    fn a_long_conversation_keeps_its_first_and_last_rows() {
        let mut rows = PageRows::default();
        for number in 0..100_000 {
            rows.add(&step(number, format!("line {number}\n").as_bytes()));
        }
        let KeptRows { first, last, last_size, omitted } = rows.kept;
        assert!(first.contains("<td>line 0\n") && last.back().unwrap().contains("<td>line 99999\n"));
        assert_eq!(omitted, 100_000 - (first.lines().count() + last.len()) as u64);
        assert!(first.len() + last_size <= 2 * MAX_ROWS_SIZE && last_size > MAX_ROWS_SIZE / 2, "{last_size}");
    }
}
