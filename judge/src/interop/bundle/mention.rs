//! Where a text mentions which names.

use proc_macro2::{Delimiter, TokenStream, TokenTree};

/// A name where it is used. Fields are not told of.
pub(super) struct Mention {
    /// Where it stands.
    pub(super) at: usize,
    /// The name, behind those that it is joined to by `::`: for `a::b` there are two mentions, `a` and `a::b`.
    pub(super) path: Vec<String>,
    /// Whether it is called on a value, or named by way of a type that is not simply a name.
    pub(super) is_method: bool,
    /// What the method is called on, if that is a variable or a field.
    pub(super) receiver: Option<String>,
    /// Whether arguments or generic ones follow.
    pub(super) is_called: bool,
    /// Whether more names are joined to it.
    pub(super) is_way: bool,
}

impl Mention {
    pub(super) fn name(&self) -> &str {
        self.path.last().map_or("", String::as_str)
    }
}

/// What stands before a name that is not used there but defined.
const DEFINES: [&str; 5] = ["enum", "fn", "mod", "struct", "trait"];

/// All mentions, in their order.
pub(super) fn mentions(tokens: &TokenStream) -> Vec<Mention> {
    let mut flat = Vec::new();
    flatten(tokens.clone(), &mut flat);
    let mut mentions: Vec<Mention> = Vec::new();
    for (index, token) in flat.iter().enumerate() {
        let before = |count: usize| index.checked_sub(count).map_or(&Token::Other, |index| &flat[index].1);
        let after = |count: usize| flat.get(index + count).map_or(&Token::Other, |(_, token)| token);
        let is_way = is_path(after(1), after(2)) && matches!(after(3), Token::Name(_));
        let is_called = matches!(after(1), Token::Open) || is_path(after(1), after(2));
        let (at, name) = match token {
            (at, Token::Name(name)) => (*at, name),
            (at, Token::Text(text)) => {
                let shown = shown(text);
                mentions.extend(shown.map(|name| Mention {
                    at: *at,
                    path: vec![name],
                    is_method: false,
                    receiver: None,
                    is_called: false,
                    is_way: false,
                }));
                continue;
            }
            _ => continue,
        };
        let (path, is_method) = match (before(2), before(1)) {
            (_, Token::Mark('\'')) => continue,
            (_, Token::Name(keyword)) if DEFINES.contains(&keyword.as_str()) => continue,
            (range, Token::Mark('.')) if !matches!(range, Token::Mark('.')) => {
                if !is_called {
                    continue;
                }
                (Vec::new(), true)
            }
            (first, second) if is_path(first, second) => match (before(3), mentions.last()) {
                (Token::Name(_), Some(last)) => (last.path.clone(), last.is_method),
                _ => (Vec::new(), true),
            },
            _ => (Vec::new(), false),
        };
        let receiver = match (before(2), before(1)) {
            (Token::Name(receiver), Token::Mark('.')) => Some(receiver.clone()),
            _ => None,
        };
        let path = path.into_iter().chain([name.clone()]).collect();
        mentions.push(Mention { at, path, is_method, receiver, is_called, is_way });
    }
    mentions
}

enum Token {
    Name(String),
    Text(String),
    Mark(char),
    /// The opening parenthesis of a call.
    Open,
    Other,
}

fn flatten(tokens: TokenStream, flat: &mut Vec<(usize, Token)>) {
    for token in tokens {
        let at = token.span().byte_range().start;
        match token {
            TokenTree::Ident(name) => flat.push((at, Token::Name(name.to_string()))),
            TokenTree::Punct(mark) => flat.push((at, Token::Mark(mark.as_char()))),
            TokenTree::Literal(text) => flat.push((at, Token::Text(text.to_string()))),
            TokenTree::Group(group) => {
                let is_call = group.delimiter() == Delimiter::Parenthesis;
                flat.push((at, if is_call { Token::Open } else { Token::Other }));
                flatten(group.stream(), flat);
                flat.push((at, Token::Other));
            }
        }
    }
}

fn is_path(first: &Token, second: &Token) -> bool {
    matches!((first, second), (Token::Mark(':'), Token::Mark(':')))
}

/// The names that a format shows: `{name}`.
fn shown(text: &str) -> impl Iterator<Item = String> + '_ {
    let is_part = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
    let names = text.split('{').skip(1).map(move |rest| rest.split(|letter| !is_part(letter)).next());
    names.flatten().filter(|name| !name.is_empty()).map(str::to_owned)
}
