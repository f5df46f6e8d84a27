//! Wardens: small processes of the judge, each of which starts, measures and ends one program after another.
//!
//! A warden isolates itself once. Its programs inherit the isolation, so that a start costs little more than a fork.
//! Everything that a program leaves running is a descendant of its warden, so the judge can tell apart two programs that
//! run at the same time. The judge holds the pipes of the programs itself, and asks a warden nothing while a program
//! answers quickly.
//!
//! A judge that is killed closes its sockets, and each warden then ends its program and itself. If a warden is killed,
//! the judge ends what the warden's program has left.

#[cfg(target_os = "linux")]
mod guards;
#[cfg(not(target_os = "linux"))]
#[path = "unguarded.rs"]
mod guards;
#[cfg(target_os = "linux")]
mod init;
pub(crate) mod link;
mod serve;
#[cfg(target_os = "linux")]
mod syscalls;

pub(crate) use link::{Detail, Snapshot};
pub use serve::serve;

use std::cell::{Cell, RefCell};
use std::ffi::OsString;
use std::net::Shutdown;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::rc::Rc;
use std::time::{Duration, Instant};

use anyhow::{Context, anyhow};
use rustix::event::PollFlags;
use rustix::process::Signal;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use self::link::{Isolation, Request};
use crate::cgroup::ControlGroup;
use crate::children::{self, OwnChild};
use crate::event::{Exit, Usage};
use crate::inherited::{self, explain_open_files};
use crate::interrupt;
use crate::limits::{HeldBy, Limits, LimitsBy};
use crate::party::Party;
use crate::pipes::is_ready;
use crate::processor;
use crate::sandbox::{MissingGuards, Sandbox, ensure_complete};
use crate::usage::{INTERVALS, Quiet};

pub const ROLE: &str = "warden";

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Confinement {
    pub limits: Limits,
    pub limits_by: LimitsBy,
    pub sandbox: Sandbox,
    /// Whether each program has a process namespace of its own, if it is in the sandbox.
    pub fresh: bool,
    /// The folders in which the programs may write files in the sandbox, and the named pipes that they may read and write.
    pub writable: Vec<PathBuf>,
    /// Whether the programs are compilers, which end with an error if they cannot set modes, times and locks. In the sandbox
    /// these calls then succeed without effect, instead of being refused.
    pub are_compilers: bool,
}

impl Confinement {
    pub(crate) fn is_fresh(&self) -> bool {
        self.fresh && self.sandbox != Sandbox::None
    }

    /// Returns the limit for the kernel, which counts the warden too, and what it starts beside the program. It allows
    /// `excess` more processes than the program may have.
    pub(crate) fn processes(&self, excess: u64) -> u64 {
        let own = 1 + u64::from(self.is_fresh());
        // At the start, there is also the thread that starts the program.
        self.limits.processes.saturating_add(excess).max(2).saturating_add(own)
    }
}

/// A process that starts programs, one at a time.
pub struct Warden {
    shared: RefCell<Rc<Shared>>,
    /// A program that the warden was asked to start.
    starting: RefCell<Option<Party>>,
}

/// What a warden and its running program share.
struct Shared {
    /// What messages call the programs.
    name: String,
    confinement: Confinement,
    socket: UnixStream,
    /// The last snapshot of the current program.
    last: RefCell<Snapshot>,
    /// Whether the kernel has ended the warden because the memory of its control group was used up.
    is_lost: Cell<bool>,
    child: OwnChild,
    group: Option<ControlGroup>,
    isolation: Isolation,
}

impl Warden {
    pub fn start(name: &str, confinement: &Confinement) -> anyhow::Result<Self> {
        let shared = Rc::new(Shared::start(name, confinement)?);
        Ok(Self { shared: RefCell::new(shared), starting: RefCell::default() })
    }

    pub fn refuses_signals(&self) -> bool {
        self.shared.borrow().isolation.refuses_signals
    }

    /// There are none unless the sandbox is [`Sandbox::Best`].
    pub fn missing_guards(&self) -> Vec<MissingGuards> {
        self.shared.borrow().isolation.missing.clone()
    }

    /// Asks the warden to start the program that `spawn` then returns. Does nothing if it was asked already.
    pub fn begin_start(&self, command: &[OsString]) -> anyhow::Result<()> {
        if self.starting.borrow().is_some() {
            return Ok(());
        }
        let mut shared = self.shared.borrow_mut();
        if shared.is_lost.get() {
            *shared = Rc::new(Shared::start(&shared.name, &shared.confinement)?);
        }
        if let Some(group) = &shared.group {
            group.begin().context("the bot's control group cannot be read")?;
        }
        let (party, its_ends) = Party::make()
            .map_err(|error| explain_open_files(error).context("the bot's pipes cannot be made"))?;
        shared.last.take();
        // Record interrupts from now on: a bot may interrupt the judge before the judge waits for the bot's first line.
        interrupt::record_first();
        let request = Request::Start { command: command.to_vec(), processor: processor::current() };
        shared.send(&request, &its_ends.each_ref().map(AsFd::as_fd))?;
        *self.starting.borrow_mut() = Some(party);
        Ok(())
    }

