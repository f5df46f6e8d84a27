//! Compiles a source, or finds its program in the cache.

use std::ffi::{OsStr, OsString};
use std::fmt;
use std::fs::{self, Permissions};
use std::io::{self, Write};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, bail};
use itertools::{Itertools, chain};

use super::language::{CXX, DEPS, GO, Language};
use super::{BuildOptions, Builder, cache};
use crate::escape::quoted;
use crate::event::Exit;
use crate::limits::{DEFAULT_LIMITS, Limits, LimitsBy, STDERR_SHOWN};
use crate::message::print_error;
use crate::program;
use crate::sandbox::Sandbox;
use crate::stderr_excerpt::{StderrExcerpt, shown_lines};
use crate::to_end::{Ended, ProgramOutput};
use crate::warden::{Confinement, Warden};

impl Builder<'_> {
    /// Returns the command that runs the program of a source. Compiles the source unless the program is in the cache.
    pub(super) fn compile(self, source: &Path, language: &Language) -> anyhow::Result<Vec<OsString>> {
        let content = fs::read(source)?;
        let language = self.options.apply_to(language)?;
        let class = language.class_of(source, &content).unwrap_or_default();
        let key = key(source, &content, &language)?;
        let report = |what: &str| {
            if self.is_verbose {
                print_error(format_args!("{what} with {}", shown(source, &language)));
            }
        };
        let mut is_new = false;
        let folder = cache::folder(&key, |new| {
            is_new = true;
            let mut named = source.to_owned();
            let name = language.file_name(source, &content);
            if source.file_name() != Some(name.as_os_str()) {
                named = new.join(name);
                fs::write(&named, content)?;
            }
            report("compiling");
            self.options.run(&language.compile_command(&[named], new), new)?;
            Ok(included(&fs::read_to_string(new.join(DEPS)).unwrap_or_default()))
        })?;
        if !is_new {
            report("already compiled");
        }
        Ok(language.run_command(source, &folder, &class))
    }
}

/// Returns the compile command for a message: the words up to the flags, the flags, and the source.
fn shown(source: &Path, language: &Language) -> String {
    let source = source.strip_prefix(".").unwrap_or(source).as_os_str();
    let compiler = language.compile.iter().take_while(|word| !word.contains('{'));
    chain!(compiler.chain(&language.flags).map(OsStr::new), [source]).map(quoted).join(" ")
}

/// Returns the key of a program: a hash of the source's path and content, the compiler's path and modification time, and
/// the command. The source's path matters because the source may include other files.
fn key(source: &Path, content: &[u8], language: &Language) -> anyhow::Result<String> {
    let path = fs::canonicalize(source)?;
    let command = language.compile_command(&[source], Path::new(""));
    let compiler = command.first().context("expected a compiler")?;
    let Ok(compiler) = program::find(compiler) else {
        bail!("{} was not found: install it, or name another compiler in judge.toml", compiler.display());
    };
    let compiler = fs::canonicalize(compiler)?;
    let version = format!("{:?}", fs::metadata(&compiler).and_then(|data| data.modified()).ok());
    let parts = [path.as_os_str(), OsStr::from_bytes(content), compiler.as_os_str(), OsStr::new(&version)];
    Ok(cache::hash(parts.into_iter().chain(command.iter().map(OsString::as_os_str))))
}

#[derive(Debug)]
pub struct CompileError {
    compiler: String,
    ended: Ended,
    pub messages: Vec<String>,
}

impl fmt::Display for CompileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.compiler, self.ended)?;
        if self.messages.iter().any(|line| line.contains("testlib.h: No such file")) {
            f.write_str("; put testlib.h beside the source: it is in github.com/MikeMirzayanov/testlib")?;
        }
        Ok(())
    }
}

impl std::error::Error for CompileError {}

/// Starts a command with its stdout joined to stderr.
const JOINED: &str = r#"exec "$@" >&2"#;

