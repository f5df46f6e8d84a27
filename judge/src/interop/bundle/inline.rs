//! A crate's root with all its modules inline.
//!
//! The syntax tree tells what to change and where it stands. Everything between stays as it was written,
//! comments and layout too, so nothing is printed from the tree.

use anyhow::{Context, anyhow, ensure};
use syn::parse::{ParseStream, Parser};
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{
    Arm, Attribute, Expr, ExprLit, Field, FieldValue, ImplItem, Item, ItemMod, Lit, Meta, Stmt, TraitItem,
};

use super::api_docs::ApiDocs;
use super::condition::{Condition, Features};
use super::edits::Edits;

/// A source by its path, if there is one.
type Sources = fn(&str) -> Option<&'static str>;

/// A crate's root and its modules as one text, with what these features choose, without tests and what only a caller of the library reads.
///
/// The root stays the root, so `crate` means the same in one file as in many, and no path changes.
///
/// # Errors
///
/// If a file is missing or is not Rust, or if a condition stands where it cannot be settled.
pub(crate) fn file(root: &str, features: Features<'_>, sources: Sources) -> anyhow::Result<String> {
    let directory = root.rsplit_once('/').map_or("", |(directory, _)| directory);
    module(root, directory, features, sources)
}

/// The text of the module in the file at `path`, whose own modules are looked for in `directory`.
fn module(path: &str, directory: &str, features: Features<'_>, sources: Sources) -> anyhow::Result<String> {
    let text = sources(path).with_context(|| format!("expected a source {path}, there is none"))?;
    let tree = syn::parse_file(text).map_err(|error| at(path, &error))?;
    let mut inliner = Inliner {
        path,
        directory: directory.to_owned(),
        features,
        sources,
        edits: Edits::of(text),
        api_docs: ApiDocs::of(text),
        failure: None,
    };
    inliner.visit_file(&tree);
    match inliner.failure {
        None => Ok(inliner.edits.apply()),
        Some(failure) => Err(failure),
    }
}

fn at(path: &str, error: &syn::Error) -> anyhow::Error {
    anyhow!("{path}, line {}: {error}", error.span().start().line)
}

/// Finds what is to be changed in one file.
struct Inliner<'a> {
    path: &'a str,
    /// Where the files of modules are looked for.
    directory: String,
    features: Features<'a>,
    sources: Sources,
    edits: Edits<'a>,
    api_docs: ApiDocs<'a>,
    /// What stopped it first.
    failure: Option<anyhow::Error>,
}

impl Inliner<'_> {
    fn stop(&mut self, failure: anyhow::Error) {
        self.failure.get_or_insert(failure);
    }

    fn condition(&mut self, attribute: &Attribute) -> Condition {
        Condition::of(attribute, self.features).unwrap_or_else(|error| {
            self.stop(at(self.path, &error));
            Condition::Open
        })
    }

    /// Takes the conditions of a part out that are known to hold, or the whole part if one does not. Says
    /// whether the part stays.
    fn settle(&mut self, part: &impl Spanned, attributes: &[Attribute]) -> bool {
        for attribute in attributes.iter().filter(|attribute| attribute.path().is_ident("cfg")) {
            let place = attribute.span().byte_range();
            match self.condition(attribute) {
                Condition::Known(false) => {
                    self.edits.cut_with_comma(part.span().byte_range());
                    return false;
                }
                Condition::Known(true) => self.edits.cut_to_next(place),
                Condition::Open | Condition::Mixed => {}
            }
        }
        true
    }

    /// Stops at a condition that [`settle`](Self::settle) has left, unless it is for the compiler to tell.
    fn refuse_condition(&mut self, attribute: &Attribute, start: usize) {
        if !self.edits.start_at(start) && self.condition(attribute) != Condition::Open {
            let error = syn::Error::new(attribute.span(), "expected no condition on features or tests here");
            self.stop(at(self.path, &error));
        }
    }

    /// Writes the text of a module's file where the module is declared.
    fn fill(&mut self, item: &ItemMod) -> anyhow::Result<()> {
        let Some(end) = &item.semi else { return Ok(()) };
        let has_path = item.attrs.iter().any(|attribute| attribute.path().is_ident("path"));
        ensure!(!has_path, "{}: expected no #[path] at the module {}", self.path, item.ident);
        let directory = self.below(item);
        let [file, folder] = [format!("{directory}.rs"), format!("{directory}/mod.rs")];
        let path = if (self.sources)(&file).is_some() { file } else { folder };
        let text = module(&path, &directory, self.features, self.sources)?;
        self.edits.replace(end.span().byte_range(), format!(" {{ // src/{path}\n{text}}} // src/{path}"));
        Ok(())
    }

    /// The directory of a module's own modules.
    fn below(&self, item: &ItemMod) -> String {
        match self.directory.as_str() {
            "" => item.ident.to_string(),
            directory => format!("{directory}/{}", item.ident),
        }
    }
}

