//! Clients that keep the server waiting: the server gives up a request after five seconds.

use std::io::Write;

use rustix::process::{Resource, getrlimit, setrlimit};

use crate::support::{Server, alone, answer, skip};

/// Checks that clients that never send their whole request get status 408, and do not delay other clients. The requests
/// are cut off at several places, and a thousand connections are open at the same time.
#[test]
fn requests_that_are_never_whole() {
    let _alone = alone();
    let server = Server::start();
    let request = server.request("hint", r#"{"game":"square 20"}"#);
    let middle = request.find("\r\n\r\n").unwrap();
    let mut starts: Vec<&str> = [0, 1, middle, middle + 6].map(|cut| &request[..cut]).into();
    if may_open(2000) {
        starts.extend(["", "GET / HTTP/1.1\r\n"].repeat(500));
    } else {
        skip("this user may not open 2000 files at a time: skipped the thousand connections");
    }
    let unfinished = starts.into_iter().map(|start| {
        let mut stream = server.connect();
        stream.write_all(start.as_bytes()).unwrap();
        (start, stream)
    });
    let unfinished: Vec<_> = unfinished.collect();
    server.assert_still_answers();
    for (start, stream) in unfinished {
        assert_eq!(answer(stream).0, 408, "{start:?}");
    }
    server.assert_still_answers();
}

/// Raises the limit on open files as far as possible, and returns whether this process may open `files` files.
fn may_open(files: u64) -> bool {
    let mut limit = getrlimit(Resource::Nofile);
    if limit.current.is_some_and(|current| current < files) {
        limit.current = limit.maximum.map_or(Some(files), |maximum| Some(maximum.min(files)));
        let _ = setrlimit(Resource::Nofile, limit);
    }
    getrlimit(Resource::Nofile).current.is_none_or(|current| current >= files)
}
