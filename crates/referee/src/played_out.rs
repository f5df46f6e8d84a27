//! Tests that play random sums with the bot's player and the referee's rules, against several opponents. Once the bot
//! has reached a won position, it must keep the win. The sizes of heaps range from 1 to far above the largest table; in
//! misère play they are small.

use std::collections::HashMap;

use itertools::Itertools;
use rand::rngs::ChaCha8Rng;
use rand::seq::{IndexedRandom, SliceRandom};
use rand::{RngExt, SeedableRng};
use zeroxor::MAX_SIZE;
use zeroxor::rules::{Heap, Rules};
use zeroxor::wire::protocol;
use zeroxor::{Move, Nimber, Outcome, Player, Position, Side, Symmetry, mex, symmetry};

use crate::rules::RefereeRules;

/// A slow solver that computes outcomes of small positions by definition, and stores what it has computed.
#[derive(Default)]
struct Definition {
    /// The nimber of each heap: the mex over all its moves. The outer key is the text of the rules.
    nimbers: HashMap<String, HashMap<Heap, Nimber>>,
    /// Whether a position of the current game in misère play is a P-position. The key is the sorted list of the
    /// position's heaps, each with the index of its rules.
    misere: HashMap<Vec<(usize, Heap)>, bool>,
}

impl Definition {
    /// Maximum size of a heap whose nimber is computed. Nim needs no maximum, because a pile of n has the nimber n.
    const LARGEST: u64 = 64;

    /// Maximum number of stored positions of a game in misère play.
    const MAX_MISERE: usize = 3000;

    fn nimber(&mut self, rules: &dyn Rules, heap: Heap) -> Option<Nimber> {
        let words = rules.words();
        if words == "nim" {
            return Some(Nimber(heap.size));
        }
        let is_small = heap.size <= Self::LARGEST && heap.second <= Self::LARGEST;
        is_small.then(|| nimber_by_options(rules, heap, self.nimbers.entry(words).or_default()))
    }

    /// Returns the outcome of a position; `None` if a heap is too large and no equal heap cancels it, or in misère play
    /// if too many positions can be reached.
    fn outcome(&mut self, position: &Position) -> Option<Outcome> {
        if position.is_misere() {
            return self.is_misere_p(position).map(|is_p| if is_p { Outcome::P } else { Outcome::N });
        }
        let unpaired = position.live_classes().filter(|class| class.copies % 2 == 1);
        let values = unpaired.map(|class| self.nimber(class.first.rules, class.first.heap));
        let xor: Nimber = values.collect::<Option<Vec<_>>>()?.into_iter().sum();
        Some(if xor == Nimber::ZERO { Outcome::P } else { Outcome::N })
    }

    /// Checks whether a position in misère play is a P-position; `None` if too many positions can be reached. Tries all
    /// moves, even after it has found a winning move, so that the outcomes of all later positions are stored.
    fn is_misere_p(&mut self, position: &Position) -> Option<bool> {
        let heaps = position.heaps().map(|placed| (placed.rules_index, placed.heap)).sorted().collect_vec();
        if let Some(&is_p) = self.misere.get(&heaps) {
            return Some(is_p);
        }
        let mut is_p = !position.is_over();
        for mv in position.moves() {
            let mut after = position.clone();
            after.play(mv).unwrap();
            is_p &= !self.is_misere_p(&after)?;
        }
        (self.misere.len() < Self::MAX_MISERE).then(|| {
            self.misere.insert(heaps, is_p);
            is_p
        })
    }
}

/// Returns the nimber of a heap: the mex over its moves. `known` stores the nimbers of smaller heaps.
fn nimber_by_options(rules: &dyn Rules, heap: Heap, known: &mut HashMap<Heap, Nimber>) -> Nimber {
    if let Some(&nimber) = known.get(&heap) {
        return nimber;
    }
    let options = rules.moves(heap).map(|take| {
        let left = rules.apply(heap, take).unwrap();
        left.iter().map(|&(_, heap)| nimber_by_options(rules, heap, known)).sum()
    });
    let nimber = mex(options.collect_vec());
    known.insert(heap, nimber);
    nimber
}

