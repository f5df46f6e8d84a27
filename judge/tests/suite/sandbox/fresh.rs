//! `--fresh`: each program in the sandbox has a process namespace of its own in each run.

use serde_json::Value;

use crate::kernel::without_call;
use crate::support::{JUDGE, Printed, fresh_option, games, judge, judge_typed, root};

/// Checks that both programs of a run have the first number after that of their namespace's first process.
#[test]
fn process_numbers_begin_anew() {
    let Some(fresh) = fresh_option() else { return };
    let number = |program: &str| format!("sh -c 'echo {program} $$ >&2; echo; read x; exit 0'");
    let run = |options: &str| {
        let (interactor, bot) = (number("interactor"), number("bot"));
        let options = format!("--json --style plain --interactor-sandbox {options}");
        judge_typed(root(), &format!("run {options} --interactor \"{interactor}\" -- {bot}")).report()
    };
    let said = |line: &Value| {
        [&line["passes"][0]["seats"][0]["stderr"], &line["referee"]["stderr"]].map(Value::to_string)
    };
    let line = run(fresh);
    assert_eq!(said(&line), [r#"["bot 2"]"#, r#"["interactor 2"]"#], "{line}");
    assert!(line["command"].as_str().unwrap().contains(" --sandbox --fresh -- "), "{line}");
    // Otherwise the numbers are those of the system.
    let line = run("--sandbox");
    assert_ne!(said(&line), [r#"["bot 2"]"#, r#"["interactor 2"]"#], "{line}");
}

/// Checks that signals end a bot although they would not end the first process of a namespace, that the judge notices
/// the end of its output, and that its orphans count.
#[test]
fn verdicts_in_a_namespace() {
    let Some(fresh) = fresh_option() else { return };
    // Each orphan starts the next one, and ends.
    let orphans = "burn() { i=0; while [ $i -lt 50000 ]; do i=$((i+1)); done; }; \
                   next() { burn; [ $1 -gt 1 ] && next $(($1-1)) & }; next 30; exec sleep 100";
    let long = "--time-limit 0.4 --wall-limit 20 --idle-limit 20";
    for (options, script, verdict, reason) in [
        ("", "kill -ABRT $$", "CRASHED", "killed by signal 6 (SIGABRT)"),
        ("", "kill -PIPE $$", "CRASHED", "killed by signal 13 (SIGPIPE)"),
        ("", "read h; exec >&-; exec sleep 100", "EXITED_EARLY", "the bot closed its stdout"),
        ("", "read h; setsid sleep 100 & exit 7", "CRASHED", "exited with code 7"),
        ("", "unshare --pid --fork true", "CRASHED", "exited with code 1"),
        ("--processes 3", "for n in 1 2 3; do sleep 100 & done; wait", "PROCESSES", "limit of 3 processes"),
        (
            "--processes 3 --limits proc --idle-limit 0.3",
            "sleep 100 & sleep 100 & exec sleep 100",
            "IDLE",
            "",
        ),
        ("--processes 3 --idle-limit 0.3", "sleep 100 & sleep 100 & exec sleep 100", "IDLE", ""),
        (&format!("--limits proc {long}"), orphans, "TIME_CPU", "the limit is 0.4 s"),
        (&format!("--limits auto {long}"), orphans, "TIME_CPU", "the limit is 0.4 s"),
        ("", "exec \"$0\" bot", "WON", ""),
    ] {
        let (games, _) = games(&format!("6 1 2 {fresh} {options}"), &["sh", "-c", script, JUDGE]);
        let found = games[0]["reason"].as_str().unwrap();
        assert!(games[0]["verdict"] == verdict && found.contains(reason), "{script}: {}", games[0]);
    }
}

#[test]
fn what_fresh_needs() {
    if fresh_option().is_none() {
        return;
    }
    judge("run 6 1 2 --fresh", &[]).refuses("--sandbox");
    // An ordinary user needs a user namespace for it.
    let play = |command: &str| without_call(libc::SYS_unshare, libc::EPERM, || judge(command, &[]));
    let reason = "judge: the sandbox is not possible here: --fresh needs a process namespace for each program, and none \
                  can be made";
    for command in ["run 6 1 2 --sandbox --fresh", "run 6 1 2 --sandbox=best --fresh", "batch --fresh"] {
        play(command).refuses(reason);
    }
}
