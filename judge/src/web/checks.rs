//! Refuses requests before their bodies are read: requests of other sites, and requests without the secret.

use std::fs::File;
use std::io::Read;

use anyhow::Context;
use hyper::header::{HOST, HeaderName, ORIGIN};
use hyper::http::request::Parts;
use hyper::{HeaderMap, StatusCode};
use itertools::Itertools;

/// Why a request is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Refusal {
    pub(super) status: StatusCode,
    pub(super) why: &'static str,
}

const WRONG_HOST: Refusal = Refusal {
    status: StatusCode::MISDIRECTED_REQUEST,
    why: "expected the header Host to be the address that judge web printed",
};

const WRONG_ORIGIN: Refusal = Refusal {
    status: StatusCode::FORBIDDEN,
    why: "expected a request from the page itself, got one from another site",
};

const WRONG_TOKEN: Refusal = Refusal {
    status: StatusCode::FORBIDDEN,
    why: "expected the secret in the path: open the whole address that judge web printed",
};

/// Returns the path after the secret. Refuses a request without the secret, for another host, or from another site.
///
/// The host is checked because another site can resolve its own name to the address of this machine. The origin is
/// checked because any site can send requests to this machine.
pub(super) fn path_of<'a>(request: &'a Parts, port: u16, token: &Token) -> Result<&'a str, Refusal> {
    let hosts = [format!("127.0.0.1:{port}"), format!("localhost:{port}")];
    let is_host = |host: &str| hosts.iter().any(|known| known == host);
    if !sole(&request.headers, &HOST).is_some_and(is_host)
        || request.uri.authority().is_some_and(|authority| !is_host(authority.as_str()))
    {
        return Err(WRONG_HOST);
    }
    if request.headers.contains_key(ORIGIN) {
        let origin = sole(&request.headers, &ORIGIN).and_then(|origin| origin.strip_prefix("http://"));
        if !origin.is_some_and(is_host) {
            return Err(WRONG_ORIGIN);
        }
    }
    let path = request.uri.path().strip_prefix('/').and_then(|path| path.split_once('/'));
    path.filter(|(secret, _)| token.is(secret)).map(|(_, path)| path).ok_or(WRONG_TOKEN)
}

/// Returns the value of a header that occurs exactly once.
fn sole<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Option<&'a str> {
    let mut values = headers.get_all(name).iter();
    let value = values.next()?.to_str().ok()?;
    values.next().is_none().then_some(value)
}

/// A random secret of 128 bits, in hex digits.
pub(super) struct Token(String);

impl Token {
    pub(super) fn random() -> anyhow::Result<Self> {
        let mut bytes = [0_u8; 16];
        File::open("/dev/urandom")
            .and_then(|mut source| source.read_exact(&mut bytes))
            .context("the system provides no random bytes")?;
        Ok(Self(format!("{:02x}", bytes.iter().format(""))))
    }

    pub(super) fn text(&self) -> &str {
        &self.0
    }

    /// Returns whether a text is this secret. The running time does not depend on the position of the first difference.
    pub(super) fn is(&self, text: &str) -> bool {
        let differences = self.0.bytes().zip(text.bytes()).map(|(a, b)| a ^ b);
        self.0.len() == text.len() && differences.fold(0, |all, next| all | next) == 0
    }
}

#[cfg(test)]
mod tests {
    use hyper::Request;

    use super::*;

    fn path(uri: &str, headers: &[(&str, &str)]) -> Result<String, Refusal> {
        let token = Token::random().unwrap();
        let mut request = Request::get(uri.replace("TOKEN", token.text()));
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        path_of(&request.body(()).unwrap().into_parts().0, 8000, &token).map(str::to_owned)
    }

    #[test]
    fn requests_of_the_page_are_accepted() {
        let host = ("host", "127.0.0.1:8000");
        assert_eq!(path("/TOKEN/", &[host]), Ok(String::new()));
        assert_eq!(
            path("/TOKEN/api/turn", &[host, ("origin", "http://127.0.0.1:8000")]),
            Ok("api/turn".to_owned())
        );
        assert_eq!(path("/TOKEN/a", &[("host", "localhost:8000")]), Ok("a".to_owned()));
    }

    #[test]
    fn other_requests_are_refused() {
        let host = ("host", "127.0.0.1:8000");
        for (headers, refusal) in [
            (vec![], WRONG_HOST),
            (vec![("host", "example.org")], WRONG_HOST),
            (vec![("host", "127.0.0.1")], WRONG_HOST),
            (vec![("host", "127.0.0.1:8001")], WRONG_HOST),
            (vec![host, host], WRONG_HOST),
            (vec![host, ("origin", "http://example.org")], WRONG_ORIGIN),
            (vec![host, ("origin", "https://127.0.0.1:8000")], WRONG_ORIGIN),
            (vec![host, ("origin", "null")], WRONG_ORIGIN),
        ] {
            assert_eq!(path("/TOKEN/", &headers), Err(refusal), "{headers:?}");
        }
        assert_eq!(path("http://example.org/TOKEN/", &[host]), Err(WRONG_HOST));
        for without in ["/", "/TOKEN", "/play.js", "//TOKEN/", "/0TOKEN/", "/../TOKEN/"] {
            assert_eq!(path(without, &[host]), Err(WRONG_TOKEN), "{without}");
        }
    }

    #[test]
    fn only_the_whole_secret_is_accepted() {
        let token = Token::random().unwrap();
        let text = token.text().to_owned();
        assert_eq!(text.len(), 32);
        assert!(token.is(&text));
        for other in ["", &text[..31], &format!("{text}0"), &text.replace(&text[..1], "x")] {
            assert!(!token.is(other), "{other}");
        }
        assert_ne!(Token::random().unwrap().text(), text);
    }
}
