//! Why a bot and an interactor wait for each other: what is in a buffer, what is not read, and who had to write next.

use runner::activity::{Activity, FLUSH};
use runner::event::LimitReport;
use runner::relay::Side;

use crate::conversation::facts::{Facts, Stall};
use crate::conversation::last_lines::quoted;
use crate::conversation::ruling::Ruling;
use crate::conversation::verdict::Verdict;

pub(crate) fn idle(reason: impl Into<String>) -> Ruling {
    Ruling::new(Verdict::Idle, reason)
}

pub(crate) fn interactor_stalled(reason: impl Into<String>) -> Ruling {
    Ruling::new(Verdict::JudgeError, reason)
}

/// Returns the ruling if the bytes show why both programs wait: output that is closed, not complete, in a buffer, or
/// not read.
pub(crate) fn ruling_by_bytes(
    facts: &Facts,
    Stall { bot, interactor, late_bot, .. }: &Stall,
) -> Option<Ruling> {
    let ruling = if facts.bot_closed {
        let reason = "the bot closed its output too early: the interactor waited for its next line";
        Ruling::new(Verdict::ExitedEarly, reason).advice("keep stdout open until the final answer")
    } else if interactor.unread > 0 && bot.unread > 0 {
        // The pipes are full in both directions because the bot writes and does not read. A line
        // may be cut where its pipe is full.
        idle(format!(
            "both programs wait: the bot has not read the last {} bytes of the interactor, nor the interactor the last \
             {} of the bot",
            bot.unread, interactor.unread
        ))
        .advice("read the answer to each line before printing the next")
    } else if !bot.unfinished.0.is_empty() {
        let line = quoted(&bot.unfinished.0);
        idle(format!("both programs wait: the bot wrote {line} without ending the line"))
            .advice("print a newline after every line, and flush")
    } else if !interactor.unfinished.0.is_empty() && bot.unread == 0 {
        // When the bot's input is closed, the interactor's unfinished line ends too. What the bot writes after that is
        // the answer to this line, and was not in a buffer.
        let line = quoted(&interactor.unfinished.0);
        interactor_stalled(format!("both programs wait: the interactor wrote {line} without ending the line"))
            .advice("in the interactor, print a newline after every line, and flush")
    } else if !late_bot.is_empty() && facts.last_lines.is_empty(Side::Bot) {
        let line = quoted(first_line(late_bot));
        idle(format!(
            "both programs wait: the bot wrote its first line, {line}, only when the judge ended its input: it reads to \
             the end of its input, or its output was in a buffer"
        ))
        .advice("read one line at a time, as input() and readline() do, not to the end of the input")
        .advice(FLUSH)
    } else if !late_bot.is_empty() {
        let line = quoted(first_line(late_bot));
        idle(format!(
            "both programs wait: the bot's next line was in a buffer: it wrote {line} only when the judge ended its input"
        ))
        .advice(FLUSH)
        .advice(
            "if it flushes every line, it reads one line too many, and then takes the end of its input for that line",
        )
    } else if interactor.unread > 0 {
        let bytes = interactor.unread;
        interactor_stalled(format!(
            "both programs wait: the interactor has not read the last {bytes} bytes of the bot"
        ))
    } else if bot.unread > 0 {
        let (bytes, activity) = (bot.unread, activity(bot));
        idle(format!(
            "both programs wait: the bot has not read the last {bytes} bytes of the interactor; it {activity}"
        ))
        .advice(activity.look_for())
    } else {
        return None;
    };
    Some(ruling)
}

/// Returns the ruling if one of the programs waits for something other than input.
pub(crate) fn ruling_by_activities(Stall { bot, interactor, .. }: &Stall) -> Option<Ruling> {
    let reads = |activity| matches!(activity, Activity::Input | Activity::Event | Activity::Unknown);
    let (bot_activity, interactor_activity) = (activity(bot), activity(interactor));
    if !reads(bot_activity) {
        let reason = format!("both programs wait: the bot does not read, but {bot_activity}");
        Some(idle(reason).advice(bot_activity.look_for()))
    } else if !reads(interactor_activity) {
        let reason = format!("both programs wait: the interactor does not read, but {interactor_activity}");
        Some(interactor_stalled(reason).advice("--idle-limit sets how long both programs may wait"))
    } else {
        None
    }
}

/// Returns the ruling if both programs wait for input: who had to write next.
pub(crate) fn ruling_by_last_writer(Stall { last_writer, late_interactor, .. }: &Stall) -> Ruling {
    let is_late = !late_interactor.is_empty() && !is_refusal(late_interactor);
    match last_writer {
        None if is_late => {
            let line = quoted(first_line(late_interactor));
            interactor_stalled(format!(
                "both programs wait: the interactor wrote its first line, {line}, only when the judge ended its input: \
                 it reads before it writes, or its output was in a buffer"
            ))
            .advice(format!(
                "compare who has to write first with the problem's statement; in the interactor, {FLUSH}"
            ))
        }
        Some(Side::Bot) if is_late => {
            let line = quoted(first_line(late_interactor));
            interactor_stalled(format!(
                "both programs wait: the interactor's next line was in a buffer: it wrote {line} only when the judge \
                 ended its input"
            ))
            .advice(format!("in the interactor, {FLUSH}"))
        }
        None => idle("each program waits for the first line of the other")
            .advice("compare who has to write first with the problem's statement"),
        Some(Side::Interactor) => idle(
            "both programs wait: the bot has to write next, but waits for another line of the interactor",
        )
        .advice("read only as many lines as the interactor writes before it waits"),
        Some(Side::Bot) => {
            idle("both programs wait: the interactor has read all lines of the bot and needs more of them")
                .advice("compare what the bot has to print with the problem's statement")
        }
    }
}

fn activity(report: &LimitReport) -> Activity {
    Activity::of(report.channel.as_deref())
}

/// Checks whether a text looks like a rejection. The interactor then wrote the text because its input ended; the text
/// was not in a buffer.
fn is_refusal(text: &[u8]) -> bool {
    let line = String::from_utf8_lossy(first_line(text)).to_lowercase();
    line.trim() == "-1" || ["wrong", "error", "fail", "invalid"].iter().any(|word| line.contains(word))
}

fn first_line(text: &[u8]) -> &[u8] {
    text.trim_ascii().split(|&byte| byte == b'\n').next().unwrap_or_default()
}
