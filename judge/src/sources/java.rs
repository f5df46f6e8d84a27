//! The main class of a source in Java, which its compiler and its virtual machine must be told.

/// The name of the main class: that of the public class if there is one; else `Main`, the file's name, or the last
/// class that is declared before the method `main`.
pub(super) fn main_class(source: &str, stem: &str) -> String {
    let source = without_comments(source);
    let before_main = source.find(" main(").map_or(&*source, |at| &source[..at]);
    let words: Vec<&str> = before_main
        .split(|c: char| !c.is_alphanumeric() && !"_$".contains(c))
        .filter(|word| !word.is_empty())
        .collect();
    let classes: Vec<&str> = names_behind(&words, &["class", "record", "interface", "enum"]).collect();
    let public = words.iter().position(|&word| word == "public").and_then(|at| {
        let modifiers = ["public", "final", "abstract", "strictfp", "sealed"];
        let is_class = words[at..].iter().find(|word| !modifiers.contains(word)) == Some(&"class");
        names_behind(&words[at..], &["class"]).next().filter(|_| is_class)
    });
    let known = ["Main", stem].into_iter().find(|name| classes.contains(name));
    public.or(known).or(classes.last().copied()).unwrap_or(stem).to_owned()
}

/// The words that follow one of these words.
fn names_behind<'a>(words: &[&'a str], keywords: &[&str]) -> impl Iterator<Item = &'a str> {
    words.windows(2).filter(|pair| keywords.contains(&pair[0])).map(|pair| pair[1])
}

fn without_comments(source: &str) -> String {
    let mut code = String::new();
    let mut rest = source;
    while let Some(at) = rest.find("/*").into_iter().chain(rest.find("//")).min() {
        code.push_str(&rest[..at]);
        code.push(' ');
        let end = if rest[at..].starts_with("/*") { "*/" } else { "\n" };
        rest = rest[at + 2..].split_once(end).map_or("", |(_, behind)| behind);
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
