//! Bots given as source files.

use std::fs;
use std::process::{Command, Output};

use crate::support::{Printed, TestDir, has_program, sandbox_options, skip, start};

// The same bot in each language: it wins 6 1 2 against the opponent `slow`. The bot in C++ includes a header, and the
// name of the Java file differs from the name of its public class.
const CPP: &str = include_str!("../../sources/bot.cpp");
const MOVES: &str = include_str!("../../sources/moves.h");
const JAVA: &str = include_str!("../../sources/bot.java");
const RUST: &str = include_str!("../../sources/my-bot.rs");
const PYTHON: &str = include_str!("../../sources/bot.py");
const JAVASCRIPT: &str = include_str!("../../sources/bot.js");
const SHELL: &str = include_str!("../../sources/bot.sh");

/// A directory with sources and a separate cache.
struct Sources(TestDir);

impl Sources {
    fn new(files: &[(&str, &str)]) -> Self {
        let here = TestDir::new();
        here.directory("cache");
        for (name, content) in files {
            here.write(name, content);
        }
        Self(here)
    }

    fn command(&self, args: &str) -> Command {
        let mut judge = crate::support::command(args, &[]);
        judge.current_dir(self.0.path()).env("XDG_CACHE_HOME", self.0.file("cache"));
        judge
    }

    fn judge(&self, args: &str) -> Output {
        self.command(args).output().unwrap()
    }

    /// Checks that the bot wins the game for which its moves were chosen. Returns the judge's stderr.
    #[track_caller]
    fn assert_wins(&self, args: &str) -> String {
        let output = self.judge(&format!("run 6 1 2 --opponent slow --time-limit 20 {args}"));
        output.prints("WON 6 1 2 as First against slow").exits(0);
        output.err().to_owned()
    }

    fn programs(&self) -> usize {
        let entries = fs::read_dir(self.0.path().join("cache/zeroxor-judge")).unwrap();
        entries.filter(|entry| entry.as_ref().unwrap().path().is_dir()).count()
    }
}

/// Checks that a source in each of six languages can play, in the sandbox too, and that it can be named in four ways.
#[test]
fn a_source_file_can_be_the_bot() {
    for (program, name, content) in [
        ("g++", "bot.cpp", CPP),
        ("rustc", "my-bot.rs", RUST),
        ("javac", "bot.java", JAVA),
        ("node", "bot.js", JAVASCRIPT),
        ("python3", "bot.py", PYTHON),
        ("sh", "bot.sh", SHELL),
    ] {
        if program != "sh" && !has_program(program) {
            continue;
        }
        let sources = Sources::new(&[(name, content), ("moves.h", MOVES)]);
        let forms = ["-- bot.sh", "-- ./bot.sh", "./bot.sh word"].into_iter().filter(|_| program == "sh");
        // In the sandbox a bot of root runs as another user.
        for form in sandbox_options().map(|option| format!("{option} {name}")).chain(forms.map(str::to_owned))
        {
            assert_eq!(sources.assert_wins(&form), "", "{form}");
        }
    }
}

/// Checks that each command accepts a source, shows the error of its compiler on stderr, plays no game, and caches nothing.
/// For `judge run` and `judge test`, a source that does not compile has a verdict.
#[test]
fn a_source_that_does_not_compile() {
    if !has_program("g++") {
        return;
    }
    let sources = Sources::new(&[("bot.cpp", "int main() { return x; }\n"), ("game.in", "6 1 2\n")]);
    sources.judge("run 6 1 2 --transcript game.jsonl").exits(0);
    let reason = "the source ./bot.cpp could not be compiled: g++ exited with code 1";
    let run = format!("COMPILE_ERROR {reason}\n");
    for (args, code, shown) in [
        ("run 6 1 2 bot.cpp", 1, &*run),
        ("test -f game.in bot.cpp", 1, &run),
        ("replay game.jsonl --against -- bot.cpp", 2, ""),
        ("lint --family segment bot.cpp", 2, ""),
        ("stress --family nim bot.cpp", 2, ""),
    ] {
        let output = sources.judge(args);
        let stderr = output.exits(code).complains("bot.cpp:1:21: error: ").err();
        assert_eq!(stderr.ends_with(&format!("judge: {reason}\n")), code == 2, "{args}: {stderr}");
        assert_eq!(output.out(), shown, "{args}");
    }
    for (args, class, code) in [
        ("run 6 1 2 --json bot.cpp", "compile_error", 1),
        ("run --json --interactor bot.cpp -- cat", "interactor_compile_error", 2),
    ] {
        let line = sources.judge(args).exits(code).report();
        assert!(line["class"] == class && line["why"].to_string().contains("error: "), "{line}");
    }
    let cached = fs::read_dir(sources.0.path().join("cache/zeroxor-judge")).unwrap();
    assert_eq!(cached.count(), 0);
}