/// The attributes before a part of the tree, whatever it is.
fn attributes(part: &impl quote::ToTokens) -> Vec<Attribute> {
    let outer = |input: ParseStream<'_>| {
        let attributes = input.call(Attribute::parse_outer)?;
        input.parse::<proc_macro2::TokenStream>()?;
        Ok(attributes)
    };
    outer.parse2(part.to_token_stream()).unwrap_or_default()
}

impl<'ast> Visit<'ast> for Inliner<'_> {
    fn visit_item(&mut self, item: &'ast Item) {
        if self.settle(item, &attributes(item)) {
            visit::visit_item(self, item);
        }
    }

    fn visit_impl_item(&mut self, item: &'ast ImplItem) {
        if self.settle(item, &attributes(item)) {
            visit::visit_impl_item(self, item);
        }
    }

    fn visit_trait_item(&mut self, item: &'ast TraitItem) {
        if self.settle(item, &attributes(item)) {
            visit::visit_trait_item(self, item);
        }
    }

    fn visit_stmt(&mut self, statement: &'ast Stmt) {
        if self.settle(statement, &attributes(statement)) {
            visit::visit_stmt(self, statement);
        }
    }

    fn visit_field(&mut self, field: &'ast Field) {
        if self.settle(field, &field.attrs) {
            visit::visit_field(self, field);
        }
    }

    fn visit_field_value(&mut self, field: &'ast FieldValue) {
        if self.settle(field, &field.attrs) {
            visit::visit_field_value(self, field);
        }
    }

    fn visit_arm(&mut self, arm: &'ast Arm) {
        if self.settle(arm, &arm.attrs) {
            visit::visit_arm(self, arm);
        }
    }

    fn visit_item_mod(&mut self, item: &'ast ItemMod) {
        if let Err(failure) = self.fill(item) {
            self.stop(failure);
        }
        let below = self.below(item);
        let above = std::mem::replace(&mut self.directory, below);
        visit::visit_item_mod(self, item);
        self.directory = above;
    }

    fn visit_attribute(&mut self, attribute: &'ast Attribute) {
        let place = attribute.span().byte_range();
        match &attribute.meta {
            Meta::NameValue(pair) if pair.path.is_ident("doc") => {
                if let Expr::Lit(ExprLit { lit: Lit::Str(line), .. }) = &pair.value
                    && let Some(part) = self.api_docs.next(&line.value(), place)
                {
                    self.edits.cut(part);
                }
            }
            // For the callers of the library.
            meta if meta.path().is_ident("must_use") || meta.path().is_ident("non_exhaustive") => {
                self.edits.cut_to_next(place);
            }
            meta if meta.path().is_ident("cfg") || meta.path().is_ident("cfg_attr") => {
                self.refuse_condition(attribute, place.start);
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FEATURES: Features<'_> = &["on"];

    /// A file whose path is its text, and two that are there.
    fn source(path: &str) -> Option<&'static str> {
        match path {
            "row.rs" => Some("//! A row.\n\nmod cards;\n"),
            "row/cards/mod.rs" => Some("pub fn cards() {}\n\n#[cfg(test)]\nmod tests;\n"),
            "plain.rs" => Some(PLAIN),
            "root.rs" => Some("#[cfg(test)]\nmod tests;\nmod row;\n\nmod inner {\n    mod cards;\n}\n"),
            "inner/cards.rs" => Some("const N: u32 = 1;\n"),
            "torn.rs" => Some("mod half {\n"),
            "lost.rs" => Some("mod nowhere;"),
            "elsewhere.rs" => Some("#[path = \"a.rs\"]\nmod b;"),
            "parameter.rs" => Some("fn a(\n    #[cfg(feature = \"on\")] b: u8,\n) {}"),
            "mixed.rs" => Some("#[cfg(any(test, unix))]\nfn a() {}"),
            "wrapped.rs" => Some("#[cfg_attr(not(test), inline)]\nfn a() {}"),
            "half_wrapped.rs" => Some("#[cfg_attr(unix, inline)]\nfn a() {}\n"),
            _ => None,
        }
    }

    const PLAIN: &str = r##"//! Documentation.
//!
//! ```
//! assert!(example());
//! ```

// A comment   kept with its blanks.
#[cfg(unix)]
const TEXT: &str = "#[cfg(test)]
mod tests;
  // no comment"; /* kept */

/// Both.
///
/// # Errors
///
/// If it fails:
/// ```text
/// # Kept
/// ```
///
/// # Complexity
///
/// ```text
/// not a test
/// ```
#[cfg(all(feature = "on", not(feature = "off")))]
#[must_use]
#[inline]
fn choose() -> u8 {
    #[cfg(feature = "off")]
    start();
    match 1 {
        #[cfg(test)]
        2 => 3,
        _ => choose!(#[cfg(test)] x), // behind
    }
}

#[cfg(any(feature = "off", test))]
fn gone() {
    #[cfg(feature = "on")]
    within();
}

struct Fields {
    #[cfg(feature = "off")]
    gone: u8,
    kept: u8,
    #[cfg(test)]
    gone_too: u8,
}

impl A {
    /// Gone with it.
    #[cfg(not(feature = "on"))]
    fn gone(&self) {}

    fn kept(&self) {}
}
"##;

    #[test]
    fn the_rest_stays_as_it_is() {
        let expected = r##"//! Documentation.

// A comment   kept with its blanks.
#[cfg(unix)]
const TEXT: &str = "#[cfg(test)]
mod tests;
  // no comment"; /* kept */

/// Both.
///
/// # Complexity
///
/// ```text
/// not a test
/// ```
#[inline]
fn choose() -> u8 {
    match 1 {
        _ => choose!(#[cfg(test)] x), // behind
    }
}

struct Fields {
    kept: u8,
}

impl A {
    fn kept(&self) {}
}
"##;
        assert_eq!(file("plain.rs", FEATURES, source).unwrap(), expected);
    }

    #[test]
    fn modules_stand_where_they_were_declared() {
        let expected = "mod row { // src/row.rs\n//! A row.\n\nmod cards { // src/row/cards/mod.rs\n\
            pub fn cards() {}\n} // src/row/cards/mod.rs\n} // src/row.rs\n\n\
            mod inner {\n    mod cards { // src/inner/cards.rs\nconst N: u32 = 1;\n} // src/inner/cards.rs\n}\n";
        assert_eq!(file("root.rs", FEATURES, source).unwrap(), expected);
    }

    #[test]
    fn a_condition_for_the_compiler_stays() {
        let text = file("half_wrapped.rs", FEATURES, source).unwrap();
        assert_eq!(text, "#[cfg_attr(unix, inline)]\nfn a() {}\n");
    }

    #[test]
    fn what_cannot_be_done_is_refused() {
        for (root, reason) in [
            ("none.rs", "expected a source none.rs, there is none"),
            ("torn.rs", "torn.rs, line 1: cannot parse string into token stream"),
            ("lost.rs", "expected a source nowhere/mod.rs, there is none"),
            ("elsewhere.rs", "elsewhere.rs: expected no #[path] at the module b"),
            ("parameter.rs", "parameter.rs, line 2: expected no condition on features or tests here"),
            ("mixed.rs", "mixed.rs, line 1: expected no condition on features or tests here"),
            ("wrapped.rs", "wrapped.rs, line 1: expected no condition on features or tests here"),
        ] {
            assert_eq!(file(root, FEATURES, source).unwrap_err().to_string(), reason);
        }
    }
}
