//! The steps of `action.yml`, run as in a job.

use std::collections::BTreeMap;
use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Stdio};

use serde::Deserialize;

use crate::support::pages::page;
use crate::support::{JUDGE, TestDir, has_program, skip, text};

#[derive(Deserialize)]
struct Action {
    runs: Runs,
}

#[derive(Deserialize)]
struct Runs {
    steps: [Step; 2],
}

#[derive(Deserialize)]
struct Step {
    run: String,
    env: BTreeMap<String, String>,
}

/// Runs a step of the action in the folder `here`. `expressions` has the GitHub expressions in the step's variables,
/// each with its value. Returns whether the step succeeded, and its output.
fn run(step: usize, here: &TestDir, path: &str, expressions: &[(&str, &str)]) -> (bool, String) {
    let action: Action = serde_saphyr::from_str(&page("action.yml").text).unwrap();
    let step = &action.runs.steps[step];
    let mut bash = Command::new("bash");
    bash.args(["--noprofile", "--norc", "-eo", "pipefail", "-c", &step.run]).env("PATH", path);
    bash.env("RUNNER_TEMP", here.path()).env("GITHUB_ACTION_PATH", "/action");
    bash.env("GITHUB_STEP_SUMMARY", here.file("summary")).env("GITHUB_PATH", here.file("path"));
    for (name, value) in &step.env {
        let of_expression =
            expressions.iter().find(|(expression, _)| *value == format!("${{{{ {expression} }}}}"));
        bash.env(name, of_expression.map_or_else(|| value.as_str(), |(_, value)| value));
    }
    let output = bash.current_dir(here.path()).stdin(Stdio::null()).output().unwrap();
    assert_eq!(text(&output.stderr), "");
    (output.status.success(), text(&output.stdout).to_owned())
}

/// Lints and stresses a bot. Returns whether the step succeeded, its output and the job summary.
fn judge_bot(bot: &str) -> (bool, String, String) {
    let here = TestDir::new();
    let folder = Path::new(JUDGE).parent().unwrap().to_str().unwrap();
    let path = format!("{folder}:{}", std::env::var("PATH").unwrap());
    let inputs = [("inputs.bot", bot), ("inputs.lint", ""), ("inputs.stress", "--games 20 --seed 1")];
    let (succeeded, output) = run(1, &here, &path, &inputs);
    (succeeded, output, here.read("summary"))
}

#[test]
fn a_bot_is_linted_and_stressed() {
    if !has_program("bash", &["-c", "true"]) {
        return;
    }
    let (succeeded, output, summary) = judge_bot("judge bot");
    assert!(succeeded && !output.contains("::error"), "{output}");
    assert!(
        summary.starts_with("### judge lint: exit code 0\n\n<pre>\n 1 pass answers the header"),
        "{summary}"
    );
    assert!(
        summary.contains("</pre>\n\n### judge stress: exit code 0\n\n<pre>\njudge bot: 20 of 20 games won")
    );
    // The command is split into words as by bash, and the summary shows the report as text, not as HTML.
    let (succeeded, output, summary) = judge_bot("sh -c 'echo \"<b>\" >&2; exit 3'");
    assert!(!succeeded);
    let error = "The bot failed (exit code 1). The job summary says why.\n";
    for command in ["lint", "stress"] {
        assert!(output.contains(&format!("::error title=judge {command}::{error}")), "{output}");
        assert!(summary.contains(&format!("### judge {command}: exit code 1\n\n<pre>\n")), "{summary}");
    }
    assert!(output.contains("stderr: <b>") && summary.contains("stderr: &lt;b>"), "{summary}");
    assert!(!summary.contains("<b>"));
}

/// Installs the judge with fake programs `gh` and `cargo`, and returns their arguments and the added path.
fn install(gh: &str, cargo: &str) -> (String, String) {
    let here = TestDir::new();
    for (name, script) in [("gh", gh), ("cargo", cargo)] {
        let file = here.write(name, format!("#!/bin/sh\necho {name} \"$@\" >>calls\n{script}\n"));
        fs::set_permissions(file, Permissions::from_mode(0o755)).unwrap();
    }
    let release = [("github.token", ""), ("github.action_repository", "a/b"), ("github.action_ref", "v1")];
    let path = format!("{}:/usr/bin:/bin", here.path().display());
    assert!(run(0, &here, &path, &release).0);
    let without_folder = |file: &str| here.read(file).replace(here.path().to_str().unwrap(), "TEMP");
    assert!(here.path().join("judge/bin/judge").exists());
    (without_folder("calls"), without_folder("path"))
}

#[test]
fn the_judge_is_installed_from_the_release_or_compiled() {
    if ["/usr/bin/judge", "/bin/judge"].iter().any(|judge| Path::new(judge).exists()) {
        skip("the action installs no judge, because one is installed");
        return;
    }
    if !has_program("bash", &["-c", "true"]) {
        return;
    }
    let system = Command::new("sh").args(["-c", "uname -sm | tr 'A-Z ' a-z-"]).output().unwrap();
    let system = text(&system.stdout).trim_end();
    let download =
        format!("gh release download v1 --repo a/b --dir TEMP/judge --pattern *-{system}.tar.gz\n");
    let archive = "mkdir -p x/bin && touch x/bin/judge && tar -czf judge/x.tar.gz x";
    assert_eq!(install(archive, "exit 1"), (download.clone(), "TEMP/judge/bin\n".to_owned()));
    let compile = "cargo install --quiet --locked --path /action/judge --root TEMP/judge\n";
    let compiled = install("exit 1", "mkdir -p judge/bin && touch judge/bin/judge");
    assert_eq!(compiled, (download + compile, "TEMP/judge/bin\n".to_owned()));
}
