//! The arrows of `docs/architecture.md` must be the dependencies of the modules and of the crates.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};

use crate::support::{TestDir, root};

/// The sources of a crate, with the uses between its top-level modules. A root file counts as a module.
struct Sources {
    /// The name of the crate's library, by which a binary of the crate refers to it.
    own_name: Option<&'static str>,
    /// The top-level modules, including the root files.
    modules: Vec<String>,
    /// The names that root files import from modules, each with its module.
    imported: BTreeMap<String, String>,
    /// Pairs of a top-level module and a name at the root that it uses, with the file and line of the first use.
    uses: BTreeMap<(String, String), String>,
    /// The paths of the modules that have files of their own, except the root files.
    files: BTreeSet<Vec<String>>,
    /// Pairs of a module that has a file and the path of a name that it uses, with the file and line of the first use.
    paths: BTreeMap<(Vec<String>, Vec<String>), String>,
}

/// A file that is being read.
struct Place {
    file: PathBuf,
    /// The module of the file. A root file has none.
    module: Vec<String>,
    /// The top-level module or root file that contains the file.
    top: String,
}

impl Sources {
    /// Reads the root files of a crate, and all files of their modules.
    fn read(folder: &Path, roots: &[&str], own_name: Option<&'static str>) -> Self {
        let modules = roots.iter().map(|root| (*root).to_owned()).collect();
        let (imported, uses) = (BTreeMap::new(), BTreeMap::new());
        let (known_files, paths) = (BTreeSet::new(), BTreeMap::new());
        let mut sources = Self { own_name, modules, imported, uses, files: known_files, paths };
        let mut files = Vec::new();
        for root in roots {
            let path = folder.join(format!("{root}.rs"));
            let tokens = parse(&fs::read_to_string(&path).unwrap());
            let children = without_tests(tokens.clone()).windows(3).filter_map(child).collect::<Vec<_>>();
            sources.modules.extend(children);
            sources.scan(
                &tokens,
                &[],
                &Place { file: path, module: Vec::new(), top: (*root).to_owned() },
                &mut files,
            );
        }
        while let Some(module) = files.pop() {
            let path = folder.join(module.join("/"));
            let [file, in_folder] = [path.with_extension("rs"), path.join("mod.rs")];
            let file = if file.exists() { file } else { in_folder };
            let tokens = parse(&fs::read_to_string(&file).unwrap());
            sources.files.insert(module.clone());
            let place = Place { file, module: module.clone(), top: module[0].clone() };
            sources.scan(&tokens, &module, &place, &mut files);
        }
        sources
    }

    /// Adds the uses in `tokens`, which are in `module`. Adds to `files` the child modules whose files have to be read.
    fn scan(&mut self, tokens: &[TokenTree], module: &[String], place: &Place, files: &mut Vec<Vec<String>>) {
        let tokens = without_tests(tokens.to_vec());
        for at in 0..tokens.len() {
            if let Some(name) = tokens.get(at..at + 3).and_then(child) {
                files.push([module, &[name]].concat());
            }
            match &tokens[at] {
                TokenTree::Ident(name) if !follows_colons(&tokens, at) => {
                    self.path(&tokens[at..], module, place);
                    let is_import = at > 0 && tokens[at - 1].to_string() == "use";
                    if module.is_empty() && is_import && self.modules.contains(&name.to_string()) {
                        let end = tokens[at..].iter().position(|token| token.to_string() == ";");
                        let path = &tokens[at + 1..at + end.unwrap()];
                        let names = idents(path).into_iter().map(|used| (used, name.to_string()));
                        self.imported.extend(names);
                    }
                }
                // A group after `::` belongs to a path, which `path` and `names` read.
                TokenTree::Group(group) if !follows_colons(&tokens, at) => {
                    let inside = inline_module(&tokens[..at]);
                    self.scan(&trees(group), &[module, inside.as_slice()].concat(), place, files);
                }
                _ => {}
            }
        }
    }