/// The `digits` of a [`GameGenerator`] that draws sizes of every order of magnitude.
const ANY_SIZE: [u32; 18] = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18];

/// A generator of random games. Each number in a game is at most 10^d, where d is a random element of `digits`.
struct GameGenerator<'a> {
    rng: &'a mut ChaCha8Rng,
    digits: &'a [u32],
}

impl GameGenerator<'_> {
    fn number(&mut self) -> u64 {
        let digits = self.digits.choose(self.rng).copied().unwrap_or(1);
        self.rng.random_range(1..=10_u64.pow(digits).min(MAX_SIZE))
    }

    fn numbers(&mut self, count: usize, mut number: impl FnMut(&mut Self) -> u64) -> String {
        (0..count).map(|_| number(self)).join(" ")
    }

    /// Returns a random game, with `#` in place of its size, and the size.
    fn any(&mut self) -> (String, u64) {
        let n = self.number();
        let count = self.rng.random_range(1..4);
        match self.rng.random_range(0..8) {
            5 => {
                let digits = (0..count).map(|_| self.rng.random_range(1..8)).join("");
                (format!("octal {}.{digits} #", if self.rng.random() { 4 } else { 0 }), n)
            }
            6 => ("grundy #".to_owned(), n),
            0 => {
                let l = self.rng.random_range(1..=n);
                let r = if self.rng.random() { l } else { self.rng.random_range(l..=n) };
                (format!("segment # {l} {r}"), n)
            }
            1 => {
                // Ban the smallest squares, so that many of the later piles have no move.
                let banned = (1..=self.rng.random_range(0..20_u64)).map(|root| root * root).join(" ");
                let root = n.isqrt();
                let size = root * root + self.rng.random_range(0..=200.min(root));
                let ban = if banned.is_empty() { String::new() } else { format!(" ban {banned}") };
                (format!("square #{ban}"), size)
            }
            2 => {
                let proper = if self.rng.random() { "proper " } else { "" };
                (
                    format!(
                        "divisor # {proper}ban {}",
                        self.numbers(count, |games| games.rng.random_range(1..12))
                    ),
                    n,
                )
            }
            3 => {
                let takes = match self.rng.random_range(0..4) {
                    0 => format!("1..n/{}", self.rng.random_range(1..=n.min(1000))),
                    1 => {
                        let first = self.rng.random_range(1..=n);
                        format!("{first}..{}", self.rng.random_range(first..=n))
                    }
                    _ => self.numbers(count, |games| games.rng.random_range(1..=n)),
                };
                (format!("subtract # take {takes}"), n)
            }
            4 => ("nim #".to_owned(), n),
            _ => (format!("euclid # {}", self.number()), n),
        }
    }

    /// Returns a small game with numbers up to `largest`: a game with `rules`, or one of a random kind.
    fn small(&mut self, rules: &str, largest: u64) -> String {
        let n: u64 = self.rng.random_range(1..=largest);
        if self.rng.random() && !rules.starts_with("euclid") && !rules.starts_with("segment") {
            return rules.replace('#', &n.to_string());
        }
        let l = self.rng.random_range(1..=n.min(4));
        let r = self.rng.random_range(l..=n);
        [
            format!("segment {n} {l} {r}"),
            format!("square {n} ban 1"),
            format!("divisor {n} ban 2"),
            format!("divisor {n} proper ban {r}"),
            format!("subtract {n} take {l} {r}"),
            format!("subtract {n} take {l}..{r}"),
            format!("subtract {n} take 1..n/{l}"),
            format!("prime {n} ban {r}"),
            format!("nim {n}"),
            format!("euclid {n} {r}"),
            format!("octal 0.{}{} {n}", r % 8, l),
            format!("octal 4.{}[{}] {n}", r % 8, l),
            format!("grundy {n}"),
        ]
        .choose(self.rng)
        .unwrap()
        .clone()
    }
}

