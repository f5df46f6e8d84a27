//! Reads a crate as one syntax tree: inlines modules, evaluates conditions, removes tests and most documentation.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow, ensure};
use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::parse::{ParseStream, Parser};
use syn::punctuated::Punctuated;
use syn::visit_mut::{self, VisitMut};
use syn::{
    AttrStyle, Attribute, Block, Expr, ExprArray, ExprBlock, ExprIf, ExprMatch, ExprStruct, FieldsNamed,
    File, ItemEnum, ItemImpl, ItemMod, ItemTrait, Lit, Meta, Stmt, parse_quote,
};

use crate::conditions::Condition;

/// Returns the crate whose root is the file at `root`, without its optional features.
///
/// The root module stays the root, so every path keeps its meaning, also a path with `crate`. Only the first paragraph
/// of each module's documentation is kept.
///
/// # Errors
///
/// If a file is missing or is not Rust, or if a condition cannot be evaluated.
pub(crate) fn inline(root: &Path) -> anyhow::Result<File> {
    let directory = root.parent().unwrap_or(Path::new("")).to_owned();
    read(root, directory)
}

/// Reads the file at `path`, whose modules are in `directory`.
fn read(path: &Path, directory: PathBuf) -> anyhow::Result<File> {
    let text = fs::read_to_string(path).with_context(|| path.display().to_string())?;
    let mut file = syn::parse_file(&text).map_err(|error| anyhow!("{}: {error}", path.display()))?;
    let mut inliner = Inliner { directory, failure: None };
    inliner.visit_file_mut(&mut file);
    match inliner.failure {
        None => Ok(file),
        Some(failure) => Err(failure.context(path.display().to_string())),
    }
}

/// Inlines and filters the tree of one file.
struct Inliner {
    /// The directory of the files of the modules.
    directory: PathBuf,
    failure: Option<anyhow::Error>,
}

impl Inliner {
    /// Stores `failure`, unless there is an earlier failure.
    fn fail(&mut self, failure: impl Into<anyhow::Error>) {
        self.failure.get_or_insert(failure.into());
    }

    /// Returns false if a condition of `part` is known to be false.
    fn is_kept(&mut self, part: &impl ToTokens) -> bool {
        // Different kinds of parts have their attributes in different fields; in the tokens of a part they are always
        // first.
        let outer = |input: ParseStream<'_>| {
            let attributes = input.call(Attribute::parse_outer)?;
            input.parse::<TokenStream>()?;
            attributes.iter().map(Condition::of).collect::<syn::Result<Vec<_>>>()
        };
        match outer.parse2(part.to_token_stream()) {
            Ok(conditions) => !conditions.contains(&Some(Condition::Known(false))),
            Err(error) => {
                self.fail(error);
                true
            }
        }
    }

    fn retain<T: Clone + ToTokens, P: Clone + Default>(&mut self, parts: &mut Punctuated<T, P>) {
        *parts = parts.iter().filter(|part| self.is_kept(part)).cloned().collect();
    }

    /// Inserts the content of a module's file at the declaration of the module.
    fn fill(&mut self, module: &mut ItemMod) -> anyhow::Result<()> {
        let has_path = module.attrs.iter().any(|attribute| attribute.path().is_ident("path"));
        ensure!(!has_path, "expected no #[path] at the module {}", module.ident);
        let directory = self.directory.join(module.ident.to_string());
        let file = directory.with_extension("rs");
        let path = if file.exists() { file } else { directory.join("mod.rs") };
        let file = read(&path, directory)?;
        module.attrs.extend(file.attrs);
        module.semi = None;
        module.content = Some((syn::token::Brace::default(), file.items));
        Ok(())
    }
}

impl VisitMut for Inliner {
    fn visit_file_mut(&mut self, file: &mut File) {
        file.items.retain(|item| self.is_kept(item));
        visit_mut::visit_file_mut(self, file);
    }

    fn visit_item_mod_mut(&mut self, module: &mut ItemMod) {
        if module.content.is_none() {
            // `fill` visits the file of the module, so visit only the attributes here.
            self.visit_attributes_mut(&mut module.attrs);
            if let Err(failure) = self.fill(module) {
                self.fail(failure);
            }
            return;
        }
        let directory = self.directory.join(module.ident.to_string());
        let outer = std::mem::replace(&mut self.directory, directory);
        if let Some((_, items)) = &mut module.content {
            items.retain(|item| self.is_kept(item));
        }
        visit_mut::visit_item_mod_mut(self, module);
        self.directory = outer;
    }