    /// Adds the use of the path at the beginning of `tokens`.
    fn path(&mut self, tokens: &[TokenTree], module: &[String], place: &Place) {
        let first = tokens[0].to_string();
        let has_colons =
            tokens.get(1..3).is_some_and(|next| next[0].to_string() + &next[1].to_string() == "::");
        match first.as_str() {
            "crate" if has_colons => self.relative(&tokens[3..], &[], place),
            "self" if has_colons => self.relative(&tokens[3..], module, place),
            "super" if has_colons && !module.is_empty() => {
                self.relative(&tokens[3..], &module[..module.len() - 1], place);
            }
            name if has_colons && self.own_name == Some(name) => self.relative(&tokens[3..], &[], place),
            name if has_colons && module.is_empty() && self.modules.iter().any(|module| module == name) => {
                self.names(tokens, &[], place);
            }
            _ => {}
        }
    }

    /// Adds the uses of a path, or a group of paths, relative to `module`.
    fn relative(&mut self, tokens: &[TokenTree], module: &[String], place: &Place) {
        self.names(tokens, module, place);
        self.full_paths(tokens, module, place);
    }

    /// Adds to `paths` the full path of each name in `tokens`: a path, or a group of paths, relative to `module`. Skips
    /// paths that begin with `super`, which [`path`](Self::path) adds.
    fn full_paths(&mut self, tokens: &[TokenTree], module: &[String], place: &Place) {
        match tokens {
            [TokenTree::Group(group), ..] if group.delimiter() == Delimiter::Brace => {
                for element in trees(group).split(|token| token.to_string() == ",") {
                    self.full_paths(element, module, place);
                }
            }
            [TokenTree::Ident(name), ..] if name == "super" => {}
            [TokenTree::Ident(name), first, second, rest @ ..]
                if first.to_string() + &second.to_string() == "::" =>
            {
                self.full_paths(rest, &[module, &[name.to_string()]].concat(), place);
            }
            [last, ..] => {
                let at = format!("{}:{}", place.file.display(), last.span().start().line);
                let path = [module, &[last.to_string()]].concat();
                self.paths.entry((place.module.clone(), path)).or_insert(at);
            }
            [] => {}
        }
    }

    /// Returns the uses between sibling modules: pairs of two modules that have the same parent, with the file and line
    /// of the first use. Leaves out uses of an ancestor, which are allowed.
    fn uses_of_siblings(&self) -> BTreeMap<(&[String], &[String]), &str> {
        let mut uses = BTreeMap::new();
        for ((from, path), place) in &self.paths {
            let prefixes = (0..=path.len()).rev().map(|length| &path[..length]);
            let to = prefixes.into_iter().find(|prefix| self.files.contains(*prefix)).unwrap_or_default();
            let same = from.iter().zip(to).take_while(|(from, to)| from == to).count();
            if same < from.len() && same < to.len() {
                uses.entry((&from[..=same], &to[..=same])).or_insert(place.as_str());
            }
        }
        uses
    }

    /// Adds the uses of names in `module`: one name, or a group of paths.
    fn names(&mut self, tokens: &[TokenTree], module: &[String], place: &Place) {
        match tokens.first() {
            Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Brace => {
                for element in trees(group).split(|token| token.to_string() == ",") {
                    if !element.is_empty() {
                        self.names(element, module, place);
                    }
                }
            }
            Some(TokenTree::Ident(name)) if name == "super" => self.path(tokens, module, place),
            Some(token) if module.is_empty() => {
                let line = token.span().start().line;
                let key = (place.top.clone(), token.to_string());
                self.uses.entry(key).or_insert_with(|| format!("{}:{line}", place.file.display()));
            }
            _ => {}
        }
    }

