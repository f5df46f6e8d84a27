//! Compiles a source, or finds its program in the cache.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::fmt;
use std::fs;
use std::io::{self, Read, Write};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use itertools::Itertools;
use rustix::process::{Pid, Signal, kill_process_group};

use super::cache::{Cache, Key};
use super::language::{CXX, DEPS, Language, main_class};
use super::{BuildOptions, CompilerLimits};
use crate::children;
use crate::escape::quoted;
use crate::interrupt::interrupted;
use crate::limits::STDERR_SHOWN;
use crate::message::print_error;
use crate::program;
use crate::stderr_excerpt::{StderrExcerpt, shown_lines};

const POLL_INTERVAL: Duration = Duration::from_millis(5);

/// How long to wait for the last messages of a compiler that has ended.
const LAST_MESSAGES: Duration = Duration::from_secs(1);

/// A source and all that determines how it is compiled.
#[derive(Debug)]
pub(super) struct Compilation<'a> {
    source: &'a Path,
    content: Vec<u8>,
    language: &'a Language,
    flags: Vec<String>,
    build: &'a BuildOptions,
    /// The main class if the language runs a class, as Java does; otherwise empty.
    pub(super) class: String,
}

impl<'a> Compilation<'a> {
    pub(super) fn new(
        source: &'a Path,
        language: &'a Language,
        build: &'a BuildOptions,
    ) -> anyhow::Result<Self> {
        let content = fs::read(source)?;
        let flags = match &build.release_flags {
            Some(flags) => {
                shlex::split(flags).with_context(|| format!("unclosed quote in the flags: {flags}"))?
            }
            None => language.flags.clone(),
        };
        let stem = source.file_stem().unwrap_or_default().to_string_lossy();
        let is_java = language.run.iter().any(|word| word.contains("{class}"));
        let class =
            if is_java { main_class(&String::from_utf8_lossy(&content), &stem) } else { String::new() };
        Ok(Self { source, content, language, flags, build, class })
    }

    /// Returns the folder with the program. Compiles the source unless the program is in the cache.
    pub(super) fn program(&self, is_verbose: bool) -> anyhow::Result<PathBuf> {
        let cache = Cache::open()?;
        let key = self.key()?;
        let mut locks = COMPILING.lock().unwrap_or_else(PoisonError::into_inner);
        let lock = Arc::clone(locks.entry(key.clone()).or_default());
        drop(locks);
        let _turn = lock.lock();
        if let Some(folder) = cache.find(&key) {
            if is_verbose {
                print_error(format_args!("already compiled with {}", self.shown()));
            }
            return Ok(folder);
        }
        let new = cache.begin()?;
        let source = self.named_source(new.path())?;
        let command = self.command(&source, new.path());
        if is_verbose {
            print_error(format_args!("compiling with {}", self.shown()));
        }
        run(&command, self.build)?;
        let included = included(&fs::read_to_string(new.path().join(DEPS)).unwrap_or_default());
        cache.keep(&key, new, &included)
    }

    fn command(&self, source: &Path, folder: &Path) -> Vec<OsString> {
        let mut command = self.language.compile_command(source, folder, &self.flags);
        let cxx = self.build.cxx.as_ref().filter(|_| self.language.name == CXX);
        if let (Some(cxx), Some(compiler)) = (cxx, command.first_mut()) {
            *compiler = cxx.into();
        }
        command
    }

    /// Returns the compile command for a message: up to the flags if it has flags, and the source.
    fn shown(&self) -> String {
        let source = self.source.strip_prefix(".").unwrap_or(self.source);
        let mut words = self.command(source, Path::new("."));
        if let Some(at) = self.language.compile.iter().position(|word| word == "{flags}") {
            words.truncate(at + self.flags.len());
            words.push(source.into());
        }
        words.iter().map(|word| quoted(word)).join(" ")
    }

    /// Returns the key of the program: a hash of the source's path and content, the compiler's path and modification
    /// time, and the command. The source's path matters because the source may include other files.
    fn key(&self) -> anyhow::Result<Key> {
        let path = fs::canonicalize(self.source)?;
        let command = self.command(self.source, Path::new(""));
        let compiler = command.first().context("expected a compiler")?;
        let Ok(compiler) = program::find(compiler) else {
            bail!("{} was not found: install it, or name another compiler in judge.toml", compiler.display());
        };
        let compiler = fs::canonicalize(compiler)?;
        let version = format!("{:?}", fs::metadata(&compiler).and_then(|data| data.modified()).ok());
        let content = OsStr::from_bytes(&self.content);
        let parts = [path.as_os_str(), content, compiler.as_os_str(), OsStr::new(&version)];
        Ok(Key::of(parts.into_iter().chain(command.iter().map(OsString::as_os_str))))
    }

    /// Returns the path of the source, or of a copy in `folder` if the file must have the name of the main class.
    fn named_source(&self, folder: &Path) -> anyhow::Result<PathBuf> {
        if self.class.is_empty() || self.source.file_stem() == Some(OsStr::new(&self.class)) {
            return Ok(self.source.to_owned());
        }
        let copy = folder.join(&self.class).with_extension("java");
        fs::write(&copy, &self.content)?;
        Ok(copy)
    }
}

