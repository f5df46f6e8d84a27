//! The imports that are needed for what of a program is reached.

use std::collections::{HashMap, HashSet};

use quote::ToTokens;
use syn::spanned::Spanned;
use syn::{ItemUse, UseTree, Visibility};

use super::reach::Reach;
use super::scopes::{Import, Scopes};

/// What is to stand in place of the imports that are not needed as they are, by where they begin.
pub(super) fn changed(scopes: &Scopes<'_>, reach: &Reach<'_>) -> HashMap<usize, String> {
    let needed = needed(scopes, reach);
    let changed = scopes.imports.chunk_by(|a, b| std::ptr::eq(a.item, b.item)).filter_map(|imports| {
        let item = imports.first()?.item;
        let is_needed = |import: &Import<'_>| needed.contains(&(import.module, import.name.clone()));
        if imports.iter().all(is_needed) {
            return None;
        }
        let is_name_needed =
            |name: &str| imports.iter().any(|import| import.name == name && is_needed(import));
        Some((item.span().byte_range().start, written(item, &is_name_needed)))
    });
    changed.collect()
}

/// The names that have to be imported, by the modules that import them.
fn needed(scopes: &Scopes<'_>, reach: &Reach<'_>) -> HashSet<(usize, String)> {
    let mut wanted: Vec<(usize, String)> = Vec::new();
    let mut called: HashSet<(usize, &str)> = HashSet::new();
    for mention in reach.mentions() {
        let module = scopes.module_at(mention.at);
        if mention.is_method {
            called.insert((module, mention.name()));
        } else {
            let looked_up = looked_up(scopes, module, &mention.path, mention.is_way);
            // A module is used on the way to something: other mentions of its name are of something else.
            let is_other = |(module, name): &(usize, String)| {
                !mention.is_way && scopes.is_module(*module, name) && reach.items(*module, name).is_empty()
            };
            wanted.extend(looked_up.filter(|at| !is_other(at)));
        }
    }
    let first = |mention: &super::mention::Mention| (scopes.module_at(mention.at), mention.path[0].clone());
    let ever_named: HashSet<(usize, String)> = reach.all_mentions().iter().map(first).collect();
    let for_methods = scopes.imports.iter().filter(|import| {
        let of_own: Vec<usize> = reach.items(import.module, &import.name);
        if of_own.is_empty() {
            // What is imported and never named is a trait whose methods are called, if any are.
            let is_private = matches!(import.item.vis, Visibility::Inherited);
            let is_any_called = called.iter().any(|(module, _)| *module == import.module);
            return is_private
                && is_any_called
                && !ever_named.contains(&(import.module, import.name.clone()));
        }
        let mut called = called.iter().filter(|(module, _)| *module == import.module);
        called.any(|(_, method)| of_own.iter().any(|&owner| reach.is_called(owner, method)))
    });
    wanted.extend(for_methods.map(|import| (import.module, import.name.clone())));
    let mut needed = HashSet::new();
    while let Some((module, name)) = wanted.pop() {
        for import in scopes.imports.iter().filter(|import| import.module == module && import.name == name) {
            if needed.insert((module, name.clone())) {
                for length in 1..=import.path.len() {
                    let is_way = length < import.path.len();
                    wanted.extend(looked_up(scopes, module, &import.path[..length], is_way));
                }
            }
        }
    }
    needed
}

/// Where the last name of a path is looked up; not the name of a module that stands there itself.
fn looked_up(scopes: &Scopes<'_>, module: usize, path: &[String], is_way: bool) -> Option<(usize, String)> {
    let at = match path {
        [name] => (module, name.clone()),
        path => scopes.target(module, path)?,
    };
    Some(at).filter(|(module, name)| !is_way || scopes.declared(*module, name).is_none())
}

/// The import of what is needed alone, empty if nothing is.
fn written(item: &ItemUse, is_needed: &dyn Fn(&str) -> bool) -> String {
    /// The longest line.
    const WIDTH: usize = 110;
    let Some(tree) = rest(&item.tree, "", is_needed) else { return String::new() };
    let visibility = match &item.vis {
        Visibility::Inherited => String::new(),
        Visibility::Public(_) => "pub ".to_owned(),
        Visibility::Restricted(within) => format!("pub({}) ", within.path.to_token_stream()),
    };
    let line = format!("{visibility}use {tree};");
    let Some((way, names)) = line.split_once('{').filter(|_| line.len() > WIDTH) else { return line };
    let mut lines = format!("{way}{{\n   ");
    let mut width = 3;
    for name in names.trim_end_matches("};").split(", ") {
        if width + name.len() + 2 > WIDTH {
            lines += "\n   ";
            width = 3;
        }
        lines += &format!(" {name},");
        width += name.len() + 2;
    }
    lines + "\n};"
}

/// What is needed of an import's tree; `last` stands before it.
fn rest(tree: &UseTree, last: &str, is_needed: &dyn Fn(&str) -> bool) -> Option<String> {
    match tree {
        UseTree::Path(path) => {
            let name = path.ident.to_string();
            let rest = rest(&path.tree, &name, is_needed)?;
            Some(if rest == "self" { name } else { format!("{name}::{rest}") })
        }
        UseTree::Name(name) if name.ident == "self" => is_needed(last).then(|| "self".to_owned()),
        UseTree::Name(name) => Some(name.ident.to_string()).filter(|name| is_needed(name)),
        UseTree::Rename(name) => {
            is_needed(&name.rename.to_string()).then(|| format!("{} as {}", name.ident, name.rename))
        }
        UseTree::Glob(_) => Some("*".to_owned()),
        UseTree::Group(group) => {
            let rests: Vec<String> =
                group.items.iter().filter_map(|tree| rest(tree, last, is_needed)).collect();
            match rests.as_slice() {
                [] => None,
                [rest] => Some(rest.clone()),
                rests => Some(format!("{{{}}}", rests.join(", "))),
            }
        }
    }
}