    /// Returns the arrows: pairs of a top-level module and another one that it uses, with the file and line of the
    /// first use.
    fn arrows(&self) -> BTreeMap<(String, String), &str> {
        let mut arrows = BTreeMap::new();
        for ((from, name), place) in &self.uses {
            let to = if self.modules.contains(name) { Some(name) } else { self.imported.get(name) };
            let to = to.unwrap_or_else(|| panic!("{place}: the root of the crate has no module {name}"));
            if from != to {
                arrows.entry((from.clone(), to.clone())).or_insert(place.as_str());
            }
        }
        arrows
    }
}

fn parse(text: &str) -> Vec<TokenTree> {
    text.parse::<TokenStream>().unwrap().into_iter().collect()
}

fn trees(group: &Group) -> Vec<TokenTree> {
    group.stream().into_iter().collect()
}

/// Returns all names in `tokens` and in their groups.
fn idents(tokens: &[TokenTree]) -> Vec<String> {
    let names = tokens.iter().flat_map(|token| match token {
        TokenTree::Ident(name) => vec![name.to_string()],
        TokenTree::Group(group) => idents(&trees(group)),
        _ => Vec::new(),
    });
    names.collect()
}

/// Returns the name of a module that has its own file: `mod name;`.
fn child(tokens: &[TokenTree]) -> Option<String> {
    let [word, TokenTree::Ident(name), end] = tokens else { return None };
    (word.to_string() == "mod" && end.to_string() == ";").then(|| name.to_string())
}

/// Returns the name of the module whose group follows `tokens`, if `tokens` ends with `mod name`.
fn inline_module(tokens: &[TokenTree]) -> Option<String> {
    let [.., word, TokenTree::Ident(name)] = tokens else { return None };
    (word.to_string() == "mod").then(|| name.to_string())
}

/// Returns whether `::` comes directly before the token `at`.
fn follows_colons(tokens: &[TokenTree], at: usize) -> bool {
    at >= 2 && tokens[at - 2..at].iter().all(|token| token.to_string() == ":")
}

/// Returns the tokens without the items for tests.
fn without_tests(tokens: Vec<TokenTree>) -> Vec<TokenTree> {
    let mut kept = Vec::new();
    let mut tokens = tokens.into_iter();
    while let Some(token) = tokens.next() {
        let attribute = token.to_string().replace(' ', "");
        if attribute != "[cfg(test)]" && !attribute.starts_with("[cfg(all(test,") {
            kept.push(token);
            continue;
        }
        // A group in braces ends an item, but in an import it is part of the path.
        let mut is_import = false;
        for token in tokens.by_ref() {
            is_import |= token.to_string() == "use";
            let is_body = matches!(&token, TokenTree::Group(group) if group.delimiter() == Delimiter::Brace);
            if token.to_string() == ";" || is_body && !is_import {
                break;
            }
        }
    }
    kept
}

/// Returns the arrows of a block of `docs/architecture.md`, with their line numbers. A module may have arrows only to
/// modules of later lines, so there is no cycle.
fn drawn(document: &str, title: &str, modules: &[String]) -> BTreeMap<(String, String), usize> {
    let lines = (1..).zip(document.lines()).skip_while(|(_, line)| *line != title).skip(1);
    let lines: Vec<_> = lines.take_while(|(_, line)| *line != "```").collect();
    let name = |line: &str| line.split_whitespace().next().unwrap_or_default().to_owned();
    let mut later: Vec<String> = lines.iter().map(|(_, line)| name(line)).collect();
    let mut expected = modules.to_vec();
    let mut listed = later.clone();
    expected.sort();
    listed.sort();
    assert_eq!(listed, expected, "the lines below {title:?} are the modules of the crate");
    later.reverse();
    let mut arrows = BTreeMap::new();
    for (number, line) in lines {
        let from = later.pop().unwrap();
        let Some((_, uses)) = line.split_once(" -> ") else { continue };
        for to in uses.split_whitespace() {
            assert!(
                later.iter().any(|name| name == to),
                "docs/architecture.md:{number}: {to} is not below {from}"
            );
            let is_new = arrows.insert((from.clone(), to.to_owned()), number).is_none();
            assert!(is_new, "docs/architecture.md:{number}: {from} -> {to} is drawn twice");
        }
    }
    arrows
}

