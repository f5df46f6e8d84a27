//! A recorded game, refereed again and shown.

use anyhow::{Context, ensure};

use crate::report::replay_page::ReplayRecorder;
use referee::transcript::read::TranscriptReader;

/// The request is the transcript of one game.
pub(super) fn answer(request: &[u8]) -> anyhow::Result<String> {
    let mut games = TranscriptReader::new(request);
    let setup = games.setup()?.context("the transcript is empty")?;
    let mut recorder = ReplayRecorder::new(setup)?;
    let recorded = games.events(|event| {
        recorder.add(event);
        Ok(())
    })?;
    ensure!(games.setup()?.is_none(), "expected one game, got more");
    let mut replay = recorder.finish(recorded.wall);
    replay.compare(&recorded);
    Ok(serde_json::to_string(&replay)?)
}
