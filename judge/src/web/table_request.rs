//! The request for a table: it becomes the arguments of `judge table`.

use hyper::body::Bytes;
use serde::Deserialize;

use super::jobs::Job;
use super::response::TEXT;

/// The most sizes that a page asks for.
const MAX_TO: u64 = 10_000_000;

const SVG: &str = "image/svg+xml";

/// A table that a page wants: a picture of it, or its summary.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct TableRequest {
    /// The game, as `judge table` takes it.
    game: String,
    to: u64,
    plot: Option<String>,
    modulus: Option<u64>,
    /// Whether the period is looked for.
    #[serde(default)]
    period: bool,
    /// Whether the nimbers are wanted where else the table is who wins.
    #[serde(default)]
    nimber: bool,
}

impl TableRequest {
    pub(super) const NAME: &'static str = "table";

    /// The arguments of the judge for a request.
    ///
    /// # Errors
    ///
    /// What was expected.
    pub(super) fn job(body: &Bytes) -> Result<Job, String> {
        let request: Self =
            serde_json::from_slice(body).map_err(|error| format!("the request is malformed: {error}"))?;
        let mut args = vec!["table".to_owned()];
        for word in request.game.split_ascii_whitespace() {
            // No word is an option, such as one that names a file.
            let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'.';
            if !word.bytes().all(is_plain) {
                return Err("expected a game such as \"segment 1 2\" or \"octal 0.77\"".to_owned());
            }
            args.push(word.to_owned());
        }
        if request.to > MAX_TO {
            return Err(format!("expected at most {MAX_TO} sizes; judge table at the terminal takes more"));
        }
        args.extend(["--to".to_owned(), request.to.to_string()]);
        if let Some(plot) = &request.plot {
            args.push(format!("--plot={plot}"));
        }
        args.extend(request.modulus.map(|modulus| format!("--modulus={modulus}")));
        args.extend(request.period.then(|| "--period".to_owned()));
        args.extend(request.nimber.then(|| "--nimber".to_owned()));
        let kind = if request.plot.is_some() { SVG } else { TEXT };
        Ok(Job { args, input: Bytes::new(), kind })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn args(body: &str) -> Result<String, String> {
        TableRequest::job(&body.to_owned().into()).map(|job| job.args.join(" "))
    }

    #[test]
    fn requests_become_arguments() {
        let body = r#"{"game":"segment 1 2","to":100,"plot":"residues","modulus":12}"#;
        assert_eq!(args(body).unwrap(), "table segment 1 2 --to 100 --plot=residues --modulus=12");
        assert_eq!(
            args(r#"{"game":"octal 0.77","to":9,"period":true}"#).unwrap(),
            "table octal 0.77 --to 9 --period"
        );
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