#[test]
fn a_language_without_its_compiler() {
    let sources = Sources::new(&[("bot.cpp", CPP), ("bot.rb", "")]);
    sources.judge("run 6 1 2 --cxx no-such-compiler bot.cpp").says("judge: the source ./bot.cpp could not be compiled: no-such-compiler was not found: install it, or name another compiler in judge.toml");
    // The options are also for the sources of one program.
    sources.0.directory("two");
    for name in ["two/a.cpp", "two/b.cpp"] {
        sources.0.write(name, "");
    }
    sources
        .judge("run --interactor cat --cxx no-such-compiler -- two")
        .exits(1)
        .prints("COMPILE_ERROR two could not be built: no-such-compiler exited with code 127\n");
    sources.0.program("fails/build", "#!/bin/sh\nexit 3\n");
    sources
        .judge("run --interactor cat -- fails")
        .exits(1)
        .prints("fails could not be built: its script \"build\" failed: ");
    sources.command("run 6 1 2 bot.rb").env("PATH", sources.0.path()).output().unwrap().says("judge: the bot bot.rb could not be started: ruby, which runs ruby sources, was not found: install it, or name another program in judge.toml");
}

/// Checks that a compiled program is used again until its source, an included file or the compile command changes.
#[test]
fn compiled_programs_are_cached() {
    if !has_program("g++") {
        return;
    }
    let sources = Sources::new(&[("bot.cpp", CPP), ("moves.h", MOVES)]);
    let wins = |args: &str, words: &str| {
        let stderr = sources.assert_wins(args);
        assert!(stderr.starts_with(&format!("judge: {words}")), "{args}: {stderr}");
    };
    wins("bot.cpp -v", "compiling with g++ '-std=gnu++20' -O2 -DONLINE_JUDGE bot.cpp\n");
    wins("bot.cpp -v", "already compiled with g++ ");
    assert_eq!(sources.programs(), 1);
    sources.0.write("moves.h", MOVES.replace("3 2", "3 9"));
    sources
        .judge("run 6 1 2 --opponent slow -v bot.cpp")
        .complains("judge: compiling with ")
        .prints("ILLEGAL 6 1 2")
        .prints("stderr: flags: contest argument: none");
    // The program that was compiled before is still in the cache.
    sources.0.write("moves.h", MOVES);
    wins("bot.cpp -v", "already compiled with ");
    sources.0.write("bot.cpp", format!("{CPP}\n"));
    wins("bot.cpp -v", "compiling with ");
    wins("bot.cpp -v --cxx c++", "compiling with c++ ");
    // Custom flags are part of the command that plays a game again.
    let again =
        "again: judge run 1 1 1 --opponent perfect --seed 1 --release-flags '-O0 -g' -- bot.cpp word\n";
    let mut judge = sources.command("run 1 1 1 bot.cpp word --release-flags");
    judge.args(["-O0 -g"]).output().unwrap().prints("stderr: flags: own argument: word").prints(again);
}

/// Checks that judges that run at the same time share one compiled program, and that they do not mix the programs of other
/// sources.
#[test]
fn judges_at_the_same_time() {
    for (compiler, files, programs) in [
        ("g++", [("bot.cpp", CPP); 3], 1),
        // Their compiler has files of its own beside the program.
        ("rustc", [("one.rs", RUST), ("two.rs", RUST), ("three.rs", RUST)], 3),
    ] {
        if !has_program(compiler) {
            continue;
        }
        let sources = Sources::new(&[&files[..], &[("moves.h", MOVES)]].concat());
        let run = |name| sources.command(&format!("run 6 1 2 --opponent slow --time-limit 20 {name}"));
        for judge in files.map(|(name, _)| start(&mut run(name))) {
            judge.wait_with_output().unwrap().exits(0).says("");
        }
        assert_eq!(sources.programs(), programs);
    }
}

/// Checks that an executable script is started by its `#!` line, or as a source if the interpreter does not exist.
#[test]
fn a_script_with_an_interpreter_of_its_own() {
    let sources = Sources::new(&[]);
    for (name, interpreter, script) in [("bot.py", "/bin/sh", SHELL), ("other.py", "/no/such/python", PYTHON)]
    {
        sources.0.program(name, &format!("#!{interpreter}\n{script}"));
        sources.assert_wins(name);
    }
}

/// Checks a bot in each of five languages whose compiler or interpreter few machines have. `.ci/run` installs the
/// compilers and interpreters that Debian has in the required version. Debian has no Kotlin compiler, and no Node.js
/// that reads TypeScript.
#[test]
fn rarer_languages() {
    for (file, needed) in [
        ("symmetry.go", "go version"),
        ("symmetry.hs", "ghc --version"),
        ("symmetry.kt", "kotlinc -version && java -version"),
        ("symmetry.rb", "ruby --version"),
        ("symmetry.ts", "node --experimental-strip-types --version"),
    ] {
        if !Command::new("sh").args(["-c", needed]).output().unwrap().status.success() {
            skip(format!("{file}: \"{needed}\" does not run"));
            continue;
        }
        let sources = Sources::new(&[]);
        let bot = crate::support::bot(&format!("languages/{file}"));
        // Keep Go's cache out of the home directory.
        let run = format!("run 20 3 5 --time-limit 30 --memory-limit 4G {bot}");
        let output = sources.command(&run).env("GOCACHE", sources.0.file("go")).output().unwrap();
        output.exits(0).begins("WON 20 3 5 as First against perfect");
    }
}
