//! The processes that a bot has started: what they use, and their end.

use crate::event::Usage;

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
pub(crate) use linux::{adopt, end_orphans, kill_all, leftovers, look, own_peak};

/// Children of the judge are its bot and, as it is a subreaper, everything the bot has left without a parent.
#[cfg(target_os = "linux")]
mod linux {
    use std::sync::OnceLock;
    use std::time::{Duration, Instant};

    use anyhow::Context;
    use procfs::process::Process;
    use rustix::io::Errno;
    use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, getpid, kill_process, waitid};

    use super::Look;
    use crate::event::Usage;

    /// How long the judge tries to end what a bot has left behind.
    const PERSISTENCE: Duration = Duration::from_secs(1);

    /// So much memory is looked at more closely, in bytes: that takes longer.
    const MUCH: u64 = 64 << 20;

    /// Children that the judge had before its first bot: somebody else's.
    static FOREIGN: OnceLock<Vec<i32>> = OnceLock::new();

    /// From now on orphans of the judge's descendants become its children.
    pub(crate) fn adopt() -> anyhow::Result<()> {
        if FOREIGN.get().is_none() {
            rustix::process::set_child_subreaper(Some(getpid()))
                .context("the judge cannot become a subreaper")?;
            FOREIGN.get_or_init(|| children(getpid().as_raw_nonzero().get()));
        }
        Ok(())
    }

    fn children(of: i32) -> Vec<i32> {
        let Ok(tasks) = Process::new(of).and_then(|process| process.tasks()) else { return Vec::new() };
        let children = tasks.flatten().filter_map(|task| task.children().ok()).flatten();
        children.filter_map(|child| i32::try_from(child).ok()).collect()
    }

    /// All processes that descend from the judge.
    fn descendants() -> Vec<i32> {
        let foreign = FOREIGN.get().map_or(&[][..], Vec::as_slice);
        let mut found = children(getpid().as_raw_nonzero().get());
        found.retain(|child| !foreign.contains(child));
        let mut next = 0;
        while let Some(&process) = found.get(next) {
            found.extend(children(process));
            next += 1;
        }
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

    /// Looks at all of them.
    pub(crate) fn look() -> Option<Look> {
        let processes: Vec<Process> =
            descendants().into_iter().filter_map(|pid| Process::new(pid).ok()).collect();
        let mut look = Look { sleeping: true, ..Look::default() };
        let (mut ticks, mut resident, mut peak) = (0, 0, 0);
        for process in &processes {
            let Ok(stat) = process.stat() else { continue };
            ticks += stat.utime + stat.stime + u64::try_from(stat.cutime + stat.cstime).unwrap_or(0);
            resident += stat.rss * procfs::page_size();
            let memory = process.status().ok().and_then(|status| status.vmhwm);
            peak = peak.max(memory.unwrap_or(0) * 1024);
            match stat.state {
                'Z' => {}
                'S' => look.channel = wait_channel(process).or(look.channel),
                // By a signal, and by one that a tracer has caught.
                'T' | 't' => look.stopped = true,
                _ => look.sleeping = false,
            }
        }
        if processes.len() > 1 && resident > MUCH {
            // What they share is counted once.
            resident = processes.iter().filter_map(proportional).sum();
        }
        let cpu = Duration::from_secs(ticks) / u32::try_from(procfs::ticks_per_second()).ok()?;
        let memory = Some(resident.max(peak)).filter(|&memory| memory > 0);
        look.used = Usage { cpu: Some(cpu), memory };
        Some(look)
    }

    /// The most memory that the judge itself has held, in bytes.
    pub(crate) fn own_peak() -> Option<u64> {
        let status = Process::myself().ok()?.status().ok()?;
        status.vmhwm.map(|kib| kib * 1024)
    }

    fn wait_channel(process: &Process) -> Option<String> {
        process.wchan().ok().filter(|channel| !matches!(channel.as_str(), "" | "0"))
    }

    /// The memory of a process, of what it shares only its share.
    fn proportional(process: &Process) -> Option<u64> {
        let rollup = process.smaps_rollup().ok()?;
        let maps = rollup.memory_map_rollup.iter();
        Some(maps.filter_map(|map| map.extension.map.get("Pss")).sum())
    }

    /// Sends the signal that ends a process to all of them; how many they are.
    pub(crate) fn kill_all() -> usize {
        let alive = descendants();
        for process in alive.iter().filter_map(|&pid| Pid::from_raw(pid)) {
            let _ = kill_process(process, Signal::KILL);
        }
        alive.len()
    }

    /// Ends and reaps whatever the bot, itself reaped by now, has left behind; what all of them have used.
    pub(crate) fn end_orphans() -> Option<Usage> {
        let peek = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        if waitid(WaitId::All, peek).is_err_and(|error| error == Errno::CHILD) {
            return None;
        }
        let left = look().map(|look| look.used);
        let deadline = Instant::now() + PERSISTENCE;
        loop {
            match waitid(WaitId::All, WaitIdOptions::EXITED | WaitIdOptions::NOHANG) {
                Ok(Some(_)) => continue,
                Err(Errno::CHILD) => break,
                _ => {}
            }
            if kill_all() == 0 || Instant::now() > deadline {
                break;
            }
            // The dead are reaped in the next round, their children are the judge's by then.
            std::thread::sleep(Duration::from_micros(200));
        }
        left
    }
}

/// Elsewhere only the bot's own process group is known.
#[cfg(not(target_os = "linux"))]
mod elsewhere {
    use super::Look;
    use crate::event::Usage;

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

    pub(crate) fn look() -> Option<Look> {
        None
    }

    pub(crate) fn own_peak() -> Option<u64> {
        None
    }

    pub(crate) fn kill_all() -> usize {
        0
    }

    pub(crate) fn end_orphans() -> Option<Usage> {
        None
    }
}

#[cfg(not(target_os = "linux"))]
pub(crate) use elsewhere::{adopt, end_orphans, kill_all, leftovers, look, own_peak};
