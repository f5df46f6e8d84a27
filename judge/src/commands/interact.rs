//! `judge interact`: one game with a bot that somebody else runs.

use std::io;
use std::process::ExitCode;

use zeroxor::wire::protocol;

use crate::cli::interact::InteractArgs;
use crate::conversation::Game;
use crate::escape::complain;
use crate::interop::call::Call;
use crate::interop::input::game_of_file;
use crate::interop::style::{Class, Style};
use crate::interrupt;
use crate::player::opponent::{Line, Opponent};
use crate::player::streams::Streams;
use crate::report::console::Console;
use crate::report::{Record, Reporter};
use crate::series::{Conditions, Fixture};
use crate::terms::Terms;
use crate::transcript::write::Transcript;

/// What stands for the bot in a command that plays the game again.
const BOT: &str = "YOUR_BOT";

/// Whatever goes wrong here is told with the style's own exit code: another might blame the bot.
pub(crate) fn interact(args: &InteractArgs) -> ExitCode {
    let class = referee(args).unwrap_or_else(|error| {
        complain(format_args!("{error:#}"));
        Class::JudgeError
    });
    ExitCode::from(args.style.exit_code(class))
}

fn referee(args: &InteractArgs) -> anyhow::Result<Class> {
    let call = match &args.input {
        Some(path) if args.style == Style::Plain => Call::Plain { game: game_of_file(path)? },
        _ => Call::new(args.style, &args.args)?,
    };
    let game = call.game()?;
    let feedback = call.feedback()?;
    let record = play(args, game)?;
    // The verdict stands, whoever reads it.
    let _ = Console::new(anstream::stderr()).game(&record);
    feedback.write(&record)?;
    Ok(Class::of(record.outcome.verdict))
}

fn play(args: &InteractArgs, game: String) -> anyhow::Result<Record> {
    let header = protocol::parse_header(game.as_bytes())?;
    let mut transcript = args.transcript.as_deref().map(Transcript::new);
    interrupt::watch()?;
    let mut bot = Streams::take(&io::stdin(), &io::stdout())?;
    let terms = args.terms();
    let Terms { limits, profile, .. } = terms;
    let opponent = Opponent::new(args.opponent, args.seed, &Line::new());
    let lines = [game.clone()];
    let fixture = Fixture { game, opponent: args.opponent, seed: args.seed, line: Line::new() };
    let opening = Conditions { bot: vec![BOT.into()], terms }.opening(fixture);
    let game = Game { opening: &lines, header: &header, opponent, limits, profile, goes_on: false };
    let (outcome, _) = game.play_recorded(&mut bot, &mut (), &opening, &mut transcript)?;
    Ok(Record::new(opening, &header, outcome))
}
