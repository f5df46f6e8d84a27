//! A program in an order that reads from top to bottom: what uses stands above what is used.

use std::ops::Range;

use syn::spanned::Spanned;
use syn::{File, Item, ItemMod};

use super::edits::Edits;
use super::reach::Reach;
use super::scopes::Scopes;

/// The text of a program in one file with the modules of each module behind all else in it, and of them those that use
/// others above these. A circle is cut where it stands first.
///
/// # Errors
///
/// If it is not Rust.
pub(super) fn arrange(text: &str) -> syn::Result<String> {
    let tokens = text.parse()?;
    let file: File = syn::parse2(proc_macro2::TokenStream::clone(&tokens))?;
    let scopes = Scopes::of(&file);
    let uses = Reach::of(&file, &tokens, &scopes).uses();
    Ok(Arranger { text, uses }.arranged(&file.items, 0..text.len()))
}

struct Arranger<'a> {
    text: &'a str,
    /// Where something is used, and where that is defined.
    uses: Vec<(usize, usize)>,
}

impl Arranger<'_> {
    /// The text in this place with the modules among these items, which it holds, at its end.
    fn arranged(&self, items: &[Item], place: Range<usize>) -> String {
        let modules = items.iter().filter_map(|item| match item {
            Item::Mod(item) => Some((self.module(item), item)),
            _ => None,
        });
        let mut modules: Vec<(Range<usize>, &ItemMod)> = modules.collect();
        let mut edits = Edits::of(&self.text[place.clone()]);
        for (module, _) in &modules {
            edits.cut(module.start - place.start..module.end - place.start);
        }
        let mut arranged = edits.apply();
        while !modules.is_empty() {
            let is_first = |(module, _): &(Range<usize>, _)| {
                let mut others = modules.iter().map(|(other, _)| other).filter(|other| *other != module);
                !others.any(|other| self.is_used_by(module, other))
            };
            let first = modules.iter().position(is_first).unwrap_or(0);
            let (place, module) = modules.remove(first);
            arranged.truncate(arranged.trim_end().len());
            arranged += "\n\n";
            match &module.content {
                Some((brace, items)) => {
                    let within = brace.span.open().byte_range().end..brace.span.close().byte_range().start;
                    arranged += &self.text[place.start..within.start];
                    arranged += &self.arranged(items, within.clone());
                    arranged += &self.text[within.end..place.end];
                }
                None => arranged += &self.text[place],
            }
        }
        arranged.truncate(arranged.trim_end().len());
        arranged + "\n"
    }

    /// The lines of a module, with what is written behind its braces.
    fn module(&self, item: &ItemMod) -> Range<usize> {
        let place = item.span().byte_range();
        let rest = &self.text[place.end..];
        place.start..place.end + rest.find('\n').map_or(rest.len(), |end| end + 1)
    }

    fn is_used_by(&self, module: &Range<usize>, other: &Range<usize>) -> bool {
        self.uses.iter().any(|(from, to)| other.contains(from) && module.contains(to))
    }
}