/// Returns the differences between the drawn arrows and the sources.
fn differences(sources: &Sources, drawn: &BTreeMap<(String, String), usize>) -> Vec<String> {
    let arrows = sources.arrows();
    let missing = arrows.iter().filter(|(arrow, _)| !drawn.contains_key(arrow));
    let missing = missing.map(|((from, to), place)| {
        format!("{place} uses {to}, but docs/architecture.md has no arrow from {from} to {to}")
    });
    let unused = drawn.iter().filter(|(arrow, _)| !arrows.contains_key(arrow));
    let unused = unused.map(|((from, to), line)| {
        format!("docs/architecture.md:{line} has an arrow from {from} to {to}, which it does not use")
    });
    missing.chain(unused).collect()
}

/// The crates whose modules are drawn: the folder of the sources, the root files, and the name of the library.
const CRATES: [(&str, &[&str], Option<&str>); 7] = [
    ("judge/src", &["main", "lib"], Some("judge")),
    ("crates/theory/src", &["main", "lib"], Some("theory")),
    ("crates/referee/src", &["lib"], Some("referee")),
    ("crates/interactor/src", &["lib"], Some("interactor")),
    ("crates/runner/src", &["lib"], Some("runner")),
    ("crates/common/src", &["lib"], Some("common")),
    ("src", &["main", "lib"], Some("zeroxor")),
];

#[test]
fn the_arrows_are_the_dependencies() {
    let document = fs::read_to_string(root().join("docs/architecture.md")).unwrap();
    for (folder, roots, own_name) in CRATES {
        let sources = Sources::read(&root().join(folder), roots, own_name);
        let drawn = drawn(&document, folder, &sources.modules);
        let differences = differences(&sources, &drawn);
        assert!(differences.is_empty(), "{}", differences.join("\n"));
    }
}

/// Returns the uses of modules that use each other in a cycle, or an empty set if there is no cycle.
fn cycle<'a>(uses: &BTreeMap<(&'a [String], &'a [String]), &str>) -> BTreeSet<String> {
    let mut left = uses.clone();
    loop {
        // A use by a module that no module uses, or of a module that uses no module, is in no cycle.
        let used: BTreeSet<&[String]> = left.keys().map(|(_, to)| *to).collect();
        let using: BTreeSet<&[String]> = left.keys().map(|(from, _)| *from).collect();
        let before = left.len();
        left.retain(|(from, to), _| used.contains(from) && using.contains(to));
        if left.len() == before {
            break left.iter().map(|((_, to), place)| format!("{place} uses {}", to.join("::"))).collect();
        }
    }
}

#[test]
fn no_cycles_of_files_or_folders() {
    for (folder, roots, own_name) in CRATES {
        let sources = Sources::read(&root().join(folder), roots, own_name);
        let cycle = cycle(&sources.uses_of_siblings());
        assert!(cycle.is_empty(), "modules use each other in a cycle: {cycle:#?}");
    }
}

/// Checks that the arrows between the crates are the dependencies in their manifests.
#[test]
fn the_arrows_between_crates() {
    let document = fs::read_to_string(root().join("docs/architecture.md")).unwrap();
    let crates = ["judge", "theory", "referee", "interactor", "runner", "common", "zeroxor"];
    let drawn = drawn(&document, "crates", &crates.map(str::to_owned));
    let manifests = [
        "judge",
        "crates/theory",
        "crates/referee",
        "crates/interactor",
        "crates/runner",
        "crates/common",
        ".",
    ];
    for (name, folder) in crates.into_iter().zip(manifests) {
        let manifest = fs::read_to_string(root().join(folder).join("Cargo.toml")).unwrap();
        let dependencies = manifest.lines().skip_while(|line| *line != "[dependencies]").skip(1);
        let dependencies = dependencies.take_while(|line| !line.starts_with('['));
        let uses: Vec<&str> = dependencies.filter_map(|line| line.split(['.', ' ']).next()).collect();
        for other in crates {
            let arrow = (name.to_owned(), other.to_owned());
            assert_eq!(uses.contains(&other), drawn.contains_key(&arrow), "the arrow from {name} to {other}");
        }
    }
}

