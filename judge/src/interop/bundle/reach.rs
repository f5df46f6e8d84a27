//! What of a program is reached from its `main`, by names.
//!
//! Types are not known here. A call of a method reaches every method of its name; other names are looked up where they
//! stand. So too much may be taken for reached: the tests have the compiler look through what is left. A variant is
//! reached where it is made, not where it is matched; an arm for variants that are never made is not reached, and
//! nor is what only it uses.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use proc_macro2::TokenStream;
use syn::File;
use syn::visit::Visit;

use super::mention::{Mention, mentions};
use super::parts::{Collector, Kind, Own, Part};
use super::scopes::Scopes;

/// A program, and what of it is reached.
pub(super) struct Reach<'a> {
    scopes: &'a Scopes<'a>,
    parts: Vec<Part>,
    /// The items of each module by their names.
    items: HashMap<(usize, String), Vec<usize>>,
    /// What types and traits own, by name: the owner and what it owns.
    owned: HashMap<String, Vec<(usize, usize)>>,
    /// All mentions but those in imports, in the order of the text.
    mentions: Vec<Mention>,
    /// By the byte, the innermost part that it is in.
    innermost: Vec<Option<usize>>,
    /// By the byte, whether it is in a pattern.
    in_pattern: Vec<bool>,
    /// What `Self` stands for, and where.
    selves: Vec<Own>,
    /// The names of variables, each with the part that it is in.
    variables: HashSet<(Option<usize>, String)>,
    /// The types that variables and fields are declared with, by their names.
    declared: HashMap<String, Vec<Range<usize>>>,
}

impl<'a> Reach<'a> {
    /// Looks what is reached of a program; the tokens and the scopes are its own.
    pub(super) fn of(file: &File, tokens: &TokenStream, scopes: &'a Scopes<'a>) -> Self {
        let length = tokens.clone().into_iter().last().map_or(0, |last| last.span().byte_range().end);
        let mut collector = Collector {
            parts: Vec::new(),
            innermost: vec![None; length],
            in_pattern: vec![false; length],
            in_import: vec![false; length],
            selves: Vec::new(),
            variables: HashSet::new(),
            declared: HashMap::new(),
        };
        collector.visit_file(file);
        let Collector { parts, innermost, in_pattern, in_import, selves, variables, declared } = collector;
        let mut mentions = mentions(tokens);
        mentions.retain(|mention| !in_import[mention.at]);
        let (items, owned) = (HashMap::new(), HashMap::new());
        let mut reach = Self {
            scopes,
            parts,
            items,
            owned,
            mentions,
            innermost,
            in_pattern,
            selves,
            variables,
            declared,
        };
        reach.enter();
        while reach.step() {}
        reach
    }

    /// Enters the parts by their names.
    fn enter(&mut self) {
        for (index, part) in self.parts.iter().enumerate() {
            if let Kind::Item { name, .. } = &part.kind {
                let module = self.scopes.module_at(part.place.start);
                self.items.entry((module, name.clone())).or_default().push(index);
            }
        }
        for (index, part) in self.parts.iter().enumerate() {
            if let Kind::Owned { name, owner, .. } = &part.kind {
                let owners = self.at(part.place.start, owner);
                self.owned
                    .entry(name.clone())
                    .or_default()
                    .extend(owners.into_iter().map(|owner| (owner, index)));
            }
        }
    }

    /// Marks what is reached by what is reached so far, and says whether that was anything new.
    fn step(&mut self) -> bool {
        let named = self.mentions().flat_map(|mention| self.named_by(mention));
        let following = (0..self.parts.len()).filter(|&part| self.follows(&self.parts[part]));
        let reached: Vec<usize> = named.chain(following).collect();
        let mut is_new = false;
        for part in reached {
            is_new |= !std::mem::replace(&mut self.parts[part].is_reached, true);
        }
        is_new
    }

    /// The mentions in what is reached.
    pub(super) fn mentions(&self) -> impl Iterator<Item = &Mention> {
        self.mentions.iter().filter(|mention| self.is_reached(mention.at))
    }

    /// All mentions.
    pub(super) fn all_mentions(&self) -> &[Mention] {
        &self.mentions
    }

    /// Whether all parts that a byte is in are reached.
    pub(super) fn is_reached(&self, at: usize) -> bool {
        let mut part = self.innermost[at];
        while let Some(index) = part {
            if !self.parts[index].is_reached {
                return false;
            }
            part = self.parts[index].parent;
        }
        true
    }