    pub fn spawn_party(&self, limits: Limits) -> anyhow::Result<Party> {
        let party = self.starting.take().context("no program was started")?;
        let shared = self.shared.borrow();
        shared.receive_snapshot()?;
        let (is_over, quiet, used, earlier) = Default::default();
        let (shared, next) = (Rc::clone(&shared), Instant::now() + INTERVALS[0]);
        let program = Program { shared, is_over, next, quiet, used, earlier };
        Ok(Party { program: Some(program), limits, ..party })
    }
}

impl Shared {
    fn start(name: &str, confinement: &Confinement) -> anyhow::Result<Self> {
        let Confinement { limits_by, sandbox, .. } = *confinement;
        let program = children::own_program()?;
        let group = match limits_by {
            LimitsBy::Proc => None,
            LimitsBy::Auto => ControlGroup::new(confinement).ok(),
            LimitsBy::Cgroup => Some(ControlGroup::new(confinement).map_err(|reason| {
                anyhow!(
                    "--limits cgroup is not possible here: {reason:#}; it needs root, or a control group in which this \
                     user may make others, as in \"systemd-run --user --scope -p Delegate=yes judge run ...\"; --limits \
                     proc needs no control group"
                )
            })?),
        };
        children::adopt_orphans().context("the judge cannot become a subreaper")?;
        let open_files = inherited::raise_open_files();
        let not_started =
            |error| explain_open_files(error).context(format!("the warden of {name} could not be started"));
        let (own, its) = UnixStream::pair().map_err(not_started)?;
        let mut command = Command::new(program);
        // PYTHONUNBUFFERED hides a missing flush. The user's environment may set it, as the container images of Python
        // do, but the environment of a contest does not.
        command.arg(ROLE).env_remove("PYTHONUNBUFFERED").stdin(OwnedFd::from(its)).stdout(Stdio::null());
        // A process group of its own, which Ctrl-C does not reach, even before the warden has its own session.
        let child = OwnChild::spawn(command.process_group(0)).map_err(not_started)?;
        // The command holds the warden's end of the socket. Only without it does the end of the warden show.
        drop(command);
        let mut shared = Shared {
            name: name.to_owned(),
            confinement: confinement.clone(),
            socket: own,
            last: RefCell::default(),
            is_lost: Cell::new(false),
            child,
            group,
            isolation: Isolation::default(),
        };
        if let Some(group) = &shared.group {
            group
                .add(shared.child.0.id())
                .with_context(|| format!("the warden of {name} cannot join its control group"))?;
        }
        shared.send(&(confinement, open_files), &[])?;
        let isolation: Result<Isolation, String> = shared.receive()?;
        shared.isolation = isolation.map_err(|reason| match sandbox {
            Sandbox::None => anyhow!("the warden of {name} could not be started: {reason}"),
            Sandbox::All | Sandbox::Best => anyhow!("the sandbox is not possible here: {reason}"),
        })?;
        if sandbox == Sandbox::All {
            ensure_complete(&shared.isolation.missing)?;
        }
        if let Some(group) = &shared.group {
            group.limit_memory().context("the memory of the bot cannot be limited")?;
        }
        Ok(shared)
    }

    fn send(&self, request: &impl Serialize, fds: &[BorrowedFd<'_>]) -> anyhow::Result<()> {
        link::send(&self.socket, request, fds).with_context(|| self.ended_early())
    }

    fn receive<T: DeserializeOwned>(&self) -> anyhow::Result<T> {
        Ok(link::receive(&self.socket).with_context(|| self.ended_early())?.0)
    }

    fn ended_early(&self) -> String {
        format!("the warden of {} ended early", self.name)
    }

    /// Waits for the next snapshot of the current program, and stores it.
    fn receive_snapshot(&self) -> anyhow::Result<Snapshot> {
        let received: anyhow::Result<Result<Snapshot, String>> = self.receive();
        let snapshot =
            if received.is_err() && self.group.as_ref().is_some_and(ControlGroup::has_used_up_memory) {
                // The kernel chooses the warden if ending its program frees nothing at once.
                self.is_lost.set(true);
                let exit = Some(Exit::Signal(Signal::KILL.as_raw()));
                Snapshot { ended: true, exit, ..Snapshot::default() }
            } else {
                received?.map_err(anyhow::Error::msg)?
            };
        let writes = snapshot.writes.or(self.last.borrow().writes);
        self.last.replace(Snapshot { writes, ..snapshot.clone() });
        Ok(snapshot)
    }

    fn has_ended(&self) -> bool {
        self.last.borrow().ended
    }
}

impl Drop for Shared {
    fn drop(&mut self) {
        // When its socket is closed, a warden ends its program and itself.
        let _ = self.socket.shutdown(Shutdown::Both);
        if self.child.0.wait().is_ok_and(|status| !status.success()) {
            children::kill_orphans();
        }
    }
}

/// A program that a warden has started, and everything that the program has started. Its usage is compared with its limits
/// in [`usage`](crate::usage).
pub(crate) struct Program {
    shared: Rc<Shared>,
    /// Whether [`Self::new_exit`] has returned how the program ended by itself, or [`Self::end`] has ended it.
    is_over: bool,
    /// When the next measurement is due: when a limit can be reached at the earliest.
    pub(crate) next: Instant,
    pub(crate) quiet: Option<Quiet>,
    /// The maximum usage seen since the game began.
    pub(crate) used: Usage,
    /// The CPU time of earlier games.
    pub(crate) earlier: Duration,
}

impl Program {
    pub(crate) fn is_running(&self) -> bool {
        !self.is_over
    }

