//! What `#[cfg(...)]` asks for, as far as it is known before the file is compiled.

use syn::parse::Parser;
use syn::punctuated::Punctuated;
use syn::{Attribute, Expr, ExprLit, Lit, Meta, Token};

/// The features that are on; all others are off.
pub(crate) type Features<'a> = &'a [&'a str];

/// Whether a condition holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Condition {
    /// It depends on features and tests alone.
    Known(bool),
    /// It is for the compiler to tell: the processor, the system.
    Open,
    /// It depends on both, and cannot stand in the file as it is.
    Mixed,
}

use Condition::{Known, Mixed, Open};

impl Condition {
    /// The condition in the first argument of `cfg` or `cfg_attr`.
    pub(crate) fn of(attribute: &Attribute, features: Features<'_>) -> syn::Result<Self> {
        let arguments = attribute.parse_args_with(Punctuated::<Meta, Token![,]>::parse_terminated)?;
        arguments.first().map_or(Ok(Open), |first| Self::read(first, features))
    }

    fn read(meta: &Meta, features: Features<'_>) -> syn::Result<Self> {
        Ok(match meta {
            Meta::Path(path) if path.is_ident("test") => Known(false),
            Meta::Path(path) if path.is_ident("contest") => Known(features.contains(&"contest")),
            Meta::NameValue(pair) if pair.path.is_ident("feature") => match &pair.value {
                Expr::Lit(ExprLit { lit: Lit::Str(name), .. }) => {
                    Known(features.contains(&name.value().as_str()))
                }
                _ => Open,
            },
            Meta::List(list) => {
                let parts = Punctuated::<Meta, Token![,]>::parse_terminated.parse2(list.tokens.clone())?;
                let parts =
                    parts.iter().map(|part| Self::read(part, features)).collect::<syn::Result<Vec<_>>>()?;
                if list.path.is_ident("all") {
                    Self::join(&parts, false)
                } else if list.path.is_ident("any") {
                    Self::join(&parts, true)
                } else if list.path.is_ident("not") {
                    match *parts.as_slice() {
                        [Known(holds)] => Known(!holds),
                        [part] => part,
                        _ => Open,
                    }
                } else {
                    Open
                }
            }
            _ => Open,
        })
    }

    /// Several conditions, of which one that is `decisive` settles all.
    fn join(parts: &[Self], decisive: bool) -> Self {
        if parts.contains(&Known(decisive)) {
            Known(decisive)
        } else if parts.iter().all(|&part| part == Known(!decisive)) {
            Known(!decisive)
        } else if parts.iter().all(|&part| part == Open) {
            Open
        } else {
            Mixed
        }
    }
}
