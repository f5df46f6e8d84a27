//! Bots that do not end when the game is over: what they do instead.

use crate::explanation::{EXIT, Explanation};
use runner::activity::Activity;
use runner::event::StillRunning;

/// Explains why a bot did not end by itself, from what it did when it was killed, if that is known.
pub fn explain(running: Option<&StillRunning>) -> Explanation {
    let Some(running) = running else { return Explanation::advise(EXIT) };
    if !running.sleeping {
        let why = "it was using CPU when it was killed: it is in a loop that does not end, as one that reads on after \
            \"0 0\" or at the end of input";
        return Explanation { why: vec![why.to_owned()], advice: vec![EXIT.to_owned()] };
    }
    let activity = Activity::of(running.channel.as_deref());
    let why = format!("when it was killed, it {}", activity.in_the_past());
    let advice = match activity {
        // The judge has ended its input.
        Activity::Input | Activity::Event | Activity::Unknown => EXIT.to_owned(),
        activity => format!("{}; {EXIT}", activity.look_for()),
    };
    Explanation { why: vec![why], advice: vec![advice] }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_it_does_instead() {
        let explained = |sleeping, channel: Option<&str>| {
            let channel = channel.map(str::to_owned);
            let Explanation { why, advice } = explain(Some(&StillRunning { sleeping, channel }));
            (why.concat(), advice.concat())
        };
        let (why, advice) = explained(true, Some("hrtimer_nanosleep"));
        assert_eq!(why, "when it was killed, it was sleeping for a set time");
        assert!(advice.starts_with("look for a call of sleep; when \"0 0\""), "{advice}");
        let (why, advice) = explained(true, Some("anon_pipe_read"));
        assert_eq!((why.as_str(), advice.as_str()), ("when it was killed, it was waiting for input", EXIT));
        assert!(explained(false, None).0.starts_with("it was using CPU when it was killed"));
        assert_eq!(explain(None), Explanation::advise(EXIT));
    }
}