    /// Returns a descriptor that becomes readable when the program has ended; `None` if its end is known.
    pub(crate) fn exit_fd(&self) -> Option<BorrowedFd<'_>> {
        self.is_running().then(|| self.shared.socket.as_fd())
    }

    /// Returns whether [`Self::new_exit`] has something to return that was received already, so that [`Self::exit_fd`]
    /// need not become readable.
    pub(crate) fn has_new_exit(&self) -> bool {
        self.is_running() && self.shared.has_ended()
    }

    /// Returns how the program has ended by itself, in the first call after its end.
    pub(crate) fn new_exit(&mut self) -> anyhow::Result<Option<Exit>> {
        if !self.is_running() {
            return Ok(None);
        }
        if !self.shared.has_ended() && is_ready(&self.shared.socket, PollFlags::IN, Duration::ZERO)? {
            self.shared.receive_snapshot()?;
        }
        self.is_over = self.shared.has_ended();
        self.is_over.then(|| self.exit().context("the bot could not be ended")).transpose()
    }

    /// Returns how the program has ended, if that is known and it could be ended.
    pub(crate) fn exit(&self) -> Option<Exit> {
        self.shared.last.borrow().exit.filter(|_| self.is_over)
    }

    /// Returns the process ID of the warden, which is an ancestor of all processes of the program.
    pub(crate) fn warden_id(&self) -> u32 {
        self.shared.child.0.id()
    }

    pub(crate) fn held_by(&self) -> Option<HeldBy> {
        let held_by = if self.shared.group.is_some() { HeldBy::Cgroup } else { HeldBy::Proc };
        cfg!(target_os = "linux").then_some(held_by)
    }

    /// Returns the usage of this game so far, with as much about the processes as `detail` asks for. A control group shows
    /// the usage alone; all processes then count as sleeping.
    pub(crate) fn measure(&mut self, detail: Detail) -> anyhow::Result<Snapshot> {
        let by_group = self.by_group()?;
        let group = self.shared.group.as_ref().filter(|_| detail == Detail::Usage);
        // A program of root can leave its group. Only the warden then sees its usage.
        let snapshot = if group.map_or(Ok(false), ControlGroup::has_program)? {
            Snapshot { sleeping: true, ..Snapshot::default() }
        } else {
            self.ask(detail)?
        };
        Ok(Snapshot { used: self.note(snapshot.used.max(by_group)), ..snapshot })
    }

    /// Returns the usage that the control group shows, if there is one, without that of the warden.
    fn by_group(&self) -> anyhow::Result<Usage> {
        let used = self.shared.group.as_ref().map_or(Ok(Usage::default()), ControlGroup::used)?;
        let cpu = used.cpu.map(|cpu| cpu.saturating_sub(self.shared.last.borrow().warden_cpu));
        Ok(Usage { cpu, ..used })
    }

    fn ask(&self, detail: Detail) -> anyhow::Result<Snapshot> {
        if self.shared.has_ended() {
            return Ok(Snapshot::default());
        }
        // If the warden has ended, the answer says why.
        let _ = self.shared.send(&Request::Measure(detail), &[]);
        let snapshot = self.shared.receive_snapshot()?;
        // What the end of the program shows counts only then.
        Ok(if snapshot.ended { Snapshot::default() } else { snapshot })
    }

    /// Returns how often the first process has called write(2), and the children that it has waited for, at the last look
    /// at the threads or at the end; `None` if it is not known.
    pub(crate) fn writes(&self) -> Option<u64> {
        self.shared.last.borrow().writes
    }

    /// Ends the program and everything that it has started. Returns their usage in this game.
    pub(crate) fn end(&mut self) -> Usage {
        self.is_over = true;
        // A warden that has ended has also ended its program, and the run does not count.
        if !self.shared.has_ended() && self.shared.send(&Request::End, &[]).is_ok() {
            let _ = self.shared.receive_snapshot();
        }
        let Usage { cpu, memory, processes } = self.shared.last.borrow().used;
        let has_peak = self.shared.group.as_ref().is_some_and(ControlGroup::knows_peak);
        let of_processes = Usage { cpu, memory: memory.filter(|_| !has_peak), processes };
        self.note(self.by_group().unwrap_or_default().max(of_processes));
        self.used
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        if !self.shared.has_ended() {
            self.end();
        }
    }
}
