//! The processes that a bot has started: what they use, and their end.

use crate::referee::event::Usage;

/// What all processes together use and do at this moment.
#[derive(Clone, Debug, Default)]
pub(crate) struct Look {
    pub(crate) used: Usage,
    /// Whether all of them sleep or are stopped, and where in the kernel one does.
    pub(crate) sleeping: bool,
    /// Whether one of them is stopped by a signal.
    pub(crate) stopped: bool,
    pub(crate) channel: Option<String>,
}

#[cfg(target_os = "linux")]
pub(crate) use linux::{adopt, end_orphans, leftovers, own_peak, walk};
#[cfg(target_os = "linux")]
pub(super) use linux::{own_children, unless_gone};

/// Children of the judge are its bot and, as it is a subreaper, everything the bot has left without a parent.
#[cfg(target_os = "linux")]
mod linux {
    use std::sync::OnceLock;

    use anyhow::Context;
    use procfs::process::Process;
    use procfs::{ProcError, ProcResult};
    use rustix::io::Errno;
    use rustix::process::{WaitId, WaitIdOptions, getpid, waitid};

    use crate::process::kill;

    /// Children that the judge had before its first bot: somebody else's.
    static FOREIGN: OnceLock<Vec<i32>> = OnceLock::new();

    /// From now on orphans of the judge's descendants become its children.
    ///
    /// # Errors
    ///
    /// If the judge cannot see its own processes, and so could hold a bot to no limit.
    pub(crate) fn adopt() -> anyhow::Result<()> {
        if FOREIGN.get().is_none() {
            let judge = Process::myself().and_then(|judge| judge.task_main_thread());
            judge.and_then(|thread| thread.children()).context(
                "the judge cannot hold a bot to its limits without /proc, which must be mounted and show the \
                 judge's own processes and their children",
            )?;
            rustix::process::set_child_subreaper(Some(getpid()))
                .context("the judge cannot become a subreaper")?;
            let present = children(own_id());
            FOREIGN.get_or_init(|| present.unwrap_or_default());
        }
        Ok(())
    }

    fn own_id() -> i32 {
        getpid().as_raw_nonzero().get()
    }

    /// The children of all threads of a process.
    fn children(of: i32) -> ProcResult<Vec<i32>> {
        let mut found = Vec::new();
        for task in Process::new(of)?.tasks()? {
            let Some(task) = unless_gone(task)? else { continue };
            let children = unless_gone(task.children())?.into_iter().flatten();
            found.extend(children.filter_map(|child| i32::try_from(child).ok()));
        }
        Ok(found)
    }

    /// What was read of a thread, unless that has ended.
    pub(crate) fn unless_gone<T>(read: ProcResult<T>) -> ProcResult<Option<T>> {
        match read {
            Ok(read) => Ok(Some(read)),
            Err(ProcError::NotFound(_)) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// The judge's children that are its bot's.
    pub(crate) fn own_children() -> ProcResult<Vec<i32>> {
        let foreign = FOREIGN.get().map_or(&[][..], Vec::as_slice);
        let mut found = children(own_id())?;
        found.retain(|child| !foreign.contains(child));
        Ok(found)
    }

    /// Visits all processes that descend from the judge, each as soon as it is found. Of one that starts and
    /// ends processes all the time some may be missed.
    pub(crate) fn walk(mut visit: impl FnMut(i32)) {
        let mut found = own_children().unwrap_or_default();
        found.iter().copied().for_each(&mut visit);
        while let Some(process) = found.pop() {
            let children = children(process).unwrap_or_default();
            children.iter().copied().for_each(&mut visit);
            found.extend(children);
        }
    }

    /// All processes that descend from the judge.
    fn descendants() -> Vec<i32> {
        let mut found = Vec::new();
        walk(|process| found.push(process));
        found
    }

    /// The processes that are there, zombies among them, each in words.
    pub(crate) fn leftovers() -> Vec<String> {
        let words = |pid| {
            let process = Process::new(pid).ok()?;
            Some(format!("{pid} {} {}", process.stat().ok()?.state, process.cmdline().ok()?.join(" ")))
        };
        descendants().into_iter().filter_map(words).collect()
    }

    /// The most memory that the judge itself has held, in bytes.
    pub(crate) fn own_peak() -> Option<u64> {
        let status = Process::myself().ok()?.status().ok()?;
        status.vmhwm.map(|kib| kib * 1024)
    }

    /// Ends and reaps whatever the bot, itself reaped by now, has left behind.
    pub(crate) fn end_orphans() {
        let peek = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        if waitid(WaitId::All, peek).is_err_and(|error| error == Errno::CHILD) {
            return;
        }
        kill::end_all();
    }
}

/// Elsewhere only the bot's own process group is known.
#[cfg(not(target_os = "linux"))]
mod elsewhere {
    /// Says once which guards there are not.
    #[expect(clippy::unnecessary_wraps, reason = "it can fail on Linux")]
    pub(crate) fn adopt() -> anyhow::Result<()> {
        static NOTE: std::sync::Once = std::sync::Once::new();
        NOTE.call_once(|| {
            eprintln!(
                "judge: note: on this system CPU time and memory are known at the end of a game alone, an idle bot \
                 is not told from a slow one, and of what the bot starts only its process group is ended"
            );
        });
        Ok(())
    }

    pub(crate) fn leftovers() -> Vec<String> {
        Vec::new()
    }

    pub(crate) fn own_peak() -> Option<u64> {
        None
    }

    pub(crate) fn end_orphans() {}
}

#[cfg(not(target_os = "linux"))]
pub(crate) use elsewhere::{adopt, end_orphans, leftovers, own_peak};
