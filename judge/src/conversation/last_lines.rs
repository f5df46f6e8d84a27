//! The last lines of a conversation, for messages.

use std::collections::VecDeque;
use std::mem;

use itertools::Itertools;
use runner::limits::LINE_LIMIT;
use runner::relay::Side;

use crate::text::shortened;

/// Maximum number of lines in a message. They include the last line of each program.
const MAX_SHOWN: usize = 6;

/// Number of lines of the bot after the interactor's last line that [`LastLines::leave_out_unread`] keeps.
const MAX_UNREAD: usize = 2;

/// Number of lines of a bot that do not show whether the programs take turns.
const FEW_LINES: usize = 3;

#[derive(Clone, Debug, Default)]
pub(crate) struct LastLines {
    /// The last turns, with enough lines of both programs. A turn has a program and the lines that it wrote before the other
    /// one went on: all, or the first [`MAX_UNREAD`] and the last [`MAX_SHOWN`].
    turns: VecDeque<(Side, Vec<Vec<u8>>)>,
    /// For each program the line that has no end yet.
    begun: [Vec<u8>; 2],
    bot_lines: usize,
    /// The first program that wrote two lines in turn, and the number of the bot's lines then.
    broken: Option<(Side, usize)>,
    /// Whether the interactor has written after that.
    goes_on: bool,
}

impl LastLines {
    /// Adds output of a program. Of a long line only the beginning is kept.
    pub(crate) fn add(&mut self, side: Side, mut output: &[u8]) {
        while let Some(end) = memchr::memchr(b'\n', output) {
            keep_start(&mut self.begun[side as usize], &output[..end]);
            self.end_line(side);
            output = &output[end + 1..];
        }
        keep_start(&mut self.begun[side as usize], output);
    }

    fn end_line(&mut self, side: Side) {
        let line = mem::take(&mut self.begun[side as usize]);
        self.bot_lines += usize::from(side == Side::Bot);
        self.goes_on |= self.broken.is_some() && side == Side::Interactor;
        match self.turns.back_mut() {
            Some((last, lines)) if *last == side => {
                self.broken.get_or_insert((side, self.bot_lines));
                if lines.len() == MAX_UNREAD + MAX_SHOWN {
                    lines.remove(MAX_UNREAD);
                }
                lines.push(line);
            }
            _ => {
                self.turns.push_back((side, vec![line]));
                if self.turns.len() > 2 * MAX_SHOWN {
                    self.turns.pop_front();
                }
            }
        }
    }

    /// Leaves out what the bot has written while the interactor, which has left some of it unread, was about to end: all
    /// but the first lines after the interactor's last line.
    pub(crate) fn leave_out_unread(&mut self) {
        if let Some((Side::Bot, lines)) = self.turns.back_mut()
            && lines.len() > MAX_UNREAD
        {
            lines.truncate(MAX_UNREAD);
            self.begun[Side::Bot as usize].clear();
        }
    }

    pub(crate) fn is_empty(&self, side: Side) -> bool {
        self.of(side).next().is_none()
    }

    /// Returns the number of the bot's first line that came before the reply to its line before, if each program had
    /// written one line after the other until then, and the interactor has gone on after it.
    pub(crate) fn first_before_reply(&self) -> Option<usize> {
        let (_, line) = self.broken.filter(|&(side, _)| side == Side::Bot && self.goes_on)?;
        (line > FEW_LINES).then_some(line)
    }

    pub(crate) fn last(&self, side: Side) -> Option<&[u8]> {
        self.of(side).last()
    }

    pub(crate) fn has_byte_order_mark(&self, side: Side) -> bool {
        self.of(side).any(|line| line.starts_with("\u{feff}".as_bytes()))
    }

    /// Returns whether a text contains one of the program's last lines. Lines without a letter are ignored.
    pub(crate) fn quotes_text(&self, side: Side, text: &str) -> bool {
        self.of(side).any(|line| {
            let line = String::from_utf8_lossy(line);
            line.contains(char::is_alphabetic) && text.contains(line.trim())
        })
    }

    /// Returns the lines for a message, in order, each group of consecutive lines after the name of their program.
    pub(crate) fn text(&self, bot: &str, interactor: &str) -> String {
        let mut lines = self.ended().map(|(side, line)| (side, quoted(line))).collect_vec();
        let begun = Side::BOTH.into_iter().zip(&self.begun).filter(|(_, line)| !line.is_empty());
        lines.extend(begun.map(|(side, line)| (side, quoted(line) + " without a newline")));
        let mut shown = lines.split_off(lines.len().saturating_sub(MAX_SHOWN));
        let is_other = |line: &(Side, String)| shown.iter().all(|shown| shown.0 != line.0);
        if let Some(last_of_other) = lines.into_iter().rfind(is_other) {
            shown[0] = last_of_other;
        }
        let name = |side| match side {
            Side::Bot => bot,
            Side::Interactor => interactor,
        };
        let turns = shown.chunk_by(|a, b| a.0 == b.0).map(|turn| {
            let lines = turn.iter().map(|(_, line)| line);
            format!("{} {}", name(turn[0].0), lines.format(", "))
        });
        let silent = Side::BOTH.into_iter().filter(|&side| self.is_empty(side));
        let silent = silent.map(|side| format!("{} nothing", name(side)));
        format!("the last lines: {}", turns.chain(silent).format(", "))
    }