    /// The program's items that a name stands for in a module.
    pub(super) fn items(&self, module: usize, name: &str) -> Vec<usize> {
        if let Some(items) = self.items.get(&(module, name.to_owned())) {
            return items.clone();
        }
        let import = self.scopes.import(module, name);
        import.map_or_else(Vec::new, |import| self.items_of_path(module, &import.path))
    }

    /// The program's items that a path stands for at a place.
    fn at(&self, place: usize, path: &[String]) -> Vec<usize> {
        self.items_of_path(self.scopes.module_at(place), path)
    }

    fn items_of_path(&self, module: usize, path: &[String]) -> Vec<usize> {
        match path {
            [name] => self.items(module, name),
            path => {
                let target = self.scopes.target(module, path);
                target.map_or_else(Vec::new, |(module, name)| self.items(module, &name))
            }
        }
    }

    /// The parts that a mention may stand for.
    fn named_by(&self, mention: &Mention) -> Vec<usize> {
        let owned = || self.owned.get(mention.name()).into_iter().flatten();
        let module = self.scopes.module_at(mention.at);
        if mention.is_method {
            let methods = owned().filter(|(_, part)| !self.is_variant(*part));
            let receivers = self.receivers(mention);
            let own: Vec<usize> = methods
                .clone()
                .filter(|(owner, _)| receivers.contains(owner))
                .map(|&(_, part)| part)
                .collect();
            if !own.is_empty() {
                return own;
            }
            // A trait that nothing else mentions is reached where its methods are called and it is in scope.
            let traits = methods.clone().filter(|(owner, _)| self.is_callable(*owner, module));
            return methods.map(|&(_, part)| part).chain(traits.map(|&(owner, _)| owner)).collect();
        }
        if self.is_variable(mention) {
            return Vec::new();
        }
        let items = self.items_of_path(module, &mention.path);
        let [way @ .., _] = mention.path.as_slice() else { return items };
        if way.is_empty() || !items.is_empty() {
            return items;
        }
        let owners = self.owners(mention);
        let is_matched = self.in_pattern[mention.at];
        let own =
            owned().filter(|(owner, part)| owners.contains(owner) && !(is_matched && self.is_variant(*part)));
        let own: Vec<usize> = own.map(|&(_, part)| part).collect();
        if !own.is_empty() || is_matched {
            return own;
        }
        // A type has what is not its own from a trait, and of a parameter nothing else is known.
        owned().map(|&(_, part)| part).filter(|&part| !self.is_variant(part)).collect()
    }

    /// Whether a mention is of a variable: in what it stands in there is one of its name. What is called is not taken
    /// for one, for the value that `let x = x()` gives the variable comes from a function.
    fn is_variable(&self, mention: &Mention) -> bool {
        let [name] = mention.path.as_slice() else { return false };
        let mut part = self.innermost[mention.at];
        while let Some(index) = part {
            if !mention.is_called && self.variables.contains(&(part, name.clone())) {
                return true;
            }
            part = self.parts[index].parent;
        }
        false
    }

    /// The program's types that the receiver of a method may have: those of all variables and fields of its name that
    /// are declared with a type.
    fn receivers(&self, mention: &Mention) -> Vec<usize> {
        match mention.receiver.as_deref() {
            None => Vec::new(),
            Some("self") => {
                let own = self.selves.iter().rfind(|own| own.place.contains(&mention.at));
                let paths = own.into_iter().flat_map(|own| [Some(&own.name), own.of.as_ref()]).flatten();
                paths.flat_map(|path| self.at(mention.at, path)).collect()
            }
            Some(name) => {
                let types = self.declared.get(name).into_iter().flatten();
                types.flat_map(|place| self.items_in(place)).collect()
            }
        }
    }

    /// Whether an item is a trait that is implemented for something reached, and that a module has or imports.
    fn is_callable(&self, item: usize, module: usize) -> bool {
        let Kind::Item { name, is_trait: true } = &self.parts[item].kind else { return false };
        let mut implementations = self.parts.iter().filter_map(|part| match &part.kind {
            Kind::Impl { header, is_of_trait: true } => Some(self.items_in(header)),
            _ => None,
        });
        let is_other_reached = |&other: &usize| other == item || self.parts[other].is_reached;
        self.items(module, name).contains(&item)
            && implementations.any(|items| items.contains(&item) && items.iter().all(is_other_reached))
    }

    /// The program's items that are mentioned in a place.
    fn items_in(&self, place: &Range<usize>) -> Vec<usize> {
        let module = self.scopes.module_at(place.start);
        let mentions = self.mentions_in(place).iter();
        mentions.flat_map(|mention| self.items_of_path(module, &mention.path)).collect()
    }