/// Starts a command with limits on the CPU time and the writable memory of each process, and on the size of a file, in
/// seconds, KiB, and blocks of 512 bytes. Unlike a limit on addresses, that on memory lets virtual machines reserve what
/// they do not use. If a limit is refused, a lower one holds already. The command gets folders for temporary files and for
/// Go's cache.
const CONFINED: &str = r#"ulimit -t 60 2>/dev/null; ulimit -d 4194304 2>/dev/null; ulimit -f 2097152 2>/dev/null
export TMPDIR="$1" JAVA_OPTS="-Djava.io.tmpdir=$1" GOCACHE="$2"; shift 2; exec "$@" >&2"#;

const MAX_PROCESSES: u64 = 512;

/// The time until the judge ends a compiler, and one that is confined. It may wait on a busy machine.
const MAX_WALL: Duration = Duration::from_secs(24 * 3600);
const MAX_CONFINED_WALL: Duration = Duration::from_secs(600);

impl BuildOptions {
    /// Returns the language with the compiler and the flags of these options.
    pub(super) fn apply_to(&self, language: &Language) -> anyhow::Result<Language> {
        let mut language = language.clone();
        if let Some(flags) = &self.release_flags {
            let split = shlex::split(flags);
            language.flags = split.with_context(|| format!("unclosed quote in the flags: {flags}"))?;
        }
        if let (CXX, Some(cxx), Some(compiler)) = (&*language.name, &self.cxx, language.compile.first_mut()) {
            compiler.clone_from(cxx);
        }
        Ok(language)
    }

    /// Runs a compiler, which writes its program in `folder`. Its stdout and stderr go to the judge's stderr, unless it is
    /// confined. The error of a compiler that fails or takes too long is a [`CompileError`].
    pub(super) fn run(&self, command: &[OsString], folder: &Path) -> anyhow::Result<()> {
        let compiler = command.first().context("expected a compiler")?;
        let temporary = tempfile::Builder::new().prefix("judge-compiler-").tempdir()?;
        let mut confinement = Confinement {
            limits: Limits { processes: MAX_PROCESSES, wall: MAX_WALL, ..DEFAULT_LIMITS },
            limits_by: LimitsBy::Proc,
            writable: vec![folder.to_owned(), temporary.path().to_owned()],
            are_compilers: true,
            ..Confinement::default()
        };
        let mut words = ["sh", "-c", JOINED, "sh"].map(OsString::from).to_vec();
        if let Some(sandbox) = self.confined {
            let go_cache = cache::cache()?.join("go");
            fs::create_dir_all(&go_cache)?;
            words[2] = CONFINED.into();
            words.extend([temporary.path(), &go_cache].map(OsString::from));
            // Compilers of other languages may run code of their source, which could forge programs of others in it.
            confinement.writable.extend(Some(go_cache).filter(|_| compiler == GO));
            (confinement.sandbox, confinement.limits.wall) = (sandbox, MAX_CONFINED_WALL);
        }
        words.extend_from_slice(command);
        let warden = Warden::start("the compiler", &confinement)?;
        let ProgramOutput { ended, stderr, .. } = warden.run_to_end(&words, &[], confinement.limits)?;
        if self.confined.is_none() {
            let _ = io::stderr().write_all(&stderr);
        }
        if ended != Ended::Exited(Exit::Code(0)) {
            let compiler = compiler.to_string_lossy().into_owned();
            let mut messages = StderrExcerpt::new(0, STDERR_SHOWN);
            messages.extend(&stderr);
            return Err(CompileError { compiler, ended, messages: shown_lines(&messages) }.into());
        }
        if confinement.sandbox != Sandbox::None {
            // The compiler could not make its program executable.
            for entry in fs::read_dir(folder)? {
                let entry = entry?;
                if entry.file_type()?.is_file() {
                    fs::set_permissions(entry.path(), Permissions::from_mode(0o755))?;
                }
            }
        }
        Ok(())
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
