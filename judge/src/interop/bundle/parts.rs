//! The parts of a program, each of which is reached as a whole or not at all.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{
    Arm, Field, Ident, ImplItem, Item, ItemEnum, ItemImpl, ItemTrait, ItemUse, Pat, PatType, Path, TraitItem,
    Type,
};

/// A part of a program, which is reached as a whole or not at all.
pub(super) struct Part {
    pub(super) place: Range<usize>,
    pub(super) kind: Kind,
    /// The part that it stands in.
    pub(super) parent: Option<usize>,
    pub(super) is_reached: bool,
}

/// What reaches a part.
pub(super) enum Kind {
    /// A mention of its name: `main` is reached anyway.
    Item { name: String, is_trait: bool },
    /// A mention of its name and of the type or trait whose own it is.
    Owned { name: String, owner: Vec<String>, is_variant: bool },
    /// An `impl`: all of the program's types and traits in its header are reached.
    Impl { header: Range<usize>, is_of_trait: bool },
    /// An item in the `impl` of a trait: the trait's item is reached, or the trait is not the program's.
    Implemented { name: String, of: Vec<String> },
    /// The body of a trait's method: the trait is implemented somewhere without the method.
    Default { name: String, of: Vec<String> },
    /// An `invocation!()` that makes items: something else in its module is reached.
    Invocation,
    /// An arm: all variants of one of its patterns are reached.
    Arm { patterns: Vec<Range<usize>> },
}

/// Where `Self` stands for what.
pub(super) struct Own {
    pub(super) place: Range<usize>,
    pub(super) name: Vec<String>,
    /// The trait that is implemented for it there.
    pub(super) of: Option<Vec<String>>,
}

/// Finds the parts of a program.
pub(super) struct Collector {
    pub(super) parts: Vec<Part>,
    pub(super) innermost: Vec<Option<usize>>,
    pub(super) in_pattern: Vec<bool>,
    pub(super) in_import: Vec<bool>,
    pub(super) selves: Vec<Own>,
    pub(super) variables: HashSet<(Option<usize>, String)>,
    pub(super) declared: HashMap<String, Vec<Range<usize>>>,
}

impl Collector {
    /// Enters a part; those within are entered after it.
    fn enter(&mut self, part: &impl Spanned, kind: Kind) {
        let place = part.span().byte_range();
        let parent = self.innermost[place.start];
        self.innermost[place.clone()].fill(Some(self.parts.len()));
        self.parts.push(Part { place, kind, parent, is_reached: false });
    }

    fn enter_owned(&mut self, part: &impl Spanned, name: &Ident, owner: &[String]) {
        self.enter(part, Kind::Owned { name: name.to_string(), owner: owner.to_vec(), is_variant: false });
    }
}

impl<'ast> Visit<'ast> for Collector {
    fn visit_item(&mut self, item: &'ast Item) {
        let name = match item {
            Item::Const(item) => Some(&item.ident),
            Item::Enum(item) => Some(&item.ident),
            Item::Fn(item) => Some(&item.sig.ident),
            Item::Macro(item) => item.ident.as_ref(),
            Item::Static(item) => Some(&item.ident),
            Item::Struct(item) => Some(&item.ident),
            Item::Trait(item) => Some(&item.ident),
            Item::Type(item) => Some(&item.ident),
            _ => None,
        };
        match (name, item) {
            (Some(name), _) => {
                let is_trait = matches!(item, Item::Trait(_));
                self.enter(item, Kind::Item { name: name.to_string(), is_trait });
            }
            (None, Item::Macro(_)) => self.enter(item, Kind::Invocation),
            _ => {}
        }
        visit::visit_item(self, item);
    }

    fn visit_item_enum(&mut self, item: &'ast ItemEnum) {
        let owner = vec![item.ident.to_string()];
        self.selves.push(Own { place: item.span().byte_range(), name: owner.clone(), of: None });
        for variant in &item.variants {
            let name = variant.ident.to_string();
            self.enter(variant, Kind::Owned { name, owner: owner.clone(), is_variant: true });
        }
        visit::visit_item_enum(self, item);
    }

    fn visit_item_impl(&mut self, item: &'ast ItemImpl) {
        let place = item.span().byte_range();
        let header = place.start..item.brace_token.span.open().byte_range().start;
        self.enter(item, Kind::Impl { header, is_of_trait: item.trait_.is_some() });
        let owner = match item.self_ty.as_ref() {
            Type::Path(owner) => Some(names(&owner.path)),
            _ => None,
        };
        let of = item.trait_.as_ref().map(|(of, _)| names(of));
        self.selves.extend(owner.iter().map(|name| Own {
            place: place.clone(),
            name: name.clone(),
            of: of.clone(),
        }));
        for inner in &item.items {
            let name = match inner {
                ImplItem::Const(inner) => &inner.ident,
                ImplItem::Fn(inner) => &inner.sig.ident,
                ImplItem::Type(inner) => &inner.ident,
                _ => continue,
            };
            match (&item.trait_, &owner) {
                (Some((of, _)), _) => {
                    self.enter(inner, Kind::Implemented { name: name.to_string(), of: names(of) });
                }
                (None, Some(owner)) => self.enter_owned(inner, name, owner),
                (None, None) => {}
            }
        }
        visit::visit_item_impl(self, item);
    }

    fn visit_item_trait(&mut self, item: &'ast ItemTrait) {
        let owner = vec![item.ident.to_string()];
        self.selves.push(Own { place: item.span().byte_range(), name: owner.clone(), of: None });
        for inner in &item.items {
            match inner {
                TraitItem::Const(inner) => self.enter_owned(inner, &inner.ident, &owner),
                TraitItem::Fn(inner) => {
                    self.enter_owned(inner, &inner.sig.ident, &owner);
                    if let Some(body) = &inner.default {
                        let name = inner.sig.ident.to_string();
                        self.enter(body, Kind::Default { name, of: owner.clone() });
                    }
                }
                TraitItem::Type(inner) => self.enter_owned(inner, &inner.ident, &owner),
                _ => {}
            }
        }
        visit::visit_item_trait(self, item);
    }

    fn visit_item_use(&mut self, item: &'ast ItemUse) {
        self.in_import[item.span().byte_range()].fill(true);
    }

    fn visit_arm(&mut self, arm: &'ast Arm) {
        let patterns = match &arm.pat {
            Pat::Or(either) => either.cases.iter().map(|pattern| pattern.span().byte_range()).collect(),
            pattern => vec![pattern.span().byte_range()],
        };
        self.enter(arm, Kind::Arm { patterns });
        visit::visit_arm(self, arm);
    }

    fn visit_field(&mut self, field: &'ast Field) {
        if let Some(name) = &field.ident {
            self.declared.entry(name.to_string()).or_default().push(field.ty.span().byte_range());
        }
        visit::visit_field(self, field);
    }

    fn visit_pat_type(&mut self, declared: &'ast PatType) {
        if let Pat::Ident(name) = declared.pat.as_ref() {
            self.declared.entry(name.ident.to_string()).or_default().push(declared.ty.span().byte_range());
        }
        visit::visit_pat_type(self, declared);
    }

    fn visit_pat(&mut self, pattern: &'ast Pat) {
        let place = pattern.span().byte_range();
        if let Pat::Ident(name) = pattern {
            self.variables.insert((self.innermost[place.start], name.ident.to_string()));
        }
        self.in_pattern[place].fill(true);
        visit::visit_pat(self, pattern);
    }
}

fn names(path: &Path) -> Vec<String> {
    path.segments.iter().map(|segment| segment.ident.to_string()).collect()
}