/// A lock for each program that a thread of this judge compiles, so that no two threads compile the same one: the second
/// finds it in the cache.
static COMPILING: Mutex<BTreeMap<Key, Arc<Mutex<()>>>> = Mutex::new(BTreeMap::new());

/// A compiler that did not accept its source.
#[derive(Debug)]
pub struct CompileError {
    compiler: String,
    end: String,
    /// The last lines of the compiler.
    pub messages: Vec<String>,
}

impl fmt::Display for CompileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.compiler, self.end)?;
        if self.messages.iter().any(|line| line.contains("testlib.h: No such file")) {
            f.write_str("; put testlib.h beside the source: it is in github.com/MikeMirzayanov/testlib")?;
        }
        Ok(())
    }
}

impl std::error::Error for CompileError {}

/// Starts a command with limits on the CPU time and the writable memory of each process, and on the size of a file, in
/// blocks of 512 bytes. Unlike a limit on addresses, that on memory lets virtual machines reserve what they do not use. If
/// a limit is refused, a lower one holds already.
const WITH_LIMITS: &str = r#"ulimit -t "$0" 2>/dev/null; ulimit -d "$1" 2>/dev/null; ulimit -f 2097152 2>/dev/null; shift; exec "$@""#;

/// Runs a compiler. Its stdout and stderr go to the judge's stderr, unless the options are quiet.
/// The error of a compiler that fails or takes too long is a [`CompileError`].
pub(super) fn run(command: &[OsString], options: &BuildOptions) -> anyhow::Result<()> {
    let (compiler, args) = command.split_first().context("expected a compiler")?;
    let (mut messages, write) = io::pipe()?;
    let mut command = match options.limits {
        Some(CompilerLimits { cpu_s, memory_kib, .. }) => {
            let mut shell = Command::new("sh");
            shell.args(["-c", WITH_LIMITS, &cpu_s.to_string(), &memory_kib.to_string()]).arg(compiler);
            shell
        }
        None => Command::new(compiler),
    };
    // Stdout is reserved for the judge's report.
    command.args(args).stdin(Stdio::null()).stdout(write.try_clone()?).stderr(write).process_group(0);
    let (child, _started) = children::spawn(&mut command)?;
    // The judge's own ends of the pipe are closed here, so that the pipe ends with the compiler.
    drop(command);
    let last = Arc::new(Mutex::new(StderrExcerpt::new(0, STDERR_SHOWN)));
    let kept = Arc::clone(&last);
    let is_quiet = options.is_quiet;
    let passed_on = thread::spawn(move || {
        let mut buffer = [0; 4096];
        while let Ok(size @ 1..) = messages.read(&mut buffer) {
            if !is_quiet {
                let _ = io::stderr().write_all(&buffer[..size]);
            }
            kept.lock().unwrap_or_else(PoisonError::into_inner).extend(&buffer[..size]);
        }
    });
    let ended = wait(child, options.limits.map(|limits| limits.wall))?;
    // A process that the compiler left running may hold the pipe open.
    let deadline = Instant::now() + LAST_MESSAGES;
    while !passed_on.is_finished() && Instant::now() < deadline {
        thread::sleep(POLL_INTERVAL);
    }
    let end = match ended {
        Ok(status) if status.success() => return Ok(()),
        Ok(status) => format!("ended with {status}"),
        Err(limit) => format!("did not end within {} s", limit.as_secs_f64()),
    };
    let compiler = compiler.to_string_lossy().into_owned();
    let messages = shown_lines(&last.lock().unwrap_or_else(PoisonError::into_inner));
    Err(CompileError { compiler, end, messages }.into())
}

/// Waits until a compiler ends. Kills it and its children after Ctrl-C, and at the limit, which is then returned.
fn wait(mut compiler: Child, limit: Option<Duration>) -> anyhow::Result<Result<ExitStatus, Duration>> {
    let started = Instant::now();
    loop {
        if let Some(status) = compiler.try_wait()? {
            return Ok(Ok(status));
        }
        let reached = limit.filter(|&limit| started.elapsed() > limit);
        if interrupted() || reached.is_some() {
            let _ = kill_process_group(Pid::from_child(&compiler), Signal::KILL);
            compiler.wait()?;
            children::kill_orphans();
            return reached.map(Err).context("interrupted");
        }
        thread::sleep(POLL_INTERVAL);
    }
}

/// Returns the files that a source includes, and the source itself if the compiler lists it. `deps` is the compiler's
/// list in the format of `make`: `target: file file \`.
fn included(deps: &str) -> Vec<PathBuf> {
    let first = deps.replace("\\\n", " ");
    let rule = first.lines().next().unwrap_or_default();
    let Some((_, files)) = rule.split_once(": ") else { return Vec::new() };
    // A blank in a name is written as "\ ".
    let files = files.replace("\\ ", "\0");
    let files = files.split_ascii_whitespace().map(|file| PathBuf::from(file.replace('\0', " ")));
    files.map(|file| std::path::absolute(&file).unwrap_or(file)).collect()
}