    fn visit_item_impl_mut(&mut self, part: &mut ItemImpl) {
        part.items.retain(|item| self.is_kept(item));
        visit_mut::visit_item_impl_mut(self, part);
    }

    fn visit_item_trait_mut(&mut self, part: &mut ItemTrait) {
        part.items.retain(|item| self.is_kept(item));
        visit_mut::visit_item_trait_mut(self, part);
    }

    fn visit_item_enum_mut(&mut self, part: &mut ItemEnum) {
        self.retain(&mut part.variants);
        visit_mut::visit_item_enum_mut(self, part);
    }

    fn visit_fields_named_mut(&mut self, part: &mut FieldsNamed) {
        self.retain(&mut part.named);
        visit_mut::visit_fields_named_mut(self, part);
    }

    fn visit_block_mut(&mut self, block: &mut Block) {
        block.stmts.retain(|statement| self.is_kept(statement));
        visit_mut::visit_block_mut(self, block);
    }

    fn visit_expr_array_mut(&mut self, part: &mut ExprArray) {
        self.retain(&mut part.elems);
        visit_mut::visit_expr_array_mut(self, part);
    }

    fn visit_expr_match_mut(&mut self, part: &mut ExprMatch) {
        part.arms.retain(|arm| self.is_kept(arm));
        visit_mut::visit_expr_match_mut(self, part);
    }

    fn visit_expr_struct_mut(&mut self, part: &mut ExprStruct) {
        self.retain(&mut part.fields);
        visit_mut::visit_expr_struct_mut(self, part);
    }

    fn visit_expr_mut(&mut self, expression: &mut Expr) {
        // Replace `if cfg!(test) { .. } else { .. }` with the chosen branch.
        if let Expr::If(choice) = expression {
            match Condition::of_expression(&choice.cond) {
                Ok(Some(Condition::Known(holds))) => *expression = chosen(choice, holds),
                Ok(_) => {}
                Err(error) => self.fail(error),
            }
        }
        visit_mut::visit_expr_mut(self, expression);
    }

    /// Expands the attributes of a kept part, and removes all documentation except the first paragraph of the
    /// documentation (`//!`) of a module.
    fn visit_attributes_mut(&mut self, attributes: &mut Vec<Attribute>) {
        let expanded = attributes.drain(..).map(Condition::expand).collect::<syn::Result<Vec<_>>>();
        match expanded {
            Ok(expanded) => attributes.extend(expanded.into_iter().flatten()),
            Err(error) => self.fail(error),
        }
        let mut is_first_paragraph = true;
        attributes.retain(|attribute| match (Condition::of(attribute), doc_line(attribute)) {
            (Ok(Some(Condition::Known(true))), _) => false,
            (Ok(Some(Condition::Known(false))), _) => {
                self.fail(syn::Error::new_spanned(
                    attribute,
                    "a condition on this kind of syntax is not supported",
                ));
                true
            }
            (Err(error), _) => {
                self.fail(error);
                true
            }
            (Ok(_), None) => true,
            (Ok(_), Some(line)) => {
                is_first_paragraph &= !line.trim().is_empty();
                is_first_paragraph && matches!(attribute.style, AttrStyle::Inner(_))
            }
        });
    }
}

/// Returns the branch of an `if` whose condition has the value `holds`.
fn chosen(choice: &ExprIf, holds: bool) -> Expr {
    let block = |block: &Block| match block.stmts.as_slice() {
        [Stmt::Expr(expression, None)] => expression.clone(),
        _ => Expr::Block(ExprBlock { attrs: Vec::new(), label: None, block: block.clone() }),
    };
    match &choice.else_branch {
        _ if holds => block(&choice.then_branch),
        Some((_, other)) => match other.as_ref() {
            Expr::Block(other) => block(&other.block),
            other => other.clone(),
        },
        None => parse_quote!({}),
    }
}

/// Returns the text of a line of documentation; `None` for any other attribute.
fn doc_line(attribute: &Attribute) -> Option<String> {
    match &attribute.meta {
        Meta::NameValue(pair) if pair.path.is_ident("doc") => match &pair.value {
            Expr::Lit(line) => match &line.lit {
                Lit::Str(line) => Some(line.value()),
                _ => None,
            },
            _ => None,
        },
        _ => None,
    }
}
