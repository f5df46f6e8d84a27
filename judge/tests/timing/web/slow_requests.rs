//! Clients that keep the server waiting: it gives up a request after five seconds.

use std::io::Write;

use rustix::process::{Resource, getrlimit, setrlimit};

use crate::support::{Server, alone, answer, skip};

/// A client that never sends its whole request gets status 408, and delays no other.
#[test]
fn requests_that_are_never_whole() {
    let _alone = alone();
    let server = Server::start();
    let request = server.request("hint", r#"{"game":"square 20"}"#);
    let middle = request.find("\r\n\r\n").unwrap();
    let cuts = [0, 1, middle, middle + 6];
    let unfinished: Vec<_> = cuts
        .map(|cut| {
            let mut stream = server.connect();
            stream.write_all(&request.as_bytes()[..cut]).unwrap();
            stream
        })
        .into();
    server.assert_goes_on();
    for (cut, stream) in cuts.into_iter().zip(unfinished) {
        assert_eq!(answer(stream).0, 408, "{cut} bytes sent");
    }
    server.assert_goes_on();
}

/// A thousand connections at a time: the page is answered while they are open, and each gets a status.
#[test]
fn a_thousand_connections() {
    if !may_open(2000) {
        skip("this user may not open a thousand files at a time: as many connections are not tried");
        return;
    }
    let _alone = alone();
    let server = Server::start();
    let open: Vec<_> = (0..1000)
        .map(|number| {
            let mut stream = server.connect();
            if number % 2 == 0 {
                stream.write_all(b"GET / HTTP/1.1\r\n").unwrap();
            }
            stream
        })
        .collect();
    server.assert_goes_on();
    for stream in open {
        assert_eq!(answer(stream).0, 408);
    }
    server.assert_goes_on();
}

/// Whether this process may open `files` files at a time. Raises its limit as far as possible.
fn may_open(files: u64) -> bool {
    let mut limit = getrlimit(Resource::Nofile);
    if limit.current.is_some_and(|current| current < files) {
        limit.current = limit.maximum.map_or(Some(files), |maximum| Some(maximum.min(files)));
        let _ = setrlimit(Resource::Nofile, limit);
    }
    getrlimit(Resource::Nofile).current.is_none_or(|current| current >= files)
}
