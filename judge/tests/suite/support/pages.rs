//! The pages of the documentation, such as README.md and the pages of docs/.

use std::path::{Path, PathBuf};

use crate::support::{names_in, root};

/// A page in Markdown.
pub struct Page {
    /// The path from the root of the repository.
    pub path: PathBuf,
    pub text: String,
}

pub fn page(path: impl Into<PathBuf>) -> Page {
    let path = path.into();
    let text = std::fs::read_to_string(root().join(&path));
    Page { text: text.unwrap_or_else(|error| panic!("{}: {error}", path.display())), path }
}

pub fn readme() -> Page {
    page("README.md")
}

/// Returns the pages of docs/ in the order of their names.
pub fn docs() -> Vec<Page> {
    let paths = names_in(root().join("docs")).into_iter().map(|name| Path::new("docs").join(name));
    paths.filter(|path| path.extension().is_some_and(|end| end == "md")).map(page).collect()
}

impl Page {
    pub fn blocks(&self, language: &str) -> Vec<String> {
        let start = format!("```{language}");
        let mut blocks: Vec<String> = Vec::new();
        let mut is_inside = false;
        for line in self.text.lines() {
            match line {
                _ if line == start => {
                    blocks.push(String::new());
                    is_inside = true;
                }
                "```" => is_inside = false,
                _ if is_inside => blocks.last_mut().unwrap().extend([line, "\n"]),
                _ => {}
            }
        }
        blocks
    }

    /// Returns the lines outside of fenced blocks.
    fn prose(&self) -> impl Iterator<Item = &str> {
        let mut is_inside = false;
        self.text.lines().filter(move |line| {
            let is_fence = line.trim_start().starts_with("```");
            is_inside ^= is_fence;
            !is_fence && !is_inside
        })
    }

    /// Returns the targets of the page's links, including pictures.
    pub fn links(&self) -> Vec<&str> {
        let ends = self.prose().flat_map(|line| line.split("](").skip(1));
        ends.map(|rest| rest.split(')').next().unwrap()).collect()
    }

    /// Returns the anchors of the page's headings, in the form of GitHub and mdBook.
    pub fn anchors(&self) -> Vec<String> {
        let headings = self.prose().filter(|line| line.starts_with('#'));
        let anchor = |heading: &str| {
            let kept = heading.trim_start_matches('#').trim().to_lowercase();
            let kept = kept.chars().filter(|&c| c.is_alphanumeric() || " -_".contains(c));
            kept.map(|c| if c == ' ' { '-' } else { c }).collect()
        };
        headings.map(anchor).collect()
    }
}
