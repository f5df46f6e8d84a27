//! The local page of `judge web`: a server on the loopback interface, and the answers that its pages ask for.
//!
//! The server keeps no games: a page sends the game and its moves with each request. The server computes no answers
//! itself: each one is the output of a separate process, see [`jobs`]. The process is killed if it takes too long, or
//! if nobody waits for its answer any more.

pub(crate) mod answers;
mod checks;
mod connections;
mod files;
mod jobs;
mod server;
mod site;
mod table_request;

use std::fmt::Write;
use std::time::Duration;

use http_body_util::Full;
use hyper::body::Bytes;
use hyper::header::{CONTENT_TYPE, HeaderName, HeaderValue};
use hyper::{Response, StatusCode};

pub(crate) use server::Server;

// The limits of the server. They are far above the needs of the pages.

/// Maximum size of the body of a request, in bytes.
const MAX_BODY: usize = 1 << 20;

/// Maximum number of bytes that are read from the body of a refused request and ignored, so that its sender reads the
/// answer.
const MAX_IGNORED: usize = 64 << 20;

/// Maximum size of the head of a request, in bytes.
const MAX_HEAD: usize = 16 << 10;

/// Maximum time to receive the head of a request, and again for its body. The sender is on the same machine.
const READ_TIME: Duration = Duration::from_secs(5);

/// Maximum number of open connections. Each uses two file descriptors, and some systems allow only 256.
const MAX_CONNECTIONS: usize = 100;

/// Maximum number of answers that are computed at a time.
const MAX_JOBS: usize = 4;

/// Maximum number of requests that wait for their computation.
const MAX_WAITING: usize = 32;

/// Maximum time that a request waits for its computation, and maximum time of the computation: the solver's time for a
/// game, and some seconds more.
const JOB_TIME: Duration = Duration::from_secs(15);

/// Maximum address space of a process that computes an answer, in bytes.
#[cfg(target_os = "linux")]
const JOB_MEMORY: u64 = 2 << 30;

/// Maximum size of an answer, in bytes.
const MAX_ANSWER: u64 = 32 << 20;

/// An answer of the server.
type Answer = Response<Full<Bytes>>;

const TEXT: &str = "text/plain; charset=utf-8";
const JSON: &str = "application/json";

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
fn answer(status: StatusCode, kind: &'static str, content: impl Into<Bytes>) -> Answer {
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
fn refusal(status: StatusCode, why: &str) -> Answer {
    answer(status, TEXT, format!("{why}\n"))
}

/// Returns a refusal as the bytes of an HTTP response that closes the connection, to be written without hyper.
fn closing(status: StatusCode, why: &str) -> Vec<u8> {
    let mut head = format!("HTTP/1.1 {status}\r\nconnection: close\r\ncontent-type: {TEXT}\r\n");
    for (name, value) in HEADERS {
        let _ = write!(head, "{name}: {value}\r\n");
    }
    format!("{head}content-length: {}\r\n\r\n{why}\n", why.len() + 1).into_bytes()
}
