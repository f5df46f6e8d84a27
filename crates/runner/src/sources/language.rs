//! The languages of sources: how a source is compiled and run.

use std::ffi::OsString;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};
use std::slice;

use itertools::Itertools;

use crate::escape::with_values;

/// A language. The words of its commands may have placeholders: `{source}` is the source file, `{dir}` the folder of
/// the compiled program, `{program}` a file in that folder, `{class}` the main class of a source in Java, `{deps}` the
/// file to which the compiler writes the names of included files. The word `{flags}` is replaced by all flags.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Language {
    pub name: String,
    pub extensions: Vec<String>,
    /// The command that compiles a source; empty if the source is run without compilation.
    pub compile: Vec<String>,
    pub flags: Vec<String>,
    pub run: Vec<String>,
}

/// The name of the language whose compiler `--cxx` chooses.
pub(super) const CXX: &str = "cpp";

/// The name of the language whose compiler gets only the main source of a program, and finds the other sources itself.
pub(super) const RUST: &str = "rust";

/// The name of the language whose compiler keeps a cache, and the name of that compiler.
pub(super) const GO: &str = "go";

/// The languages that the judge knows: name, extensions, compile command, flags, and run command.
const KNOWN: &str = "
c          | c          | gcc {flags} -MMD -MF {deps} -o {program} {source} -lm | -std=gnu17 -O2 -DONLINE_JUDGE | {program}
cpp        | cpp cc cxx | g++ {flags} -MMD -MF {deps} -o {program} {source} | -std=gnu++20 -O2 -DONLINE_JUDGE | {program}
rust       | rs         | rustc {flags} --crate-name bot --out-dir {dir} --emit=link={program},dep-info={deps} {source} | --edition 2024 -O | {program}
go         | go         | go build {flags} -o {program} {source} | | {program}
haskell    | hs         | ghc {flags} -v0 -outputdir {dir} -o {program} {source} | -O2 | {program}
java       | java       | javac {flags} -d {dir} {source} | -encoding UTF-8 | java -XX:+UseSerialGC -cp {dir} {class}
kotlin     | kt         | kotlinc {flags} -include-runtime -d {program}.jar {source} | | java -XX:+UseSerialGC -jar {program}.jar
csharp     | cs         | mcs {flags} -out:{program} {source} | -optimize+ | mono {program}
pascal     | pas        | fpc {flags} -FU{dir} -o{program} {source} | -O2 -v0 | {program}
python     | py         | |  | python3 {source}
javascript | js mjs cjs | |  | node {source}
typescript | ts         | |  | node --experimental-strip-types --no-warnings {source}
ruby       | rb         | |  | ruby {source}
perl       | pl         | |  | perl {source}
shell      | sh         | |  | sh {source}
";

pub fn known() -> Vec<Language> {
    let words = |text: &str| text.split_whitespace().map(str::to_owned).collect_vec();
    let known = KNOWN.lines().filter_map(|line| {
        let [name, extensions, compile, flags, run] = line.split('|').map(words).collect_array()?;
        Some(Language { name: name.concat(), extensions, compile, flags, run })
    });
    known.collect()
}

pub fn of<'a>(file: &Path, languages: &'a [Language]) -> Option<&'a Language> {
    let extension = file.extension()?.to_str()?;
    languages.iter().find(|language| language.extensions.iter().any(|known| known == extension))
}

impl Language {
    /// Returns the main class of a source, if the language runs a class, as Java does.
    pub(super) fn class_of(&self, source: &Path, content: &[u8]) -> Option<String> {
        let runs_class = self.run.iter().any(|word| word.contains("{class}"));
        let stem = source.file_stem().unwrap_or_default().to_string_lossy();
        let is_source = of(source, slice::from_ref(self)).is_some();
        (runs_class && is_source).then(|| main_class(&String::from_utf8_lossy(content), &stem))
    }

    /// Returns the file name with which the compiler accepts a source. In Java, a file has the name of its public class.
    pub(super) fn file_name(&self, source: &Path, content: &[u8]) -> PathBuf {
        match self.class_of(source, content) {
            Some(class) => PathBuf::from(class).with_extension(source.extension().unwrap_or_default()),
            None => source.file_name().unwrap_or_default().into(),
        }
    }