/// Returns a sum of one to three games, each of them twice, and up to three small games. For `digits` see
/// [`GameGenerator`].
fn sum_of_doubled_games(rng: &mut ChaCha8Rng, digits: &[u32]) -> String {
    let mut games = GameGenerator { rng, digits };
    let mut components = Vec::new();
    for _ in 0..games.rng.random_range(1..=3) {
        let (rules, n) = games.any();
        let component = rules.replace('#', &n.to_string());
        components.extend([component.clone(), component]);
        if games.rng.random() {
            components.push(games.small(&rules, 30));
        }
    }
    components.shuffle(rng);
    components.join(" + ")
}

/// Returns a sum of up to four games, some of them too large for the bot. Few sizes have 4 to 11 digits, because the
/// tables for such sizes would take seconds.
fn sum_of_games(rng: &mut ChaCha8Rng) -> String {
    let mut games = GameGenerator { rng, digits: &[1, 2, 3, 12, 15, 18] };
    (0..games.rng.random_range(1..=4))
        .map(|_| {
            let (rules, n) = games.any();
            if games.rng.random() { rules.replace('#', &n.to_string()) } else { games.small(&rules, 30) }
        })
        .join(" + ")
}

/// Returns a sum of up to three small games in misère play.
fn misere(rng: &mut ChaCha8Rng) -> String {
    let mut games = GameGenerator { rng, digits: &[1] };
    let components = (0..games.rng.random_range(1..=3)).map(|_| {
        let (rules, _) = games.any();
        games.small(&rules, 9)
    });
    format!("misere {}", components.collect_vec().join(" + "))
}

/// How the opponent plays.
#[derive(Clone, Copy, Debug)]
enum TestOpponent {
    Random,
    /// Plays the largest move of a random heap.
    Greedy,
    /// Plays the smallest move of a random heap.
    Slow,
    /// Tries some random moves and prefers one after which `symmetry` finds no reply that makes all heaps cancel.
    Adversarial,
}

impl TestOpponent {
    fn choose(self, position: &Position, rng: &mut ChaCha8Rng) -> Option<Move> {
        let count = position.move_count();
        if count == 0 {
            return None;
        }
        let any = |rng: &mut ChaCha8Rng| position.nth_move(rng.random_range(0..count));
        let in_a_heap = |rng: &mut ChaCha8Rng, largest: bool| {
            let classes = position.live_classes().collect_vec();
            let placed = classes.choose(rng)?.first;
            let number = if largest { placed.rules.move_count(placed.heap) - 1 } else { 0 };
            placed.rules.nth_move(placed.heap, number).map(|take| placed.at(take))
        };
        match self {
            Self::Random => any(rng),
            Self::Greedy => in_a_heap(rng, true),
            Self::Slow => in_a_heap(rng, false),
            Self::Adversarial => {
                let some = [any(rng), in_a_heap(rng, true), in_a_heap(rng, false), any(rng)];
                let is_hard = |mv: &&Move| {
                    let mut after = position.clone();
                    after.play(**mv).unwrap();
                    matches!(symmetry(&after), Symmetry::Unsettled(_))
                };
                let hard = some.iter().flatten().find(is_hard);
                hard.or(some.iter().flatten().next()).copied()
            }
        }
    }
}

