//! The languages of sources: how a source is compiled and run.

use std::ffi::OsString;
use std::path::Path;
use std::slice;

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

/// The languages that the judge knows, each as its name, extensions, compile command, flags, and run command.
const KNOWN: [[&str; 5]; 15] = [
    [
        "c",
        "c",
        "gcc {flags} -MMD -MF {deps} -o {program} {source} -lm",
        "-std=gnu17 -O2 -DONLINE_JUDGE",
        "{program}",
    ],
    [
        CXX,
        "cpp cc cxx",
        "g++ {flags} -MMD -MF {deps} -o {program} {source}",
        "-std=gnu++20 -O2 -DONLINE_JUDGE",
        "{program}",
    ],
    [
        RUST,
        "rs",
        "rustc {flags} --crate-name bot --out-dir {dir} --emit=link={program},dep-info={deps} {source}",
        "--edition 2024 -O",
        "{program}",
    ],
    [GO, "go", "go build {flags} -o {program} {source}", "", "{program}"],
    ["haskell", "hs", "ghc {flags} -v0 -outputdir {dir} -o {program} {source}", "-O2", "{program}"],
    [
        "java",
        "java",
        "javac {flags} -d {dir} {source}",
        "-encoding UTF-8",
        "java -XX:+UseSerialGC -cp {dir} {class}",
    ],
    [
        "kotlin",
        "kt",
        "kotlinc {flags} -include-runtime -d {program}.jar {source}",
        "",
        "java -XX:+UseSerialGC -jar {program}.jar",
    ],
    ["csharp", "cs", "mcs {flags} -out:{program} {source}", "-optimize+", "mono {program}"],
    ["pascal", "pas", "fpc {flags} -FU{dir} -o{program} {source}", "-O2 -v0", "{program}"],
    ["python", "py", "", "", "python3 {source}"],
    ["javascript", "js mjs cjs", "", "", "node {source}"],
    ["typescript", "ts", "", "", "node --experimental-strip-types --no-warnings {source}"],
    ["ruby", "rb", "", "", "ruby {source}"],
    ["perl", "pl", "", "", "perl {source}"],
    ["shell", "sh", "", "", "sh {source}"],
];

pub fn known() -> Vec<Language> {
    let words = |text: &str| text.split_ascii_whitespace().map(str::to_owned).collect();
    let known = KNOWN.iter().map(|[name, extensions, compile, flags, run]| Language {
        name: (*name).to_owned(),
        extensions: words(extensions),
        compile: words(compile),
        flags: words(flags),
        run: words(run),
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
        runs_class.then(|| main_class(&String::from_utf8_lossy(content), &stem))
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
    let mut parts = word.split('{');
    let mut filled = OsString::from(parts.next().unwrap_or_default());
    for part in parts {
        let (name, after) = part.split_once('}').unwrap_or((part, ""));
        match name {
            "source" => filled.push(source),
            "dir" => filled.push(folder),
            "program" => filled.push(folder.join("program")),
            "deps" => filled.push(folder.join(DEPS)),
            "class" => filled.push(class),
            _ => {
                filled.push("{");
                filled.push(part);
                continue;
            }
        }
        filled.push(after);
    }
    filled
}

/// Returns the name of the main class, from the part of a source before the method `main`: the public class, else
/// `Main`, else the class with the file's name `stem`, else the last class. Returns `stem` if there is no class.
fn main_class(source: &str, stem: &str) -> String {
    let source = without_comments(source);
    let before_main = source.find(" main(").map_or(&*source, |at| &source[..at]);
    let words: Vec<&str> = before_main
        .split(|c: char| !c.is_alphanumeric() && !"_$".contains(c))
        .filter(|word| !word.is_empty())
        .collect();
    let classes: Vec<&str> = words_after(&words, &["class", "record", "interface", "enum"]).collect();
    let public = words.iter().position(|&word| word == "public").and_then(|at| {
        let modifiers = ["public", "final", "abstract", "strictfp", "sealed"];
        let is_class = words[at..].iter().find(|word| !modifiers.contains(word)) == Some(&"class");
        words_after(&words[at..], &["class"]).next().filter(|_| is_class)
    });
    let known = ["Main", stem].into_iter().find(|name| classes.contains(name));
    public.or(known).or(classes.last().copied()).unwrap_or(stem).to_owned()
}

fn words_after<'a>(words: &[&'a str], keywords: &[&str]) -> impl Iterator<Item = &'a str> {
    words.windows(2).filter(|pair| keywords.contains(&pair[0])).map(|pair| pair[1])
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
