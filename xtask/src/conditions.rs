//! Evaluation of conditional compilation for a program without features and tests.

use syn::punctuated::Punctuated;
use syn::{Attribute, Expr, Lit, Meta, Token};

/// The value of a condition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Condition {
    /// The condition depends only on features and tests.
    Known(bool),
    /// The condition depends on the processor or the system, so the compiler decides.
    Open,
}

use Condition::{Known, Open};

impl Condition {
    /// Returns the condition of `#[cfg(...)]`; `None` for any other attribute.
    ///
    /// # Errors
    ///
    /// If the condition cannot be parsed, or if it mixes known and open conditions and the known ones do not decide it.
    pub(crate) fn of(attribute: &Attribute) -> syn::Result<Option<Self>> {
        if !attribute.path().is_ident("cfg") {
            return Ok(None);
        }
        Self::read(&attribute.parse_args::<Meta>()?).map(Some)
    }

    /// Returns the condition of `cfg!(...)`; `None` for any other expression.
    ///
    /// # Errors
    ///
    /// Same as [`of`](Self::of).
    pub(crate) fn of_expression(expression: &Expr) -> syn::Result<Option<Self>> {
        match expression {
            Expr::Macro(call) if call.mac.path.is_ident("cfg") => {
                Self::read(&call.mac.parse_body::<Meta>()?).map(Some)
            }
            _ => Ok(None),
        }
    }

    /// Returns the attributes that replace `attribute`: for a known `#[cfg_attr(...)]` the attributes that it adds or
    /// none, for any other attribute the attribute itself.
    ///
    /// # Errors
    ///
    /// Same as [`of`](Self::of).
    pub(crate) fn expand(attribute: Attribute) -> syn::Result<Vec<Attribute>> {
        if !attribute.path().is_ident("cfg_attr") {
            return Ok(vec![attribute]);
        }
        let parts = attribute.parse_args_with(Punctuated::<Meta, Token![,]>::parse_terminated)?;
        let mut parts = parts.into_iter();
        let condition = parts.next().as_ref().map_or(Ok(Open), Self::read)?;
        Ok(match condition {
            Known(true) => parts.map(|meta| Attribute { meta, ..attribute.clone() }).collect(),
            Known(false) => Vec::new(),
            Open => vec![attribute],
        })
    }

    fn read(meta: &Meta) -> syn::Result<Self> {
        match meta {
            Meta::Path(path) if path.is_ident("test") => Ok(Known(false)),
            Meta::NameValue(pair) if pair.path.is_ident("feature") => match &pair.value {
                Expr::Lit(name) if matches!(name.lit, Lit::Str(_)) => Ok(Known(false)),
                other => Err(syn::Error::new_spanned(other, "expected the name of a feature")),
            },
            Meta::List(list) if ["all", "any", "not"].iter().any(|name| list.path.is_ident(name)) => {
                let parts = list.parse_args_with(Punctuated::<Meta, Token![,]>::parse_terminated)?;
                let parts = parts.iter().map(Self::read).collect::<syn::Result<Vec<_>>>()?;
                if list.path.is_ident("not") {
                    return match *parts.as_slice() {
                        [Known(holds)] => Ok(Known(!holds)),
                        [Open] => Ok(Open),
                        _ => Err(syn::Error::new_spanned(list, "expected one condition")),
                    };
                }
                let decisive = Known(list.path.is_ident("any"));
                match parts.as_slice() {
                    parts if parts.contains(&decisive) => Ok(decisive),
                    parts if parts.iter().all(|&part| part == Open) && !parts.is_empty() => Ok(Open),
                    parts if !parts.contains(&Open) => Ok(Known(decisive == Known(false))),
                    _ => Err(syn::Error::new_spanned(
                        list,
                        "expected a condition on features and tests, or one on the processor and the system, not both",
                    )),
                }
            }
            _ => Ok(Open),
        }
    }
}

#[cfg(test)]
mod tests {
    use syn::parse_quote;

    use super::*;

    #[test]
    fn features_are_off_and_processors_open() {
        let cases: [(Attribute, Option<Condition>); 9] = [
            (parse_quote!(#[cfg(test)]), Some(Known(false))),
            (parse_quote!(#[cfg(not(test))]), Some(Known(true))),
            (parse_quote!(#[cfg(feature = "log")]), Some(Known(false))),
            (parse_quote!(#[cfg(all(feature = "log", unix))]), Some(Known(false))),
            (parse_quote!(#[cfg(any(not(feature = "log"), unix))]), Some(Known(true))),
            (parse_quote!(#[cfg(all(not(test), not(feature = "log")))]), Some(Known(true))),
            (parse_quote!(#[cfg(any(test, feature = "log"))]), Some(Known(false))),
            (parse_quote!(#[cfg(not(any(unix, target_arch = "x86_64")))]), Some(Open)),
            (parse_quote!(#[derive(Debug)]), None),
        ];
        for (attribute, expected) in cases {
            assert_eq!(Condition::of(&attribute).unwrap(), expected, "{attribute:?}");
        }
        let mixed: Attribute = parse_quote!(#[cfg(any(test, unix))]);
        assert!(Condition::of(&mixed).is_err());
    }

    #[test]
    fn conditional_attributes() {
        let cases: [(Attribute, Vec<Attribute>); 4] = [
            (
                parse_quote!(#[cfg_attr(not(feature = "log"), allow(unused), inline)]),
                vec![parse_quote!(#[allow(unused)]), parse_quote!(#[inline])],
            ),
            (parse_quote!(#[cfg_attr(test, derive(Debug))]), vec![]),
            (parse_quote!(#[cfg_attr(unix, inline)]), vec![parse_quote!(#[cfg_attr(unix, inline)])]),
            (parse_quote!(#[inline]), vec![parse_quote!(#[inline])]),
        ];
        for (attribute, expected) in cases {
            assert_eq!(Condition::expand(attribute).unwrap(), expected);
        }
    }
}
