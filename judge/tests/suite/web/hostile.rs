//! Hostile requests: each gets its status, and the page goes on.

use std::io::Write;

use crate::support::{Server, answer, await_that, state};

/// A request without a body.
fn get(path: &str, headers: &str) -> Vec<u8> {
    format!("GET {path} HTTP/1.1\r\nconnection: close\r\n{headers}\r\n").into_bytes()
}

#[test]
fn requests_of_other_sites() {
    let server = Server::start();
    let (root, host) = (server.root(), server.host());
    let own = format!("host: {host}\r\n");
    let (status, page) = server.send(&get(root, &own));
    assert_eq!(status, 200);
    assert!(page.contains("content-security-policy: default-src 'none'; script-src 'self'"), "{page}");
    for (headers, status) in [
        ("host: example.org\r\n".to_owned(), 421),
        ("host: 127.0.0.1\r\n".to_owned(), 421),
        (String::new(), 421),
        (format!("{own}{own}"), 421),
        (format!("{own}origin: http://example.org\r\n"), 403),
        (format!("{own}origin: null\r\n"), 403),
    ] {
        assert_eq!(server.send(&get(root, &headers)).0, status, "{headers:?}");
    }
    // What is computed needs the origin, the secret, the type and the method.
    let good = server.request("hint", r#"{"game":"square 20"}"#);
    assert_eq!(server.send(good.as_bytes()).0, 200);
    for (from, to, status) in [
        (root, "/", 403),
        (root, "/00000000000000000000000000000000/", 403),
        ("origin: http://", "origin: https://", 403),
        ("application/json", "text/plain", 415),
        ("application/json", "application/x-www-form-urlencoded", 415),
        ("POST", "GET", 405),
        ("POST", "PUT", 405),
        ("api/hint", "api/nothing", 404),
        ("api/hint", "api/", 404),
        ("api/hint", "play.js", 405),
    ] {
        assert_eq!(server.send(good.replacen(from, to, 1).as_bytes()).0, status, "{from} -> {to}");
    }
    // Ten megabytes of what is refused anyway.
    let large = server.request("turn", &" ".repeat(10_000_000));
    assert_eq!(server.send(large.replacen(root, "/", 1).as_bytes()).0, 403);
    assert_eq!(server.send(large.replacen("origin: http://", "origin: https://", 1).as_bytes()).0, 403);
    server.assert_goes_on();
}

#[test]
fn paths_that_lead_elsewhere() {
    let server = Server::start();
    let (root, own) = (server.root(), format!("host: {}\r\n", server.host()));
    for path in [
        "../../../../etc/passwd",
        "..%2f..%2fetc%2fpasswd",
        "%2e%2e/Cargo.toml",
        "/etc/passwd",
        "//play.js",
        "./play.js",
        "play.js%00.html",
        "play.js/",
        "PLAY.JS",
        "api/../play.js",
        "index.html",
        ".git/config",
    ] {
        let (status, answer) = server.send(&get(&format!("{root}{path}"), &own));
        assert_eq!(status, 404, "{path}: {answer}");
    }
    for (path, status) in
        [("/", 403), ("/../", 403), ("/etc/passwd", 403), ("*", 403), ("http://example.org/", 421)]
    {
        assert_eq!(server.send(&get(path, &own)).0, status, "{path}");
    }
    for malformed in
        ["GET\r\n\r\n", "GET / HTTP/9.9\r\n\r\n", "\0\0\0\0\r\n\r\n", "GET /\u{7f} HTTP/1.1\r\n\r\n"]
    {
        assert_eq!(server.send(malformed.as_bytes()).0, 400, "{malformed:?}");
    }
    server.assert_goes_on();
}

#[test]
fn requests_that_are_too_large() {
    let server = Server::start();
    let body = |bytes: usize| format!(r#"{{"game":"square 20","moves":"{}"}}"#, " ".repeat(bytes));
    assert_eq!(server.ask("turn", &body(1_000_000)).0, 200);
    assert_eq!(server.ask("turn", &body(1 << 20)).0, 413);
    assert_eq!(server.ask("turn", &body(10_000_000)).0, 413);
    // Without a length that is announced.
    let chunk = format!("100000\r\n{}\r\n", " ".repeat(1 << 20));
    let head = server.request("turn", "").replace("content-length: 0", "transfer-encoding: chunked");
    assert_eq!(server.send(format!("{head}{}0\r\n\r\n", chunk.repeat(10)).as_bytes()).0, 413);
    // A head that is too large, and too many headers.
    let own = format!("host: {}\r\n", server.host());
    assert_eq!(server.send(&get(server.root(), &format!("{own}x: {}\r\n", "x".repeat(100_000)))).0, 431);
    assert_eq!(server.send(&get(server.root(), &format!("{own}{}", "x: x\r\n".repeat(1000)))).0, 431);
    server.assert_goes_on();
}

/// Requests that take all the time that there is: others are answered meanwhile, and when nobody waits for an answer
/// any more it is not computed any more.
#[test]
fn requests_that_take_long() {
    let server = Server::start();
    // Several seconds of work that no one bounds.
    let long = server.request("table", r#"{"game":"segment 3 3","to":10000000}"#);
    let busy: Vec<_> = (0..3)
        .map(|_| {
            let mut stream = server.connect();
            stream.write_all(long.as_bytes()).unwrap();
            stream
        })
        .collect();
    server.assert_goes_on();
    drop(busy);
    server.assert_goes_on();
    #[cfg(target_os = "linux")]
    await_that(|| {
        let path = format!("/proc/{0}/task/{0}/children", server.id());
        std::fs::read_to_string(path).unwrap().is_empty()
    });
}

/// What is computed ends with a server that is killed.
#[cfg(target_os = "linux")]
#[test]
fn a_server_that_is_killed() {
    let server = Server::start();
    let mut stream = server.connect();
    stream.write_all(server.request("table", r#"{"game":"segment 3 3","to":10000000}"#).as_bytes()).unwrap();
    let path = format!("/proc/{0}/task/{0}/children", server.id());
    await_that(|| !std::fs::read_to_string(&path).unwrap().is_empty());
    let child: u32 = std::fs::read_to_string(&path).unwrap().trim().parse().unwrap();
    drop(server);
    await_that(|| matches!(state(child), None | Some('Z')));
}

/// More requests than are computed at a time wait, and more than may wait are refused.
#[test]
fn more_requests_than_there_is_place_for() {
    let server = Server::start();
    let long = server.request("table", r#"{"game":"segment 3 3","to":10000000}"#);
    let mut streams: Vec<_> = (0..60)
        .map(|_| {
            let mut stream = server.connect();
            stream.write_all(long.as_bytes()).unwrap();
            stream
        })
        .collect();
    // The last ones find all places taken.
    let (status, text) = answer(streams.pop().unwrap());
    assert_eq!(status, 503, "{text}");
    assert!(text.contains("retry-after: 1\r\n"), "{text}");
    drop(streams);
    await_that(|| server.ask("turn", r#"{"game":"square 20"}"#).0 == 200);
}
