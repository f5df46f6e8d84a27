//! The server of `judge web`, tested through sockets. The tests in `timing` open its pages in a browser.

use std::io::Write;
use std::net::TcpListener;

use serde_json::{Value, json};

use crate::support::{Server, TestDir, answer, await_that, command, is_linux, state, text};

/// Returns a request without a body.
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
    // A request for a computation needs the right origin, secret, type and method.
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
    // Ten megabytes in a request that is refused for another reason.
    let large = server.request("turn", &" ".repeat(10_000_000));
    assert_eq!(server.send(large.replacen(root, "/", 1).as_bytes()).0, 403);
    assert_eq!(server.send(large.replacen("origin: http://", "origin: https://", 1).as_bytes()).0, 403);
    server.assert_still_answers();
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
    server.assert_still_answers();
}

#[test]
fn requests_that_are_too_large() {
    let server = Server::start();
    let body = |bytes: usize| format!(r#"{{"game":"square 20","moves":"{}"}}"#, " ".repeat(bytes));
    assert_eq!(server.ask("turn", &body(1_000_000)).0, 200);
    assert_eq!(server.ask("turn", &body(1 << 20)).0, 413);
    assert_eq!(server.ask("turn", &body(10_000_000)).0, 413);
    // A request that does not announce its length.
    let chunk = format!("100000\r\n{}\r\n", " ".repeat(1 << 20));
    let head = server.request("turn", "").replace("content-length: 0", "transfer-encoding: chunked");
    assert_eq!(server.send(format!("{head}{}0\r\n\r\n", chunk.repeat(10)).as_bytes()).0, 413);
    // A head that is too large, and a head with too many lines.
    let own = format!("host: {}\r\n", server.host());
    assert_eq!(server.send(&get(server.root(), &format!("{own}x: {}\r\n", "x".repeat(100_000)))).0, 431);
    assert_eq!(server.send(&get(server.root(), &format!("{own}{}", "x: x\r\n".repeat(1000)))).0, 431);
    server.assert_still_answers();
}

/// Checks that the server answers other requests during long computations, and that it stops a computation when the
/// client closes its connection.
#[test]
fn requests_that_take_long() {
    let server = Server::start();
    // Work for several seconds, unless the server stops it.
    let long = server.request("table", r#"{"game":"segment 3 3","to":10000000}"#);
    let busy: Vec<_> = (0..3)
        .map(|_| {
            let mut stream = server.connect();
            stream.write_all(long.as_bytes()).unwrap();
            stream
        })
        .collect();
    server.assert_still_answers();
    drop(busy);
    server.assert_still_answers();
    #[cfg(target_os = "linux")]
    await_that(|| {
        let path = format!("/proc/{0}/task/{0}/children", server.id());
        std::fs::read_to_string(path).unwrap().is_empty()
    });
}

/// Checks that a computation ends when the server is killed.
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

/// Checks that the server refuses a request if too many are waiting, and answers again when they have gone.
#[test]
fn too_many_requests() {
    let server = Server::start();
    let long = server.request("table", r#"{"game":"segment 3 3","to":10000000}"#);
    let mut streams: Vec<_> = (0..60)
        .map(|_| {
            let mut stream = server.connect();
            stream.write_all(long.as_bytes()).unwrap();
            stream
        })
        .collect();
    // The queue is full before the last request.
    let (status, text) = answer(streams.pop().unwrap());
    assert_eq!(status, 503, "{text}");
    assert!(text.contains("retry-after: 1\r\n"), "{text}");
    drop(streams);
    await_that(|| server.ask("turn", r#"{"game":"square 20"}"#).0 == 200);
}

fn asked(server: &Server, name: &str, request: &Value) -> Value {
    let (status, text) = server.ask(name, &request.to_string());
    assert_eq!(status, 200, "{name} {request}: {text}");
    serde_json::from_str(&text).unwrap()
}

#[track_caller]
fn assert_refuses(server: &Server, name: &str, request: &Value, why: &str) {
    let (status, text) = server.ask(name, &request.to_string());
    assert_eq!((status, text.contains(why)), (422, true), "{name} {request}: {text}");
}

#[test]
fn a_port_that_is_taken() {
    let other = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = other.local_addr().unwrap().port();
    let message = format!("port {port} cannot be used; choose another with --port");
    crate::support::assert_refuses(&format!("web --no-open --port {port}"), &message);
    drop(other);
    let server = Server::of(&mut command(&format!("web --no-open --port {port}"), &[]));
    assert_eq!(server.host(), format!("127.0.0.1:{port}"));
}

/// Checks that the server listens only on 127.0.0.1.
#[test]
fn other_machines_cannot_connect() {
    let server = Server::start();
    let port = server.host().rsplit_once(':').unwrap().1.parse().unwrap();
    // On Linux, every address of 127.0.0.0/8 is this machine.
    assert!(std::net::TcpStream::connect(("127.0.0.1", port)).is_ok());
    if is_linux() {
        assert!(std::net::TcpStream::connect(("127.0.0.2", port)).is_err());
    }
}

/// Checks that Ctrl-C ends the server and its computations without a message, and that the server has written no file.
#[test]
fn it_ends_cleanly_and_writes_nothing() {
    use std::io::Write;

    let here = TestDir::new();
    let mut judge = command("web --no-open", &[]);
    judge.current_dir(here.path());
    for variable in ["HOME", "TMPDIR", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME"] {
        judge.env(variable, here.path());
    }
    let server = Server::of(&mut judge);
    server.assert_still_answers();
    asked(&server, "save", &json!({"game": "nim 1", "moves": "1 1", "form": "page"}));
    let mut stream = server.connect();
    stream.write_all(server.request("table", r#"{"game":"segment 3 3","to":10000000}"#).as_bytes()).unwrap();
    server.assert_still_answers();
    rustix::process::kill_process(
        rustix::process::Pid::from_raw(server.id().cast_signed()).unwrap(),
        rustix::process::Signal::INT,
    )
    .unwrap();
    assert_eq!(server.end(), (Some(0), String::new()));
    assert_eq!(answer(stream).0, 0);
    assert_eq!(here.count(), 0);
}

/// Checks that the server opens the browser with its address.
#[test]
fn it_opens_the_browser() {
    if !is_linux() {
        return;
    }
    let here = TestDir::new();
    let opened = here.fifo("opened");
    let opener = here.write("xdg-open", format!("#!/bin/sh\necho \"$1\" > {opened}\n"));
    let mode = <std::fs::Permissions as std::os::unix::fs::PermissionsExt>::from_mode(0o755);
    std::fs::set_permissions(opener, mode).unwrap();
    let path = format!("{}:{}", here.path().display(), std::env::var("PATH").unwrap());
    let server = Server::of(command("web", &[]).env("PATH", path).env("DISPLAY", ":0"));
    assert_eq!(std::fs::read_to_string(opened).unwrap().trim(), server.page(""));
}

#[test]
fn the_bot_answers_a_move() {
    let server = Server::start();
    let perfect = json!({"side": "Second", "level": "perfect", "seed": 1});
    let turn = asked(&server, "turn", &json!({"game": "square 20", "moves": "1 4", "bot": perfect}));
    assert_eq!((&turn["reply"], &turn["loser"]), (&json!([1, 16]), &json!("First")));
    // The second player wins piles of 2^k - 1 of which at most half may be taken.
    let half = json!({"game": "subtract 17 take 1..n/2", "moves": "1 1", "bot": perfect});
    assert_eq!(asked(&server, "turn", &half)["reply"], json!([1, 1]));
    // If the rows are too large for tables, the bot answers by symmetry, although each request starts a new bot.
    let rows = "1000000000 3 3 + 1000000000 3 3";
    let turn = asked(&server, "turn", &json!({"game": rows, "moves": "17 3", "bot": perfect}));
    assert_eq!((&turn["reply"], &turn["unsolved"]), (&json!([1_000_000_017, 3]), &Value::Null));
    // A bot that is First makes the first move. Without a bot there is no reply.
    let first = json!({"side": "First", "level": "perfect", "seed": 1});
    assert_eq!(asked(&server, "turn", &json!({"game": "nim 3", "bot": first}))["reply"], json!([1, 3]));
    let turn = asked(&server, "turn", &json!({"game": "nim 3", "bot": null}));
    assert_eq!((&turn["reply"], &turn["to_move"]), (&Value::Null, &json!("First")));
    // With `hurried` the bot plays without tables, and the answer says that the winner is unknown.
    let hurried = json!({"side": "Second", "level": "perfect", "seed": 1, "hurried": true});
    let turn = asked(&server, "turn", &json!({"game": "square 1000000000", "moves": "1 1", "bot": hurried}));
    assert!(
        turn["reply"].is_array() && turn["unsolved"].as_str().unwrap().contains("the limit is 0"),
        "{turn}"
    );
    // The same seed gives the same choices.
    let easy = json!({"game": "nim 50 60 70", "moves": "1 1", "bot": {"side": "Second", "level": "easy", "seed": 7}});
    assert_eq!(asked(&server, "turn", &easy), asked(&server, "turn", &easy));
}

#[test]
fn what_a_move_may_take() {
    let server = Server::start();
    let takes = |game: &str, place: &str| asked(&server, "takes", &json!({"game": game, "place": place}));
    assert_eq!(takes("square 20 ban 4", "1")["takes"], json!([1, 9, 16]));
    assert_eq!(takes("6 1 2 + divisor 12", "7")["takes"], json!([1, 2, 3, 4, 6, 12]));
    assert_eq!(takes("divisor 12 proper ban 2", "1")["takes"], json!([1, 3, 4, 6]));
    assert_eq!(takes("subtract 20 take 9 3..5", "1")["takes"], json!([3, 4, 5, 9]));
    assert_eq!(takes("subtract 9 take 1..n/2", "1")["takes"], json!([1, 2, 3, 4]));
    assert_eq!(takes("subtract 1000000000000000000 take 5..1000000000000000000", "1")["more"], json!(true));
    // In a pair only the larger number can become smaller.
    assert_eq!(takes("euclid 5 12", "1"), json!({"place": 2, "takes": [5, 10], "more": false}));
    let many = takes("nim 1000000000000000000", "1");
    assert_eq!((many["takes"].as_array().unwrap().len(), &many["more"]), (60, &json!(true)));
    assert_refuses(&server, "takes", &json!({"game": "6 1 2", "place": "1"}), "got a row");
    assert_refuses(&server, "takes", &json!({"game": "nim 3", "place": "2"}), "there is no heap at place 2");
    let row = asked(&server, "turn", &json!({"game": "octal 0.507 9 + 6 1 2 + nim 4"}));
    assert_eq!(row["row_takes"], json!([[[1, 1], [3, 3]], [[1, 2]], null]));
    let row = asked(&server, "turn", &json!({"game": "octal 4.07 9 + grundy 6 + octal 4.[30] 5 3"}));
    let repeated = json!([[0, 0], [1, 1], [3, 3], [5, 5]]);
    assert_eq!(row["row_takes"], json!([[[0, 0], [2, 2]], [[0, 0]], repeated]));
}

#[test]
fn requests_that_are_refused() {
    let server = Server::start();
    for (game, moves, why) in [
        ("squar 20", "", "did you mean \"square\"?"),
        ("square 20", "1 5", "taking 5 at place 1 is not legal: that is not a perfect square"),
        ("square 20", "1", "a move is malformed"),
        ("square 20 seat first", "", "expected a game without \"seat\""),
        ("subtract 9 take 9..3", "", "expected a range whose first number is at most its last"),
        ("subtract 9 take 3..5", "1 2", "that number is not on the list of allowed numbers"),
        ("subtract 9 take 1..n/2", "1 5", "a move takes at most 4 from a pile of this size"),
        (
            "divisor 12 proper",
            "1 12",
            "that is the whole pile; a proper divisor is less than the pile's size",
        ),
        ("octal 0.8 9", "", "\"octal 0.8 9\" cannot be played here"),
        ("nim 3 + euclid 3 3 + octal c.7 9", "", "\"octal c.7 9\" cannot be played here"),
        ("grundy 6", "4 0", "taking 0 at place 4 is not legal: that splits the row into equal parts of 3"),
        (&format!("nim{}", " 1".repeat(20_001)), "", "expected at most 20000 heaps on a page"),
    ] {
        for name in ["turn", "hint", "analysis"] {
            assert_refuses(&server, name, &json!({"game": game, "moves": moves}), why);
        }
    }
    assert_refuses(&server, "turn", &json!({"moves": ""}), "the request is malformed: missing field `game`");
    let bot = json!({"side": "Third", "level": "perfect", "seed": 1});
    assert_refuses(&server, "turn", &json!({"game": "nim 3", "bot": bot}), "expected First or Second");
    // A game that is too large to be solved is refused immediately.
    let large = json!({"game": "1000000000000 3 3"});
    assert_refuses(&server, "analysis", &large, "the winner cannot be computed: a Grundy table of segments");
    assert_refuses(
        &server,
        "table",
        &json!({"game": "segment 1 2", "to": 100_000_000}),
        "grundy table at the terminal accepts more",
    );
    assert_refuses(
        &server,
        "table",
        &json!({"game": "segment 1 2 --output x", "to": 9}),
        "expected a game without its sizes: segment L R, ",
    );
    let (status, text) = server.ask("replay", "{}\n");
    assert_eq!((status, text.contains("line 1: expected the set-up of a game")), (422, true), "{text}");
}

/// Checks that plots, summaries and saved pages accept every form of a game of piles.
#[test]
fn forms_of_piles_on_pages() {
    let server = Server::start();
    for (rules, sizes) in [
        ("subtract take 1 3..9", "subtract 20 11 take 1 3..9"),
        ("subtract take 1..n/2", "subtract 20 11 take 1..n/2"),
        ("divisor proper ban 2", "divisor 20 11 proper ban 2"),
    ] {
        let (status, summary) = server.ask("table", &json!({"game": rules, "to": 50}).to_string());
        assert!(status == 200 && summary.contains(&format!("game: {rules}, n = 0 to 50")), "{summary}");
        let plot = json!({"game": rules, "to": 50, "plot": "scatter", "width": 600});
        let (status, plot) = server.ask("table", &plot.to_string());
        assert!(status == 200 && plot.contains(rules), "{plot}");
        let page = json!({"game": sizes, "moves": "1 1", "form": "page"});
        let page = asked(&server, "save", &page);
        assert!(page["content"].as_str().unwrap().contains(sizes), "{rules}");
        let analysis = asked(&server, "analysis", &json!({"game": sizes}));
        assert_eq!(analysis["won"], json!(true), "{rules}");
    }
}

/// Checks that `judge replay` can referee the transcript of a saved game.
#[test]
fn a_saved_transcript_is_refereed_again() {
    let server = Server::start();
    let here = TestDir::new();
    let bot = |side: &str| json!({"side": side, "level": "easy"});
    for (game, moves, bot, resigned, verdict) in [
        ("nim 1 2", "2 1, 1 1, 2 1", bot("Second"), false, "WON"),
        ("nim 1 1", "1 1, 2 1", bot("Second"), false, "LOST"),
        ("nim 1 1", "1 1, 2 1", bot("First"), false, "WON"),
        ("nim 1 2", "2 1", bot("First"), true, "RESIGNED"),
        ("nim 1 2", "2 1", Value::Null, true, "RESIGNED"),
        ("nim 1 2", "2 1, 1 1", Value::Null, false, "INTERRUPTED"),
        ("subtract 5 take 2..3", "1 2, 1 3", bot("Second"), false, "LOST"),
        ("subtract 7 take 1..n/2", "1 3, 1 2, 1 1", bot("First"), false, "LOST"),
        ("divisor 6 proper ban 1", "1 3", bot("First"), false, "LOST"),
    ] {
        let request =
            json!({"game": game, "moves": moves, "bot": bot, "resigned": resigned, "form": "transcript"});
        let saved = asked(&server, "save", &request);
        let file = here.write("game.jsonl", saved["content"].as_str().unwrap());
        let output = crate::support::judge(&format!("replay {file} --json"), &[]);
        let lines = crate::support::json_lines(&output.stdout);
        assert_eq!(
            (output.status.code(), &lines[0]["verdict"]),
            (Some(0), &json!(verdict)),
            "{request}: {output:?}"
        );
        // The report of a person's game has no advice for programs.
        let report = crate::support::judge(&format!("replay {file}"), &[]);
        let report = text(&report.stdout);
        assert!(!report.contains("what to do") && !report.contains("the judge was"), "{report}");
        assert_eq!(report.contains(&format!("again: judge play {game}\n")), verdict != "WON", "{report}");
        // The page opens the transcript too.
        let (status, replay) = server.ask("replay", saved["content"].as_str().unwrap());
        assert_eq!(status, 200, "{replay}");
        assert_eq!(serde_json::from_str::<Value>(&replay).unwrap()["verdict"], verdict);
    }
}

#[test]
fn the_known_games() {
    let server = Server::start();
    let games = asked(&server, "games", &json!({}));
    let named = games["named"].as_array().unwrap();
    let kayles = named.iter().find(|game| game["name"] == "Kayles").unwrap();
    assert_eq!(kayles["period"], json!({"length": 12, "start": 71}));
    let windows = games["windows"].as_array().unwrap();
    let longest = windows.iter().find(|game| game["rules"] == "segment 1 5").unwrap();
    assert_eq!(longest["period"], json!({"length": 650, "start": 8_941_813}));
}