/// Plays at most `MAX_PLIES` plies of a game. Returns false if the bot refuses the game. Panics if the bot loses a won
/// position.
fn play(
    header: &str,
    bot_side: BotSide,
    opponent: TestOpponent,
    rng: &mut ChaCha8Rng,
    definition: &mut Definition,
) -> bool {
    const MAX_PLIES: u64 = 60;
    let parsed = protocol::parse_header(header.as_bytes()).unwrap();
    let mut rules = RefereeRules::new(&parsed.game).unwrap();
    definition.misere.clear();
    let mut player = Player::new(Position::new(&parsed.game).unwrap_or_else(|error| panic!("{error}")));
    let Ok(best) = player.winning_side() else { return false };
    let known = definition.outcome(player.position());
    assert_ne!(known, Some(if best == Side::First { Outcome::P } else { Outcome::N }), "{header}");
    let side = match bot_side {
        BotSide::Chosen => best,
        BotSide::Other => best.other(),
    };
    let mut is_won = side == best;
    let mut to_move = Side::First;
    for _ in 0..MAX_PLIES {
        let before = player.position().clone();
        assert_eq!(rules.has_move(), !before.is_over(), "{header}: {before}");
        if to_move == side {
            is_won |= definition.outcome(&before) == Some(Outcome::N);
            let Some(mv) = player.best_move() else {
                assert!(before.is_over() && is_won == rules.is_misere(), "{header}: no move on {before}");
                return true;
            };
            player.play(mv).unwrap_or_else(|error| panic!("{header}: {error} on {before}"));
            assert_eq!(rules.play(mv), Ok(()), "{header}: {mv} on {before}");
            // If the definition knows the outcome at the start, all large heaps cancel each other. They still cancel
            // after each move that keeps the win, so the definition then knows the new outcome too.
            let after = definition.outcome(player.position());
            let keeps = after == Some(Outcome::P) || (after.is_none() && known.is_none());
            assert!(!is_won || keeps, "{header}: {mv} on {before} loses the win");
        } else {
            let Some(mv) = opponent.choose(&before, rng) else {
                assert!(!(is_won && rules.is_misere()), "{header}: the opponent has no move on {before}");
                break;
            };
            player.opponent_played(mv).unwrap();
            assert_eq!(rules.play(mv), Ok(()), "{header}: {mv} on {before}");
        }
        to_move = to_move.other();
    }
    true
}

/// The side that the bot plays.
#[derive(Clone, Copy)]
enum BotSide {
    /// The side that the bot chooses.
    Chosen,
    /// The other side.
    Other,
}

/// Plays `games` games. Returns the number of games that the bot refused.
fn play_all(seed: u64, games: usize, bot_side: BotSide, header: impl Fn(&mut ChaCha8Rng) -> String) -> usize {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut definition = Definition::default();
    let opponents =
        [TestOpponent::Random, TestOpponent::Greedy, TestOpponent::Slow, TestOpponent::Adversarial];
    let mut refused = 0;
    for _ in 0..games {
        let header = header(&mut rng);
        let opponent = *opponents.choose(&mut rng).unwrap();
        refused += usize::from(!play(&header, bot_side, opponent, &mut rng, &mut definition));
    }
    refused
}

/// Checks that sums of small heaps and pairs of heaps of any size are never refused and never lost.
fn sums_with_pairs(games: usize) {
    assert_eq!(play_all(1, games, BotSide::Chosen, |rng| sum_of_doubled_games(rng, &ANY_SIZE)), 0);
}

/// Checks that the bot refuses a fifth to three quarters of the sums without pairs, and loses no won position.
fn sums_without_pairs(games: usize) {
    let refused = play_all(2, games, BotSide::Chosen, sum_of_games);
    assert!((games / 5..games * 3 / 4).contains(&refused), "{refused} games were refused");
}

/// Checks that a bot on the losing side keeps the win after the opponent's first mistake. The heaps are small, because
/// the bot computes tables at every move from a lost position.
fn games_from_lost_positions(games: usize) {
    assert_eq!(play_all(3, games, BotSide::Other, |rng| sum_of_doubled_games(rng, &[1, 1, 2, 3])), 0);
}

/// Checks that the bot refuses no small sum in misère play, and keeps a win from the start or after a mistake.
fn games_in_misere_play(games: usize) {
    for (seed, bot_side) in [(4, BotSide::Chosen), (5, BotSide::Other)] {
        assert_eq!(play_all(seed, games, bot_side, misere), 0);
    }
}

#[test]
fn some_games() {
    sums_with_pairs(2_000);
    sums_without_pairs(150);
    games_from_lost_positions(100);
    games_in_misere_play(100);
}

#[test]
#[ignore = "half a minute"]
fn many_games() {
    sums_with_pairs(20_000);
    sums_without_pairs(2_000);
    games_from_lost_positions(1_000);
    games_in_misere_play(1_000);
}
