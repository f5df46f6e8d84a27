//! The problems of the last jobs. Each is read, and its programs are compiled, once.

use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use anyhow::bail;
use runner::sources::CompileError;

use crate::batch::job::ProblemSource;
use crate::cli::{BotOptions, LimitOptions, Subject, SubjectOptions};
use crate::settings::Settings;
use crate::trials::problem::run::ProblemRun;

pub(crate) struct Problem {
    pub(crate) settings: Settings,
    /// The run in which the bot is still to be set.
    pub(crate) run: ProblemRun,
}

impl Problem {
    /// Fails with a [`CompileError`] if a program cannot be compiled.
    fn new(source: &ProblemSource, options: &BotOptions, settings: &Settings) -> anyhow::Result<Self> {
        let ProblemSource { programs, tests } = source;
        let about = SubjectOptions {
            options: programs,
            inputs: Some(tests),
            has_problem_options: true,
            names_game: false,
            needs_game: false,
            is_quiet: true,
            command: "run",
        };
        let Subject::Problem(settings) = about.subject(settings)? else {
            bail!("expected a problem, got a game")
        };
        let run = programs.problem_run(Some(tests), options, &[], &settings)?;
        Ok(Self { settings, run })
    }
}

const MAX_PROBLEMS: usize = 64;

type Made = Result<Arc<Problem>, Arc<anyhow::Error>>;

/// The problems with the options that they depend on, the one that was used last at the end.
#[derive(Default)]
pub(crate) struct Problems(Mutex<Vec<(ProblemKey, Arc<OnceLock<Made>>)>>);

type ProblemKey = (ProblemSource, LimitOptions);

impl Problems {
    /// Returns a problem, and reads it if it is not kept. Other threads then wait for the same problem.
    pub(crate) fn get(&self, source: &ProblemSource, options: &BotOptions, settings: &Settings) -> Made {
        let lock = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let key = (source.clone(), options.limits.clone());
        let mut kept = lock();
        let found = kept.iter().position(|(other, _)| *other == key);
        let slot = found.map_or_else(Arc::default, |at| kept.remove(at).1);
        if kept.len() >= MAX_PROBLEMS {
            kept.remove(0);
        }
        kept.push((key, Arc::clone(&slot)));
        drop(kept);
        let read = || Problem::new(source, options, settings).map(Arc::new).map_err(Arc::new);
        let made = slot.get_or_init(read).clone();
        if made.as_ref().is_err_and(|error| !error.is::<CompileError>()) {
            // A missing file may be there for a later job.
            lock().retain(|(_, other)| !Arc::ptr_eq(other, &slot));
        }
        made
    }
}
