//! Hosts, which start the bots: what a bot starts is its own, and no bot or host takes another one with it.

use super::{played, program, script};
use crate::support::{TestDir, await_that, is_linux, is_running, text};

/// What an orphan of a bot uses counts for that bot, also where it has left its group and session and no control group
/// tells whose it is. It is ended with its bot, and the other bot is not.
#[test]
fn an_orphan_is_its_bots() {
    if !is_linux() {
        return;
    }
    // A number of seconds that no other test has.
    let orphan =
        script("orphan", "ulimit -t 20; (setsid sh -c \"while :; do :; done; : 9176\" &); exec sleep 9176");
    for limits in ["auto", "proc"] {
        let args =
            format!("6 1 2 --pairs 1 --time-limit 0.3 --wall-limit 20 --idle-limit 20 --limits {limits}");
        let output = played(&args, &[&orphan, &program("honest")]);
        assert_eq!((output.status.code(), text(&output.stderr)), (Some(1), ""));
        let shown = text(&output.stdout);
        assert!(shown.contains("\n  orphan  2 TIME_CPU\n"), "{limits}: {shown}");
        assert!(shown.contains("\n  honest  2 WON\n"), "{limits}: {shown}");
        assert!(
            !is_running(|words| words.iter().any(|word| word.contains("9176"))),
            "{limits}: it is left running"
        );
    }
}

/// A bot that a host starts has the descriptors that it has without: its pipes, and none of the judge's or of the other
/// bot.
#[test]
fn a_bot_has_its_pipes_alone() {
    if !is_linux() {
        return;
    }
    let dir = TestDir::new();
    let file = dir.file("descriptors");
    let looks = |name: &str| {
        let list = format!("(echo; ls /proc/self/fd) | tr \"\\n\" \" \" >> {file}");
        script(name, &format!("{list}; exec {} bot", crate::support::JUDGE))
    };
    // The check of the seats has two games for each bot, in which the judge starts it itself.
    let output = played("6 1 2 --pairs 2 --jobs 1", &[&looks("a"), &looks("b")]);
    assert_eq!((output.status.code(), text(&output.stderr)), (Some(0), ""));
    let listed = dir.read("descriptors");
    let lists: Vec<&str> = listed.split("  ").map(str::trim).collect();
    assert_eq!(lists.len(), 4 + 8, "{listed:?}");
    assert!(lists.iter().all(|list| *list == lists[0] && list.starts_with("0 1 ")), "{listed:?}");
}

/// A host that is killed ends the run with a message, and both bots are ended.
#[test]
fn a_host_that_is_killed() {
    if !is_linux() {
        return;
    }
    let dir = TestDir::new();
    let count = dir.write("count", "0");
    // The check of the seats has two games, in which its parent is the judge.
    let kills = script(
        "kills",
        &format!(
            "c=$(($(cat {count}) + 1)); echo $c > {count}; if [ $c = 3 ]; then kill -9 $PPID; exec sleep 9177; fi; \
             exec {} bot",
            crate::support::JUDGE
        ),
    );
    let output = played("6 1 2 --pairs 2 --jobs 1 --time-limit 60", &[&kills, &program("honest")]);
    assert_eq!(output.status.code(), Some(2));
    let message = text(&output.stderr);
    assert!(message.contains("the host of the bot kills ended early"), "{message}");
    await_that(|| !is_running(|words| words == ["sleep", "9177"]));
}