    /// All mentions in a place.
    fn mentions_in(&self, place: &Range<usize>) -> &[Mention] {
        let [start, end] =
            [place.start, place.end].map(|byte| self.mentions.partition_point(|mention| mention.at < byte));
        &self.mentions[start..end]
    }

    fn is_variant(&self, part: usize) -> bool {
        matches!(self.parts[part].kind, Kind::Owned { is_variant: true, .. })
    }

    /// The program's types and traits by way of which something is named.
    fn owners(&self, mention: &Mention) -> Vec<usize> {
        let [way @ .., _] = mention.path.as_slice() else { return Vec::new() };
        match way {
            [] => Vec::new(),
            [own] if own == "Self" => {
                let own = self.selves.iter().rfind(|own| own.place.contains(&mention.at));
                own.map_or_else(Vec::new, |own| self.at(mention.at, &own.name))
            }
            way => self.items_of_path(self.scopes.module_at(mention.at), way),
        }
    }

    /// Whether a part is reached because others are.
    fn follows(&self, part: &Part) -> bool {
        match &part.kind {
            Kind::Item { name, .. } => name == "main",
            Kind::Owned { .. } => false,
            Kind::Impl { header, .. } => {
                self.items_in(header).into_iter().all(|item| self.parts[item].is_reached)
            }
            Kind::Implemented { name, of } => {
                let owners = self.at(part.place.start, of);
                owners.is_empty() || self.is_any_reached(name, &owners)
            }
            Kind::Default { name, of } => {
                let of = self.at(part.place.start, of);
                let is_its_own = |index: usize| {
                    self.parts.iter().any(|part| match &part.kind {
                        Kind::Implemented { name: own, .. } => own == name && part.parent == Some(index),
                        _ => false,
                    })
                };
                let is_without = |(index, part): (usize, &Part)| match &part.kind {
                    Kind::Impl { header, is_of_trait: true } if part.is_reached => {
                        self.items_in(header).iter().any(|item| of.contains(item)) && !is_its_own(index)
                    }
                    _ => false,
                };
                self.parts.iter().enumerate().any(is_without)
            }
            Kind::Invocation => {
                let module = self.scopes.module_at(part.place.start);
                let mut items =
                    self.items.iter().filter(|((of, _), _)| *of == module).flat_map(|(_, items)| items);
                items.any(|&item| self.parts[item].is_reached)
            }
            Kind::Arm { patterns } => patterns.iter().any(|pattern| self.is_made(pattern)),
        }
    }

    /// Whether all variants in a pattern are reached.
    pub(super) fn is_made(&self, pattern: &Range<usize>) -> bool {
        self.mentions_in(pattern).iter().all(|mention| {
            let owners = self.owners(mention);
            owners.is_empty() || self.is_any_reached(mention.name(), &owners)
        })
    }

    /// Whether something of this name is reached that one of these owns.
    fn is_any_reached(&self, name: &str, owners: &[usize]) -> bool {
        let owned = self.owned.get(name).into_iter().flatten();
        owned.clone().any(|(owner, part)| owners.contains(owner) && self.parts[*part].is_reached)
    }

    /// Where items are named in what is reached, and where they are defined.
    pub(super) fn uses(&self) -> Vec<(usize, usize)> {
        let mentions = self.mentions().filter(|mention| !mention.is_method);
        let uses = mentions.flat_map(|mention| {
            let items = self.named_by(mention).into_iter().map(|part| &self.parts[part]);
            items
                .filter(|part| matches!(part.kind, Kind::Item { .. }))
                .map(|part| (mention.at, part.place.start))
        });
        uses.collect()
    }

    /// Whether something with a name is reached in there.
    pub(super) fn reaches_into(&self, place: &Range<usize>) -> bool {
        let is_within = |part: &&Part| place.start <= part.place.start && part.place.end <= place.end;
        let mut parts = self.parts.iter().filter(is_within);
        parts.any(|part| !matches!(part.kind, Kind::Impl { .. }) && self.is_reached(part.place.start))
    }

    /// Whether an item is a trait that is reached and has a method of that name.
    pub(super) fn is_called(&self, owner: usize, method: &str) -> bool {
        let mut owned = self.owned.get(method).into_iter().flatten();
        let Part { kind: Kind::Item { is_trait: true, .. }, is_reached: true, .. } = self.parts[owner] else {
            return false;
        };
        owned.any(|&(of, part)| of == owner && !self.is_variant(part))
    }
}
