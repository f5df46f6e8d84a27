//! The modules of a program in one file, and what each imports.

use std::ops::Range;

use syn::spanned::Spanned;
use syn::{File, Item, ItemUse, UseTree};

pub(super) struct Scopes<'a> {
    /// The root is the first; a module stands before those within it.
    modules: Vec<Module>,
    /// By their modules, from the first to the last of each.
    pub(super) imports: Vec<Import<'a>>,
}

struct Module {
    name: String,
    parent: usize,
    place: Range<usize>,
}

/// A name that an import brings into a module.
pub(super) struct Import<'a> {
    pub(super) item: &'a ItemUse,
    pub(super) module: usize,
    /// What it stands for.
    pub(super) path: Vec<String>,
    /// What it is called in the module.
    pub(super) name: String,
}

impl<'a> Scopes<'a> {
    pub(super) fn of(file: &'a File) -> Self {
        let mut scopes = Self { modules: Vec::new(), imports: Vec::new() };
        scopes.enter(&file.items, String::new(), 0, 0..usize::MAX);
        scopes
    }

    fn enter(&mut self, items: &'a [Item], name: String, parent: usize, place: Range<usize>) {
        let module = self.modules.len();
        self.modules.push(Module { name, parent, place });
        for item in items {
            match item {
                Item::Use(item) => {
                    let mut names = Vec::new();
                    names_in(&item.tree, &[], &mut names);
                    let imports = names.into_iter().map(|(path, name)| Import { item, module, path, name });
                    self.imports.extend(imports);
                }
                Item::Mod(item) => {
                    if let Some((_, items)) = &item.content {
                        self.enter(items, item.ident.to_string(), module, item.span().byte_range());
                    }
                }
                _ => {}
            }
        }
    }

    /// The innermost module at a place.
    pub(super) fn module_at(&self, at: usize) -> usize {
        self.modules.iter().rposition(|module| module.place.contains(&at)).unwrap_or(0)
    }

    /// The module that a path leads to, and the last name of the path, which is looked for there. `None` for a name
    /// alone, and for a path that does not lead through modules of the program.
    pub(super) fn target(&self, from: usize, path: &[String]) -> Option<(usize, String)> {
        let (name, way) = path.split_last().filter(|(_, way)| !way.is_empty())?;
        Some((self.lead(from, way)?, name.clone()))
    }

    /// The module that these names lead to.
    fn lead(&self, from: usize, way: &[String]) -> Option<usize> {
        way.iter().try_fold(from, |module, step| match step.as_str() {
            "crate" => Some(0),
            "super" => Some(self.modules[module].parent),
            "self" => Some(module),
            step => self.child(module, step),
        })
    }

    /// A module by its name where it is declared or imported.
    fn child(&self, module: usize, name: &str) -> Option<usize> {
        self.declared(module, name).or_else(|| self.lead(module, &self.import(module, name)?.path))
    }

    /// Whether a name is that of a module of the program.
    pub(super) fn is_module(&self, module: usize, name: &str) -> bool {
        self.child(module, name).is_some()
    }

    /// A module by its name where it is declared.
    pub(super) fn declared(&self, module: usize, name: &str) -> Option<usize> {
        self.modules.iter().position(|child| child.parent == module && child.name == name)
    }

    /// The import of a name.
    pub(super) fn import(&self, module: usize, name: &str) -> Option<&Import<'a>> {
        // What has the name of its own crate is not imported from the program.
        let is_it = |import: &&Import<'_>| {
            import.module == module
                && import.name == name
                && import.path.first().is_none_or(|first| first != name)
        };
        self.imports.iter().find(is_it)
    }
}

/// The paths of an import behind those names, and what each is called.
fn names_in(tree: &UseTree, way: &[String], names: &mut Vec<(Vec<String>, String)>) {
    let path = |last: &syn::Ident| way.iter().cloned().chain([last.to_string()]).collect::<Vec<_>>();
    match tree {
        UseTree::Path(step) => names_in(&step.tree, &path(&step.ident), names),
        UseTree::Name(name) if name.ident == "self" => {
            names.push((way.to_vec(), way.last().cloned().unwrap_or_default()));
        }
        UseTree::Name(name) => names.push((path(&name.ident), name.ident.to_string())),
        UseTree::Rename(name) => names.push((path(&name.ident), name.rename.to_string())),
        UseTree::Group(group) => group.items.iter().for_each(|tree| names_in(tree, way, names)),
        UseTree::Glob(_) => {}
    }
}
