//! The language of a program, as far as its command shows it, and how its output is flushed in this language.

use std::ffi::{OsStr, OsString};
use std::path::Path;

/// A language, or none if the command shows none, such as that of a compiled program.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct CommandLanguage(Option<&'static Known>);

/// The extensions of the sources of a language, the names without digits and dots at the end of the programs that run
/// them, and what follows "flush stdout after every line: ".
type Known = (&'static [&'static str], &'static [&'static str], &'static str);

/// C and C++ come first.
static KNOWN: [Known; 17] = [
    (&["c"], &[], "fflush(stdout); a newline does not flush"),
    (
        &["cpp", "cc", "cxx", "c++", "C"],
        &[],
        "cout << endl or cout << flush, and fflush(stdout) after printf; '\\n' does not flush",
    ),
    (&["rs"], &[], "flush() of the BufWriter, or of io::stdout() after print!"),
    (&["go"], &[], "Flush() of the bufio.Writer"),
    (
        &["hs", "lhs"],
        &["runghc", "runhaskell"],
        "hFlush stdout, or once at the start hSetBuffering stdout LineBuffering",
    ),
    (
        &["java", "kt", "kts", "scala", "sc", "groovy", "jar"],
        &["java", "kotlin", "scala", "groovy"],
        "flush() of the PrintWriter, of the BufferedWriter or of System.out",
    ),
    (
        &["cs", "csx", "fs", "fsx", "vb"],
        &["dotnet", "mono"],
        "Flush() of the StreamWriter or of Console.Out, or AutoFlush = true of the StreamWriter",
    ),
    (&["pas", "pp", "dpr"], &[], "flush(output)"),
    (&["py"], &["python", "pypy"], "print(..., flush=True) or sys.stdout.flush()"),
    (
        &["js", "mjs", "cjs", "ts"],
        &["node", "deno", "bun"],
        "write each line at once, by console.log or process.stdout.write, and not all lines at the end",
    ),
    (&["rb"], &["ruby"], "$stdout.flush, or once at the start $stdout.sync = true"),
    (&["pl"], &["perl"], "once at the start $| = 1"),
    (&["php"], &["php"], "fflush(STDOUT), and flush() after echo"),
    (&["lua"], &["lua", "luajit"], "io.stdout:flush(), or once at the start io.stdout:setvbuf(\"no\")"),
    (&["ml"], &["ocaml"], "flush stdout, print_endline, or %! at the end of a format"),
    (&["jl"], &["julia"], "flush(stdout)"),
    (&["swift"], &[], "fflush(stdout)"),
];

impl CommandLanguage {
    /// Returns the language of the first word of a command that names a source, or a program that runs sources.
    pub(crate) fn of_command(words: &[OsString]) -> Self {
        let of_word = |path: &Path| {
            let extension = path.extension().and_then(OsStr::to_str).unwrap_or_default();
            let name = path.file_name().and_then(OsStr::to_str).unwrap_or_default();
            let program = name.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
            let of_source = KNOWN.iter().find(|(extensions, ..)| extensions.contains(&extension));
            of_source.or_else(|| KNOWN.iter().find(|(_, programs, _)| programs.contains(&program)))
        };
        Self(words.iter().map(Path::new).find_map(of_word))
    }

    pub(crate) fn flush(self) -> String {
        match self.0 {
            Some((_, _, flush)) => format!("flush stdout after every line: {flush}"),
            None => {
                "flush stdout after every line, as print(..., flush=True), cout << endl, fflush(stdout) and \
                     System.out.flush() do; a newline does not"
                    .to_owned()
            }
        }
    }

    /// Returns which two ways to write or to read a source mixes that do not share a buffer.
    pub(crate) fn mixed_streams(self, source: &str) -> Option<&'static str> {
        const UNSYNCED: [&str; 2] = ["sync_with_stdio(false", "sync_with_stdio(0"];
        let has = |words: &[&str]| words.iter().any(|word| source.contains(word));
        if self != Self(Some(&KNOWN[1])) || !has(&UNSYNCED) {
            None
        } else if has(&["cout"]) && has(&["printf(", "puts(", "putchar("]) {
            Some("cout and printf")
        } else if has(&["cin"]) && has(&["scanf(", "getchar(", "fgets("]) {
            Some("cin and scanf")
        } else {
            None
        }
    }

    pub(crate) fn is_known(self) -> bool {
        self.0.is_some()
    }

    pub(crate) fn may_be_c(self) -> bool {
        self.0.is_none_or(|known| KNOWN[..2].contains(known))
    }
}

#[cfg(test)]
mod tests {
    use itertools::Itertools;

    use super::*;

    #[test]
    fn languages_of_commands() {
        for (command, expected) in [
            ("bot.cpp", Some("cpp")),
            ("./a.out", None),
            ("python3 bot", Some("py")),
            ("/usr/bin/python3.12 -u bot", Some("py")),
            ("perl -w x.pl", Some("pl")),
            ("java -cp . Main", Some("java")),
            ("/x/cache/Main.kt", Some("java")),
            ("bot.scala", Some("java")),
            ("sh -c python3", Some("py")),
            ("./c", None),
        ] {
            let words: Vec<OsString> = command.split(' ').map(OsString::from).collect();
            let seen = CommandLanguage::of_command(&words).0.map(|(extensions, ..)| extensions[0]);
            assert_eq!(seen, expected, "{command}");
        }
    }

    #[test]
    fn each_name_is_of_one_language() {
        assert!(KNOWN.iter().flat_map(|(extensions, ..)| *extensions).all_unique());
        assert!(KNOWN.iter().flat_map(|(_, programs, _)| *programs).all_unique());
    }
}