    fn ended(&self) -> impl Iterator<Item = (Side, &[u8])> {
        self.turns.iter().flat_map(|(side, lines)| lines.iter().map(|line| (*side, &line[..])))
    }

    /// Returns the lines of a program that are kept, also the one that has no end yet.
    fn of(&self, side: Side) -> impl Iterator<Item = &[u8]> {
        let begun = Some(&self.begun[side as usize][..]).filter(|line| !line.is_empty());
        self.ended().filter(move |line| line.0 == side).map(|(_, line)| line).chain(begun)
    }
}

/// Adds to the beginning of a text, of which [`LINE_LIMIT`] bytes are kept.
pub(crate) fn keep_start(kept: &mut Vec<u8>, more: &[u8]) {
    let room = LINE_LIMIT.saturating_sub(kept.len());
    kept.extend(&more[..more.len().min(room)]);
}

/// Maximum number of bytes of a long text that a message quotes.
const MAX_QUOTED: usize = 40;

/// Returns the start of a text of any length for a message: quoted, escaped and shortened.
pub(crate) fn quoted_start(text: &[u8]) -> String {
    quoted(&text[..text.len().min(MAX_QUOTED)])
}

pub(crate) fn quoted(line: &[u8]) -> String {
    format!("{:?}", shortened(&String::from_utf8_lossy(line)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn last_lines(output: &[(Side, &str)]) -> LastLines {
        let mut lines = LastLines::default();
        for (side, output) in output {
            lines.add(*side, output.as_bytes());
        }
        lines
    }

    /// The oldest lines are left out, but not the only line of a program.
    #[test]
    fn lines_that_are_shown() {
        use Side::{Bot, Interactor};
        let eight = "1\n2\n3\n4\n5\n6\n7\n8\n";
        let rows: [(&[_], _); 5] = [
            (&[], "bot nothing, interactor nothing"),
            (&[(Interactor, "1\n2\n")], r#"interactor "1", "2", bot nothing"#),
            (
                &[(Bot, "? "), (Interactor, "8\n"), (Bot, "5\n! 6"), (Interactor, "=\n")],
                r#"interactor "8", bot "? 5", interactor "=", bot "! 6" without a newline"#,
            ),
            (&[(Bot, "a\nb\n"), (Interactor, eight)], r#"bot "b", interactor "4", "5", "6", "7", "8""#),
            (&[(Interactor, "0\n"), (Bot, eight)], r#"interactor "0", bot "4", "5", "6", "7", "8""#),
        ];
        for (output, expected) in rows {
            let lines = last_lines(output);
            assert_eq!(lines.text("bot", "interactor"), format!("the last lines: {expected}"));
        }
    }

    /// Checks that the lines to which the interactor objected stay when the bot goes on.
    #[test]
    fn lines_that_nobody_read_are_left_out() {
        use Side::{Bot, Interactor};
        let mut lines = last_lines(&[(Interactor, "9\n"), (Bot, "low 1\n? 5\n"), (Interactor, "-1\n")]);
        for number in 0..100 {
            lines.add(Bot, format!("? {number}\n").as_bytes());
        }
        lines.add(Bot, b"? 1");
        let last =
            r#"the last lines: interactor "-1", bot "? 96", "? 97", "? 98", "? 99", "? 1" without a newline"#;
        assert_eq!(lines.text("bot", "interactor"), last);
        assert_eq!(lines.first_before_reply(), None);
        lines.leave_out_unread();
        let read = r#"the last lines: interactor "9", bot "low 1", "? 5", interactor "-1", bot "? 0", "? 1""#;
        assert_eq!(lines.text("bot", "interactor"), read);
        assert!(lines.quotes_text(Bot, "malformed line \"low 1\""));
    }

    #[test]
    fn turns_are_broken_if_the_interactor_goes_on() {
        use Side::{Bot, Interactor};
        let sides = [Bot, Interactor, Bot, Interactor, Bot, Interactor, Bot, Bot];
        let mut lines = last_lines(&sides.map(|side| (side, "1\n")));
        assert_eq!(lines.first_before_reply(), None);
        lines.add(Interactor, b"1\n");
        assert_eq!(lines.first_before_reply(), Some(5));
    }
}
