//! What two programs that wait for each other do when their inputs end.

use std::time::Duration;

use itertools::Itertools;
use runner::limits::LINE_LIMIT;
use runner::relay::Side;
use runner::stderr_excerpt::begins_with_exception;

use crate::conversation::facts::{Flushing, Notice, ProgramRecord, Reaction, Stall};
use crate::referee::interactor::relayed::Conversation;

/// How long a program may take to react to the end of its input, if it has written nothing yet and neither sleeps nor
/// reaches a limit: on a busy machine, a crash alone may take longer than [`REACTION_TIME`](super::REACTION_TIME).
const SLOW_REACTION_TIME: Duration = Duration::from_secs(10);

impl Conversation<'_> {
    /// Finds out which of two programs that wait for each other has output in a buffer. Closes the input of the bot.
    /// If the bot writes nothing more, or if it flushes every line and its last one was not answered, also closes the input
    /// of an interactor that is still running.
    pub(super) fn probe(&mut self, stall: &mut Stall) -> anyhow::Result<()> {
        let of_interactor = (self.programs.writes(Side::Interactor, 0), self.interactor.bytes);
        let of_bot = |seat: usize| (self.programs.writes(Side::Bot, seat), self.seats[seat].record.lines);
        let before = (0..self.seats.len()).map(of_bot).collect_vec();
        self.end_input(Side::Bot);
        let mut outputs = self.await_exit(Side::Bot, SLOW_REACTION_TIME)?;
        self.end(Side::Bot)?;
        let has_reacted = |seat: &usize| !outputs[*seat][0].is_empty() && self.seats[*seat].idle.is_some();
        if let Some(seat) = [self.deciding].into_iter().chain(0..outputs.len()).find(has_reacted)
            && let Some(idle) = self.seats[seat].idle.clone()
        {
            self.deciding = seat;
            (stall.bot, stall.sent) = (idle, self.seats[seat].sent);
        }
        let [line, stderr] = outputs.swap_remove(self.deciding);
        if !line.is_empty() {
            let flushing = self.flushing(&line, &stderr, before[self.deciding]);
            stall.reaction = Some(Reaction { line: Some(line), to: Notice::EndOfInput, flushing });
        }
        let record = &self.seats[self.deciding].record;
        stall.loses_output = stall.reaction.is_none() && record.stderr.shows_lost_output();
        let flushes = stall.reaction.as_ref().map(|reaction| reaction.flushing == Flushing::EveryLine);
        if flushes == Some(false) || flushes == Some(true) && stall.last_writer != Some(Side::Bot) {
            return Ok(());
        }
        let mut late = Vec::new();
        if self.programs.is_running(Side::Interactor) {
            self.end_input(Side::Interactor);
            let outputs = self.await_exit(Side::Interactor, SLOW_REACTION_TIME)?;
            late = outputs.into_iter().map(|[stdout, _]| stdout).concat();
        }
        stall.late_interactor = if flushes.is_none() { late } else { self.buffered_since(of_interactor) };
        Ok(())
    }

    /// Returns what the interactor has written since it had called write(2) and written bytes so often, if it wrote several
    /// lines in fewer calls, so that they were in a buffer. Otherwise returns nothing.
    fn buffered_since(&self, (writes_before, bytes_before): (Option<u64>, u64)) -> Vec<u8> {
        let bytes = usize::try_from(self.interactor.bytes - bytes_before).unwrap_or(usize::MAX);
        let late = &self.interactor.tail[self.interactor.tail.len().saturating_sub(bytes)..];
        let lines = memchr::memchr_iter(b'\n', late).count() as u64;
        let writes = self.programs.writes(Side::Interactor, 0).zip(writes_before);
        let is_buffered =
            lines > 1 && writes.is_some_and(|(writes, before)| writes.saturating_sub(before) < lines);
        if is_buffered { late[..late.len().min(LINE_LIMIT)].to_vec() } else { Vec::new() }
    }

    /// Returns what the output of the bot after the end of its input shows about its flushing. `before` has the numbers of
    /// its writes and of its lines before that.
    fn flushing(&self, stdout: &[u8], stderr: &[u8], before: (Option<u64>, u64)) -> Flushing {
        if self.programs.wrote_stderr_first(self.deciding) && begins_with_exception(stderr) {
            return Flushing::AfterException;
        }
        // A single line in a single write says nothing: it may have been in a buffer, too.
        let ProgramRecord { lines, stderr_bytes, .. } = self.seats[self.deciding].record;
        let has_several = memchr::memchr_iter(b'\n', stdout).count() > 1 && stderr_bytes == 0;
        match (self.programs.writes(Side::Bot, self.deciding).filter(|_| has_several), before) {
            (Some(writes), (Some(writes_before), lines_before)) => {
                // A script that starts the bot may have written before it, and the writes of a child that the bot waits
                // for count only at the end.
                let since = (writes.saturating_sub(writes_before), lines - lines_before);
                let is_flushed = writes >= lines && since.0 >= since.1;
                if is_flushed { Flushing::EveryLine } else { Flushing::FewerWrites }
            }
            _ => Flushing::Unknown,
        }
    }
}