    /// Returns the command that compiles the sources of one program. A word with `{source}` is repeated for each source.
    pub(super) fn compile_command(&self, sources: &[impl AsRef<Path>], folder: &Path) -> Vec<OsString> {
        let words = self.compile.iter().flat_map(|word| match &**word {
            "{flags}" => &self.flags[..],
            _ => slice::from_ref(word),
        });
        let filled = words.flat_map(|word| {
            let count = if word.contains("{source}") { sources.len() } else { 1 };
            sources.iter().take(count).map(|source| fill(word, source.as_ref(), folder, ""))
        });
        filled.collect()
    }

    /// Returns the command that runs a source, or the program compiled from it in `folder`; `class` is the main class.
    pub(super) fn run_command(&self, source: &Path, folder: &Path, class: &str) -> Vec<OsString> {
        self.run.iter().map(|word| fill(word, source, folder, class)).collect()
    }
}

/// The file in a program's folder to which a compiler writes the names of included files.
pub(super) const DEPS: &str = "deps";

fn fill(word: &str, source: &Path, folder: &Path, class: &str) -> OsString {
    let (program, deps) = (folder.join("program"), folder.join(DEPS));
    let values = [
        ("{source}", source.as_os_str()),
        ("{dir}", folder.as_os_str()),
        ("{program}", program.as_os_str()),
        ("{deps}", deps.as_os_str()),
        ("{class}", class.as_ref()),
    ];
    let values = values.map(|(name, value)| (name.as_bytes(), value.as_bytes()));
    OsString::from_vec(with_values(word.as_bytes(), &values))
}

/// Returns the name of the main class, from the part of a source before the method `main`: the public class, else
/// `Main`, else the class with the file's name `stem`, else the last class. Returns `stem` if there is no class.
fn main_class(source: &str, stem: &str) -> String {
    let code = without_comments(source);
    let words = code.split(" main(").next().unwrap_or_default();
    let words =
        words.split(|c: char| !c.is_alphanumeric() && !"_$".contains(c)).filter(|word| !word.is_empty());
    let (mut public, mut classes, mut is_public, mut had_public) = (None, Vec::new(), false, false);
    for (word, name) in words.tuple_windows() {
        if matches!(word, "class" | "record" | "interface" | "enum") {
            classes.push(name);
            public = public.or((is_public && word == "class").then_some(name));
        }
        is_public = match word {
            // A later one is of a class within a class, or of a method.
            "public" => !std::mem::replace(&mut had_public, true),
            "final" | "abstract" | "strictfp" | "sealed" => is_public,
            _ => false,
        };
    }
    let known = ["Main", stem].into_iter().find(|name| classes.contains(name));
    public.or(known).or(classes.last().copied()).unwrap_or(stem).to_owned()
}

fn without_comments(source: &str) -> String {
    let mut code = String::new();
    let mut rest = source;
    while let Some(at) = rest.find("/*").into_iter().chain(rest.find("//")).min() {
        code.push_str(&rest[..at]);
        code.push(' ');
        let end = if rest[at..].starts_with("/*") { "*/" } else { "\n" };
        rest = rest[at + 2..].split_once(end).map_or("", |(_, after)| after);
    }
    code + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn main_classes() {
        for (source, expected) in [
            ("public class Solver { public static void main(String[] args) {} }", "Solver"),
            ("// class Old\nclass Pair {} class Main { static void main(String[] a) {} }", "Main"),
            (
                "/* public class Old */ class Pair {} class Game { public static void main(String[] a) {} }",
                "Game",
            ),
            (
                "import java.util.*; public final class A { static class B {} static void main(String[] a) {} }",
                "A",
            ),
            ("class bot { static class B {} public static void main(String[] a) {} }", "bot"),
            ("void main() {}", "bot"),
        ] {
            assert_eq!(main_class(source, "bot"), expected, "{source}");
        }
    }
}
