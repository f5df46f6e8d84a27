//! The language of a program, as far as its command shows it, and how its output is flushed in this language.

use std::ffi::OsString;
use std::path::Path;

/// A language, or none if the command shows none, such as that of a compiled program.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Language(Option<&'static Known>);

#[derive(Debug, PartialEq, Eq)]
struct Known {
    /// The extensions of its sources.
    extensions: &'static [&'static str],
    /// Follows "flush stdout after every line: ".
    flush: &'static str,
}

const C: Known = Known { extensions: &["c"], flush: "fflush(stdout); a newline does not flush" };

const CPP: Known = Known {
    extensions: &["cpp", "cc", "cxx", "c++", "C"],
    flush: "cout << endl or cout << flush, and fflush(stdout) after printf; '\\n' does not flush",
};

static KNOWN: [Known; 17] = [
    C,
    CPP,
    Known { extensions: &["rs"], flush: "flush() of the BufWriter, or of io::stdout() after print!" },
    Known { extensions: &["go"], flush: "Flush() of the bufio.Writer" },
    Known {
        extensions: &["hs", "lhs"],
        flush: "hFlush stdout, or once at the start hSetBuffering stdout LineBuffering",
    },
    Known {
        extensions: &["java", "kt", "kts", "scala", "sc", "groovy", "jar"],
        flush: "flush() of the PrintWriter, of the BufferedWriter or of System.out",
    },
    Known {
        extensions: &["cs", "csx", "fs", "fsx", "vb"],
        flush: "Flush() of the StreamWriter or of Console.Out, or AutoFlush = true of the StreamWriter",
    },
    Known { extensions: &["pas", "pp", "dpr"], flush: "flush(output)" },
    Known { extensions: &["py"], flush: "print(..., flush=True) or sys.stdout.flush()" },
    Known {
        extensions: &["js", "mjs", "cjs", "ts"],
        flush: "write each line at once, by console.log or process.stdout.write, and not all lines at the end",
    },
    Known { extensions: &["rb"], flush: "$stdout.flush, or once at the start $stdout.sync = true" },
    Known { extensions: &["pl"], flush: "once at the start $| = 1" },
    Known { extensions: &["php"], flush: "fflush(STDOUT), and flush() after echo" },
    Known {
        extensions: &["lua"],
        flush: "io.stdout:flush(), or once at the start io.stdout:setvbuf(\"no\")",
    },
    Known { extensions: &["ml"], flush: "flush stdout, print_endline, or %! at the end of a format" },
    Known { extensions: &["jl"], flush: "flush(stdout)" },
    Known { extensions: &["swift"], flush: "fflush(stdout)" },
];

/// The names of the programs that run sources, without digits and dots at the end, with an extension of these sources.
const PROGRAMS: [(&[&str], &str); 11] = [
    (&["runghc", "runhaskell"], "hs"),
    (&["java", "kotlin", "scala", "groovy"], "java"),
    (&["dotnet", "mono"], "cs"),
    (&["python", "pypy"], "py"),
    (&["node", "deno", "bun"], "js"),
    (&["ruby"], "rb"),
    (&["perl"], "pl"),
    (&["php"], "php"),
    (&["lua", "luajit"], "lua"),
    (&["ocaml"], "ml"),
    (&["julia"], "jl"),
];

impl Language {
    #[cfg(test)]
    pub(crate) const UNKNOWN: Self = Self(None);

    /// Returns the language that a command shows: that of its first word that is the name of a source, or of a program
    /// that runs sources.
    pub(crate) fn of_command(words: &[OsString]) -> Self {
        let with_extension =
            |extension: &str| KNOWN.iter().find(|known| known.extensions.contains(&extension));
        let of_program = |name: &str| {
            let name = name.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
            let (_, extension) = PROGRAMS.iter().find(|(programs, _)| programs.contains(&name))?;
            with_extension(extension)
        };
        let of_word = |path: &Path| {
            let known = path.extension().and_then(|extension| with_extension(extension.to_str()?));
            known.or_else(|| of_program(path.file_name()?.to_str()?))
        };
        Self(words.iter().map(Path::new).find_map(of_word))
    }

    pub(crate) fn flush(self) -> String {
        match self.0 {
            Some(known) => format!("flush stdout after every line: {}", known.flush),
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
        self.0.is_none_or(|known| [C, CPP].contains(known))
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
            let seen = Language::of_command(&words).0.map(|known| known.extensions[0]);
            assert_eq!(seen, expected, "{command}");
        }
    }

    #[test]
    fn each_name_is_of_one_language() {
        assert!(KNOWN.iter().flat_map(|known| known.extensions).all_unique());
        assert!(PROGRAMS.iter().flat_map(|(programs, _)| *programs).all_unique());
        for (_, extension) in PROGRAMS {
            assert!(KNOWN.iter().any(|known| known.extensions.contains(&extension)), "{extension}");
        }
    }
}
