//! The values that follow from a state once no segment is rare any more.

use super::codes::Codes;
use super::engine::Engine;
use super::run::Run;

/// So many values are found between two questions whether to give up.
const BLOCK: usize = 1 << 14;

/// A run from some codes on, whose values are known to be common.
pub(super) struct Follower {
    run: Run,
    engine: Engine,
}

impl Follower {
    /// Behind these codes of another run.
    pub(super) fn new(run: &Run, codes: Codes) -> Self {
        let mut run = Run::new(run.leads.clone(), run.classes, codes, run.rares.clone());
        run.is_calm = true;
        let engine = Engine::new(&run);
        Self { run, engine }
    }

    /// The codes, the last ones of which are kept.
    pub(super) fn codes(&self) -> &Codes {
        &self.run.codes
    }

    /// Finds codes until there are so many; `None` if it is told to give up.
    pub(super) fn advance(&mut self, end: usize, give_up: &mut dyn FnMut() -> bool) -> Option<()> {
        while self.run.codes.len() < end {
            if give_up() {
                return None;
            }
            self.run.codes.drop_old();
            let next = (self.run.codes.len() + BLOCK).min(end);
            self.engine.advance(&mut self.run, next).ok()?;
        }
        Some(())
    }
}
