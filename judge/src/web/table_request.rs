//! The request for a table, which is translated to the arguments of `grundy table`.

use hyper::body::Bytes;
use itertools::Itertools;
use serde::Deserialize;
use zeroxor::{GameKind, GameSpec};

use super::TEXT;
use super::jobs::Job;
use common::escape::printable;

/// Maximum size up to which a page may request values.
const MAX_TO: u64 = 10_000_000;

const SVG: &str = "image/svg+xml";

/// A request for a plot of a table, or for its summary.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct TableRequest {
    /// The game in the form that `grundy table` accepts.
    game: String,
    to: u64,
    plot: Option<String>,
    modulus: Option<u64>,
    /// The width of the plot, in pixels.
    width: Option<u32>,
    /// Whether to search for the period.
    #[serde(default)]
    period: bool,
    /// Whether to show nimbers if the table would otherwise show who wins.
    #[serde(default)]
    nimber: bool,
}

impl TableRequest {
    pub(super) const NAME: &'static str = "table";

    /// Returns the job that answers a request.
    pub(super) fn job(body: &Bytes) -> Result<Job, String> {
        let request: Self =
            serde_json::from_slice(body).map_err(|error| format!("the request is malformed: {error}"))?;
        // The words of `game` become arguments of `grundy table`. None may be an option such as `--output`, which names
        // a file. Valid rules contain no such word.
        if GameSpec::of_rules(&request.game)
            .ok()
            .and_then(|game| game.kind())
            .is_none_or(|kind| !has_table(kind))
        {
            let forms = GameKind::all().filter(|&kind| has_table(kind)).map(GameKind::rules_form).join(", ");
            return Err(format!(
                "expected a game without its sizes: {forms}; got \"{}\"",
                printable(&request.game)
            ));
        }
        let mut args = vec!["table".to_owned()];
        args.extend(request.game.split_ascii_whitespace().map(str::to_owned));
        if request.to > MAX_TO {
            return Err(format!(
                "expected at most {MAX_TO} sizes; grundy table at the terminal accepts more"
            ));
        }
        args.extend(["--to".to_owned(), request.to.to_string()]);
        if let Some(plot) = &request.plot {
            args.push(format!("--plot={plot}"));
        }
        args.extend(request.modulus.map(|modulus| format!("--modulus={modulus}")));
        args.extend(request.width.map(|width| format!("--width={width}")));
        args.extend(request.period.then(|| "--period".to_owned()));
        args.extend(request.nimber.then(|| "--nimber".to_owned()));
        let kind = if request.plot.is_some() { SVG } else { TEXT };
        Ok(Job { args, input: Bytes::new(), kind })
    }
}

fn has_table(kind: GameKind) -> bool {
    !kind.about().tables.is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn args(body: &str) -> Result<String, String> {
        TableRequest::job(&body.to_owned().into()).map(|job| job.args.join(" "))
    }

    #[test]
    fn requests_become_arguments() {
        let body = r#"{"game":"segment 1 2","to":100,"plot":"residues","modulus":12,"width":328}"#;
        assert_eq!(
            args(body).unwrap(),
            "table segment 1 2 --to 100 --plot=residues --modulus=12 --width=328"
        );
        assert_eq!(
            args(r#"{"game":"octal 0.77","to":9,"period":true}"#).unwrap(),
            "table octal 0.77 --to 9 --period"
        );
        for game in ["octal 4.[3]", "divisor proper ban 1", "subtract take 1 3..9", "subtract take 1..n/2"] {
            assert_eq!(
                args(&format!(r#"{{"game":"{game}","to":9}}"#)).unwrap(),
                format!("table {game} --to 9")
            );
        }
    }

    #[test]
    fn games_in_other_forms_are_refused() {
        for game in [
            "",
            "nim",
            "nim 3",
            "segment 20 3 5",
            "square 20",
            "divisor ban",
            "subtract 9 take 2",
            "subtract take 9..3",
            "grundy 9",
        ] {
            let refused = args(&format!(r#"{{"game":"{game}","to":9}}"#)).unwrap_err();
            assert!(refused.starts_with("expected a game without its sizes: segment L R, "), "{refused}");
            assert!(refused.ends_with(&format!("got \"{game}\"")), "{refused}");
        }
    }

    #[test]
    fn no_word_is_an_option() {
        for game in ["--verify x", "segment --all", "segment 1 2 --output=x", "../x", "segment 1 2 -o x"] {
            assert!(args(&format!(r#"{{"game":"{game}","to":9}}"#)).is_err(), "{game}");
        }
        assert!(args(r#"{"game":"square","to":1000000000}"#).is_err());
        assert!(args(r#"{"game":"square","to":-1}"#).is_err());
        assert!(args(r#"{"game":"square","to":9,"output":"x"}"#).is_err());
    }
}