/// Checks which code counts as a use: paths and imports written in many ways, but not code for tests.
#[test]
fn paths_are_uses() {
    let here = TestDir::new();
    fs::create_dir(here.path().join("a")).unwrap();
    here.write("main.rs", "mod a; mod b; mod c; mod d; mod e; mod f; #[cfg(test)] mod t;\nuse b::{B, x::X as Y};\nfn main() { a::run(a::{c::z}) }\n");
    here.write(
        "a/mod.rs",
        "mod deep;\npub(crate) use crate::{\n    b::{self, c},\n    d::D,\n};\n#[cfg(test)]\nuse crate::{e, f::F};\n\
         /// [`crate::e`]\nfn run() { \"crate::e\"; }\n#[cfg(test)]\nmod tests { use crate::f; }\n",
    );
    here.write("a/deep.rs", "use super::{super::{c::x, Y}, own};\nmod inner { fn f() { vec![super::super::super::d::g(), self::d::g()]; } }\n");
    here.write("b.rs", "use super::c::*;\nfn f() -> crate::d::D { a::own() }\n");
    for file in ["c.rs", "e.rs", "f.rs"] {
        here.write(file, "");
    }
    here.write("d.rs", "pub(in crate::d) struct D;\n#[arg(value = crate::e::number)]\nstruct E;\n");
    let sources = Sources::read(here.path(), &["main"], None);
    let file = |name| here.file(name);
    let expected = [
        // `a` uses `Y`, which the root file imports from `b`.
        ("a", "b", format!("{}:1", file("a/deep.rs"))),
        ("a", "c", format!("{}:1", file("a/deep.rs"))),
        ("a", "d", format!("{}:4", file("a/mod.rs"))),
        ("b", "c", format!("{}:1", file("b.rs"))),
        ("b", "d", format!("{}:2", file("b.rs"))),
        ("d", "e", format!("{}:2", file("d.rs"))),
        ("main", "a", format!("{}:3", file("main.rs"))),
        ("main", "b", format!("{}:2", file("main.rs"))),
    ];
    let arrows = sources.arrows();
    let found: Vec<_> =
        arrows.iter().map(|((from, to), place)| (from.as_str(), to.as_str(), (*place).to_owned())).collect();
    assert_eq!(found, expected);
    let siblings = sources.uses_of_siblings();
    assert_eq!(cycle(&siblings), BTreeSet::new(), "{siblings:?}");
    here.write("c.rs", "fn f() -> super::b::B { crate::d::D }\n");
    let cycle = cycle(&Sources::read(here.path(), &["main"], None).uses_of_siblings());
    let in_cycle = [format!("{} uses c", file("b.rs") + ":1"), format!("{} uses b", file("c.rs") + ":1")];
    assert_eq!(cycle, BTreeSet::from(in_cycle));
    let drawn = BTreeMap::from([(("a".to_owned(), "e".to_owned()), 7)]);
    let wrong = differences(&sources, &drawn);
    assert_eq!(wrong.len(), 9, "{wrong:?}");
    assert_eq!(wrong[8], "docs/architecture.md:7 has an arrow from a to e, which it does not use");
    assert_eq!(
        wrong[3],
        format!("{} uses c, but docs/architecture.md has no arrow from b to c", expected[3].2)
    );
}
