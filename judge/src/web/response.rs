//! The server's answers, with their headers.

use std::fmt::Write;

use http_body_util::Full;
use hyper::body::Bytes;
use hyper::header::{CONTENT_TYPE, HeaderName, HeaderValue};
use hyper::{Response, StatusCode};

pub(super) type Answer = Response<Full<Bytes>>;

pub(super) const TEXT: &str = "text/plain; charset=utf-8";
pub(super) const JSON: &str = "application/json";

/// The headers of each answer. They restrict scripts, styles and requests to the site itself, and forbid caching.
const HEADERS: [(&str, &str); 7] = [
    (
        "content-security-policy",
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; connect-src 'self'; \
         base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    ),
    ("x-content-type-options", "nosniff"),
    ("x-frame-options", "DENY"),
    ("referrer-policy", "no-referrer"),
    ("cross-origin-opener-policy", "same-origin"),
    ("cross-origin-resource-policy", "same-origin"),
    ("cache-control", "no-store"),
];

/// Returns an answer with its content type and `HEADERS`.
pub(super) fn answer(status: StatusCode, kind: &'static str, content: impl Into<Bytes>) -> Answer {
    let mut answer = Response::new(Full::new(content.into()));
    *answer.status_mut() = status;
    let headers = answer.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(kind));
    for (name, value) in HEADERS {
        headers.insert(HeaderName::from_static(name), HeaderValue::from_static(value));
    }
    answer
}

/// Returns an answer that says what is wrong.
pub(super) fn refusal(status: StatusCode, why: &str) -> Answer {
    answer(status, TEXT, format!("{why}\n"))
}

/// Returns a refusal as the bytes of an HTTP response that closes the connection, to be written without hyper.
pub(super) fn closing(status: StatusCode, why: &str) -> Vec<u8> {
    let mut head = format!("HTTP/1.1 {status}\r\nconnection: close\r\ncontent-type: {TEXT}\r\n");
    for (name, value) in HEADERS {
        let _ = write!(head, "{name}: {value}\r\n");
    }
    format!("{head}content-length: {}\r\n\r\n{why}\n", why.len() + 1).into_bytes()
}
