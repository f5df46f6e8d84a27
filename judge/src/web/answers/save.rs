//! The answer to `save`: a game that was played on the page, as a transcript or as a page that shows the game.

use std::time::Duration;

use anyhow::ensure;
use serde::{Deserialize, Serialize};
use zeroxor::{GameSpec, Move, Position, Side};

use super::played::{Played, PlayedText, parse, side};
use crate::report::replay_page::{Players, Replay, ReplayRecorder};
use referee::conversation::side_to_move;
use referee::game_state::GameState;
use referee::result::GameResult;
use referee::setup::{GameHeader, GameSetup, OpponentKind};
use referee::transcript::{ResultLine, SetupLine};
use runner::config::{MatchConfig, PlayedBy};
use runner::event::{Bytes, Event, Exit, RecordedEvent};

#[derive(Deserialize)]
struct Request {
    #[serde(flatten)]
    played: PlayedText,
    /// The bot's side and level; `null` if two people have played.
    bot: Option<BotRequest>,
    /// Whether the player to move has resigned.
    #[serde(default)]
    resigned: bool,
    form: Form,
}

#[derive(Deserialize)]
struct BotRequest {
    side: String,
    level: String,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Form {
    Page,
    Transcript,
}

/// A file that the browser saves.
#[derive(Serialize)]
struct Answer {
    name: &'static str,
    content: String,
}

pub(super) fn answer(request: &[u8]) -> anyhow::Result<String> {
    let Request { played, bot, resigned, form } = parse(request)?;
    let played = played.read()?;
    let position = played.position()?;
    let bot = match bot {
        Some(bot) => {
            let known = ["easy", "normal", "perfect"].contains(&bot.level.as_str());
            ensure!(known, "expected easy, normal or perfect, got {:?}", bot.level);
            Some((side(&bot.side)?, bot.level))
        }
        None => None,
    };
    // The contestant of the transcript is the person. If two people have played, the contestant is the one who
    // resigned, or else First.
    let own = match &bot {
        Some((bot, _)) => bot.other(),
        None if resigned => side_to_move(played.moves.len() as u64 + 1),
        None => Side::First,
    };
    let level = bot.as_ref().map(|(_, level)| level.as_str());
    let players = players(own, level);
    let events = events(&played, &position, own, resigned);
    let setup = setup(&played, &players);
    let answer = match form {
        Form::Page => Answer {
            name: "game.html",
            content: page(setup, &events, players, again(&played.game, own, level))?,
        },
        Form::Transcript => Answer { name: "game.jsonl", content: transcript(&setup, &events)? },
    };
    Ok(serde_json::to_string(&answer)?)
}

/// Returns the players: a person on the side `own`, and the bot of the given level, or another person.
fn players(own: Side, level: Option<&str>) -> Players {
    let number = if own == Side::First { [1, 2] } else { [2, 1] };
    let [own, other] = match level {
        Some("perfect") => ["You".to_owned(), "The bot".to_owned()],
        Some(level) => ["You".to_owned(), format!("The bot ({level})")],
        None => number.map(|number| format!("Player {number}")),
    };
    Players { own, other, people: true }
}

/// Returns the command that plays the game again at the terminal.
fn again(game: &GameSpec, own: Side, level: Option<&str>) -> String {
    match level {
        Some(level) => format!("judge play {game} --{} --level {level}", own.to_string().to_lowercase()),
        None => format!("judge play {game} --players 2"),
    }
}

fn setup(played: &Played, players: &Players) -> SetupLine {
    let header = GameHeader::new(played.game.clone(), None);
    let config = MatchConfig {
        name: Some(players.own.clone()),
        played_by: PlayedBy::Person,
        ..MatchConfig::default()
    };
    SetupLine::new(GameSetup::new(header, OpponentKind::Bot, 0), config, None)
}

/// Returns the events of the game as if it had been played over the protocol. All times are zero, because none was
/// measured.
fn events(played: &Played, position: &Position, own: Side, resigned: bool) -> Vec<RecordedEvent> {
    let line = |is_own: bool, text: String| {
        let bytes = Bytes(format!("{text}\n").into_bytes());
        if is_own { Event::Received(bytes) } else { Event::Sent(bytes) }
    };
    let header = GameHeader::new(played.game.clone(), None);
    let mut events = vec![line(false, header.to_string()), line(true, own.to_string())];
    let mover = |ply: usize| side_to_move(ply as u64 + 1);
    events.extend(
        played
            .moves
            .iter()
            .enumerate()
            .map(|(ply, mv): (usize, &Move)| line(mover(ply) == own, mv.to_string())),
    );
    let to_move = mover(played.moves.len());
    if position.is_over() || resigned {
        events.push(line(to_move == own, "0 0".to_owned()));
        if to_move == own && (resigned || !position.is_misere()) {
            events.push(line(false, "-1 -1".to_owned()));
        }
        events.extend([Event::Closed, Event::Exited(Exit::Code(0))]);
    } else {
        events.push(Event::Interrupted);
    }
    events.into_iter().map(|event| RecordedEvent { at: Duration::ZERO, event }).collect()
}

fn page(
    setup: SetupLine,
    events: &[RecordedEvent],
    players: Players,
    again: String,
) -> anyhow::Result<String> {
    let mut recorder = ReplayRecorder::new(setup)?;
    for event in events {
        recorder.add(event);
    }
    let mut replay = Replay::new(recorder, Duration::ZERO);
    replay.name_players(players, again);
    Ok(replay.page()?)
}

fn transcript(setup: &SetupLine, events: &[RecordedEvent]) -> anyhow::Result<String> {
    let mut state = GameState::new(&setup.game.header, setup.config.limits, setup.config.profile)?;
    for event in events {
        state.apply(event);
    }
    let result = GameResult::new(&state, &setup.game, &setup.config, Duration::ZERO);
    let mut lines = vec![serde_json::to_string(setup)?];
    for event in events {
        lines.push(serde_json::to_string(event)?);
    }
    lines.push(serde_json::to_string(&ResultLine::from(&result))?);
    Ok(lines.join("\n") + "\n")
}
