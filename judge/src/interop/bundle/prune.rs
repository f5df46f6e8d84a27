//! A program without what its `main` does not reach.

use std::collections::HashMap;
use std::ops::Range;

use syn::punctuated::{Pair, Punctuated};
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{Arm, ImplItem, Item, ItemEnum, TraitItem, TraitItemFn};

use super::edits::Edits;
use super::imports;
use super::reach::Reach;
use super::scopes::Scopes;

/// The text of a program in one file, without what is not [reached](Reach) and without imports of it.
///
/// # Errors
///
/// If it is not Rust.
pub(super) fn prune(text: &str) -> syn::Result<String> {
    let tokens = text.parse()?;
    let file = syn::parse2(proc_macro2::TokenStream::clone(&tokens))?;
    let scopes = Scopes::of(&file);
    let reach = Reach::of(&file, &tokens, &scopes);
    let imports = imports::changed(&scopes, &reach);
    let mut pruner = Pruner { reach: &reach, imports, text, edits: Edits::of(text) };
    pruner.visit_file(&file);
    Ok(pruner.edits.apply())
}

struct Pruner<'a> {
    reach: &'a Reach<'a>,
    /// What is to stand in place of imports, by where they begin.
    imports: HashMap<usize, String>,
    text: &'a str,
    edits: Edits<'a>,
}

impl Pruner<'_> {
    /// Takes a part out if it is not to be kept, and says whether it stays.
    fn keep(&mut self, part: &impl Spanned, is_kept: bool) -> bool {
        if !is_kept {
            self.edits.cut(part.span().byte_range());
        }
        is_kept
    }

    /// Takes parts of a list out, with what parts them from the next one, or the last from the one before.
    fn keep_of_list<T: Spanned, P: Spanned>(
        &mut self,
        list: &Punctuated<T, P>,
        is_kept: impl Fn(&Range<usize>) -> bool,
    ) {
        let mut before: Option<usize> = None;
        for pair in list.pairs() {
            let (part, mark) = match pair {
                Pair::Punctuated(part, mark) => (part.span().byte_range(), Some(mark.span().byte_range())),
                Pair::End(part) => (part.span().byte_range(), None),
            };
            if is_kept(&part) {
                before = Some(part.end);
            } else {
                let start = if mark.is_none() { before.unwrap_or(part.start) } else { part.start };
                self.edits.cut(start..mark.map_or(part.end, |mark| mark.end));
            }
        }
    }

    fn is_reached(&self, part: &impl Spanned) -> bool {
        self.reach.is_reached(part.span().byte_range().start)
    }
}

impl<'ast> Visit<'ast> for Pruner<'_> {
    fn visit_item(&mut self, item: &'ast Item) {
        let is_kept = match item {
            Item::Use(item) => {
                let place = item.span().byte_range();
                match self.imports.remove(&place.start) {
                    None => {}
                    Some(text) if text.is_empty() => self.edits.cut(place),
                    Some(text) => self.edits.replace(place, text),
                }
                return;
            }
            Item::Mod(item) => self.reach.reaches_into(&item.span().byte_range()),
            Item::Impl(item) => {
                let is_needed = item.items.is_empty() || item.items.iter().any(|item| self.is_reached(item));
                self.is_reached(item) && is_needed
            }
            item => self.is_reached(item),
        };
        if let Item::Mod(item) = item
            && !is_kept
        {
            let place = item.span().byte_range();
            // With what is written behind its brace.
            let line = self.text[place.end..].lines().next().map_or(0, str::len);
            self.edits.cut(place.start..place.end + line);
        } else if self.keep(item, is_kept) {
            visit::visit_item(self, item);
        }
    }

    fn visit_item_enum(&mut self, item: &'ast ItemEnum) {
        let reach = self.reach;
        self.keep_of_list(&item.variants, |variant| reach.is_reached(variant.start));
    }

    fn visit_impl_item(&mut self, item: &'ast ImplItem) {
        if self.keep(item, self.is_reached(item)) {
            visit::visit_impl_item(self, item);
        }
    }

    fn visit_trait_item(&mut self, item: &'ast TraitItem) {
        if !self.keep(item, self.is_reached(item)) {
            return;
        }
        match item {
            TraitItem::Fn(TraitItemFn { sig, default: Some(body), .. }) if !self.is_reached(body) => {
                let end = sig.span().byte_range().end;
                self.edits.replace(end..body.span().byte_range().end, ";".to_owned());
            }
            item => visit::visit_trait_item(self, item),
        }
    }

    fn visit_arm(&mut self, arm: &'ast Arm) {
        if self.keep(arm, self.is_reached(arm)) {
            if let syn::Pat::Or(either) = &arm.pat {
                let reach = self.reach;
                self.keep_of_list(&either.cases, |case| reach.is_made(case));
            }
            visit::visit_arm(self, arm);
        }
    }
}
