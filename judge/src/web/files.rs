//! The files of the site: its pages, and the styles, JavaScript modules and icon from `judge/web`.

use common::page::PAGE_STYLE;
use hyper::body::Bytes;
use itertools::Itertools;
use zeroxor::GameKind;
use zeroxor::rules::{Example, PileGame};

const HTML: &str = "text/html; charset=utf-8";
const CSS: &str = "text/css; charset=utf-8";
const JS: &str = "text/javascript; charset=utf-8";
const SVG: &str = "image/svg+xml";

/// A file as the server sends it.
pub(super) struct File {
    /// The value of `Content-Type`.
    pub(super) kind: &'static str,
    pub(super) content: Bytes,
}

/// A page of the site.
struct Page {
    /// The page's path; empty for the first page.
    path: &'static str,
    /// The page's name in the links.
    name: &'static str,
    title: &'static str,
    body: &'static [&'static str],
    styles: &'static [&'static str],
    module: &'static str,
}

/// Includes a file of `judge/web` by its name.
macro_rules! web_file {
    ($name:literal) => {
        include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/web/", $name))
    };
}

const PAGES: [Page; 5] = [
    Page {
        path: "",
        name: "Play",
        title: "Play",
        body: &[web_file!("play.html")],
        styles: &["page.css", "site.css", "board.css", "play.css"],
        module: "play.js",
    },
    Page {
        path: "analysis",
        name: "Analyse",
        title: "Analyse a position",
        body: &[web_file!("analysis.html")],
        styles: &["page.css", "site.css", "board.css", "play.css"],
        module: "analysis.js",
    },
    Page {
        path: "transcripts",
        name: "Transcripts",
        title: "Transcripts",
        body: &[
            web_file!("transcripts.html"),
            "<div id=\"replay\" hidden>\n",
            web_file!("replay.html"),
            "</div>\n</main>\n",
        ],
        styles: &["page.css", "site.css", "board.css", "replay.css"],
        module: "transcripts.js",
    },
    Page {
        path: "tables",
        name: "Tables",
        title: "Tables and plots",
        body: &[web_file!("tables.html")],
        styles: &["page.css", "site.css"],
        module: "tables.js",
    },
    Page {
        path: "games",
        name: "Games",
        title: "Known games and their periods",
        body: &[web_file!("games.html")],
        styles: &["page.css", "site.css"],
        module: "games.js",
    },
];

/// The files that the pages use, each as its name, type and content.
const PARTS: [(&str, &str, &str); 18] = [
    ("icon.svg", SVG, web_file!("icon.svg")),
    ("page.css", CSS, PAGE_STYLE),
    ("site.css", CSS, web_file!("site.css")),
    ("board.css", CSS, web_file!("board.css")),
    ("play.css", CSS, web_file!("play.css")),
    ("replay.css", CSS, web_file!("replay.css")),
    ("position.js", JS, web_file!("position.js")),
    ("board.js", JS, web_file!("board.js")),
    ("picker.js", JS, web_file!("picker.js")),
    ("request.js", JS, web_file!("request.js")),
    ("header.js", JS, web_file!("header.js")),
    ("game.js", JS, web_file!("game.js")),
    ("play.js", JS, web_file!("play.js")),
    ("analysis.js", JS, web_file!("analysis.js")),
    ("replay.js", JS, web_file!("replay.js")),
    ("transcripts.js", JS, web_file!("transcripts.js")),
    ("tables.js", JS, web_file!("tables.js")),
    ("games.js", JS, web_file!("games.js")),
];

/// The path of the module with the pages' data about the games.
const REGISTRY: &str = "registry.js";

/// An example of a sum.
const SUM: Example = Example {
    title: "Sum of games",
    header: "segment 12 2 3 + square 20 + nim 5",
    text: "A move is made in one of the games. They are joined by +.",
};

/// An example of misère play.
const MISERE: Example = Example {
    title: "Misère play",
    header: "misere nim 3 5 7",
    text: "The word misere before any game or sum: the player who makes the last move loses.",
};

/// Returns the module with three lists: examples of games, tables that the site offers, and the names of the games
/// whose tables show who wins unless nimbers are requested.
fn registry() -> String {
    let examples = GameKind::all().flat_map(|kind| kind.about().examples).chain([&SUM, &MISERE]);
    let examples = examples.map(|example| [example.title, example.header, example.text]).collect_vec();
    let tables = GameKind::all().flat_map(|kind| kind.about().tables);
    let tables = tables.filter_map(|args| args.split(" --").next()).unique().collect_vec();
    let outcomes = PileGame::ALL.iter().filter(|game| game.has_outcome_tables());
    let outcomes = outcomes.map(|game| game.name()).collect_vec();
    format!(
        "export const EXAMPLES = {};\nexport const TABLES = {};\nexport const OUTCOME_GAMES = {};\n",
        serde_json::json!(examples),
        serde_json::json!(tables),
        serde_json::json!(outcomes)
    )
}

/// Returns the file at a path; `None` if there is none. Paths are compared exactly, and nothing is read from disk.
pub(super) fn find(path: &str) -> Option<File> {
    if let Some((_, kind, content)) = PARTS.iter().find(|(name, ..)| *name == path) {
        return Some(File { kind, content: Bytes::from_static(content.as_bytes()) });
    }
    if path == REGISTRY {
        return Some(File { kind: JS, content: registry().into() });
    }
    let page = PAGES.iter().find(|page| page.path == path)?;
    Some(File { kind: HTML, content: page.html().into() })
}

impl Page {
    fn html(&self) -> String {
        let styles = self.styles.iter().map(|name| format!("<link rel=\"stylesheet\" href=\"{name}\">\n"));
        let links = PAGES.iter().map(|page| {
            let current = if page.path == self.path { " aria-current=\"page\"" } else { "" };
            let path = if page.path.is_empty() { "./" } else { page.path };
            format!("<a href=\"{path}\"{current}>{}</a>\n", page.name)
        });
        format!(
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
            <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
            <meta name=\"color-scheme\" content=\"light dark\">\n<title>{} · judge</title>\n\
            <link rel=\"icon\" href=\"icon.svg\">\n{}<script type=\"module\" src=\"{}\"></script>\n</head>\n<body>\n\
            <nav aria-label=\"Pages\">\n{}</nav>\n{}</body>\n</html>\n",
            self.title,
            styles.collect::<String>(),
            self.module,
            links.collect::<String>(),
            self.body.concat()
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The modules and styles of the pages exist, and so do the modules that other modules import.
    #[test]
    fn modules_and_styles_exist() {
        for page in &PAGES {
            assert!(find(page.module).is_some() && page.styles.iter().all(|style| find(style).is_some()));
        }
        for (name, _, content) in PARTS {
            let imports = content.lines().filter(|line| line.starts_with("import "));
            for import in imports.filter_map(|line| line.split("\"./").nth(1)?.strip_suffix("\";")) {
                assert!(find(import).is_some(), "{name} imports {import}");
            }
        }
    }

    #[test]
    fn other_paths_are_not_found() {
        for path in
            ["..", "../Cargo.toml", "./play.js", "play.js/", "PLAY.JS", "%70lay.js", "play.js?x", "\0"]
        {
            assert!(find(path).is_none(), "{path}");
        }
    }
}
