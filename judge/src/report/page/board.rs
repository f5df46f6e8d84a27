//! The board of a replay: the heaps at the start, and for each move the heaps that replace the heap of the move; and the
//! evaluation of the game by perfect play: nimbers, winners, and the blunders of both sides.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use itertools::Itertools;
use runner::escape::printable;
use serde::Serialize;
use serde_json::{Value, json};
use zeroxor::grundy::{self, GrundyTable, Limit, ValueKind};
use zeroxor::rules::{Heap, HeapMove, Rules, Shape};
use zeroxor::{GameSpec, Move, Position, Side, Solver};

use crate::json::js_number;
use crate::referee::game::review::{Blunder, MAX_CLASSES, blunder_plies, blunders, winners};

const MAX_TIME: Duration = Duration::from_secs(3);

/// Sizes of the tables that are tried in turn if a table up to the largest heap would be too large.
const SMALLER: [u64; 3] = [1_000_000, 100_000, 2000];

/// The data of the board, as the script of the page reads it.
#[derive(Debug, Serialize)]
pub(crate) struct Board {
    components: Vec<Value>,
    /// Of each heap: its place, its size, its nimber if that is known, and the second size of a pair.
    heaps: Vec<Value>,
    /// Of each move: its place, its take, the place of the heap in which it is made, and the heaps that replace this heap.
    moves: Vec<Value>,
    /// How many of the heaps have no known nimber: of those at the start, and of those that moves leave.
    #[serde(skip)]
    pub(crate) unknown_nimbers: usize,
}

impl Board {
    /// Creates the board of a game, up to the first illegal move.
    pub(crate) fn new(game: &GameSpec, start: &Position, moves: &[Move]) -> Self {
        let nimber = nimbers(game, start);
        let rules = |index: usize| start.rules(index);
        let shape = |index: usize| rules(index).map(Rules::shape);
        let components = start.components().iter().map(|component| {
            json!({
                "place": js_number(component.place),
                "width": js_number(component.width),
                "rules": rules(component.rules_index).map(|rules| printable(&rules.words())).unwrap_or_default(),
                "shape": match shape(component.rules_index) {
                    Some(Shape::Row) => "row",
                    Some(Shape::Pair) => "pair",
                    _ => "pile",
                },
            })
        });
        let mut unknown_nimbers = 0;
        let mut on_page = |place: u64, rules_index: usize, heap: Heap| {
            let nimber = nimber(rules_index, heap);
            unknown_nimbers += usize::from(nimber.is_none());
            let mut cells = vec![js_number(place), js_number(heap.size), nimber.map(js_number).into()];
            cells.extend((shape(rules_index) == Some(Shape::Pair)).then_some(js_number(heap.second)));
            Value::Array(cells)
        };
        let heaps = start.heaps().map(|placed| on_page(placed.place, placed.rules_index, placed.heap));
        let heaps = heaps.collect();
        let in_play = start.heaps().map(|placed| (placed.place, (placed.rules_index, placed.heap)));
        let mut in_play: BTreeMap<u64, (usize, Heap)> = in_play.collect();
        let moves = moves.iter().map_while(|&Move { place, take }| {
            let (&heap_place, &(rules_index, heap)) = in_play.range(..=place).next_back()?;
            let inside = HeapMove { offset: place - heap_place, count: take };
            let followers = rules(rules_index)?.apply(heap, inside).ok()?;
            let left = followers.iter().map(|&(offset, left)| (heap_place + offset, (rules_index, left)));
            in_play.remove(&heap_place);
            in_play.extend(left.clone());
            let left =
                left.map(|(place, (rules_index, heap))| on_page(place, rules_index, heap)).collect_vec();
            Some(json!([js_number(place), js_number(take), js_number(heap_place), left]))
        });
        Self { moves: moves.collect(), components: components.collect(), heaps, unknown_nimbers }
    }
}

pub(crate) struct Evaluation {
    /// The side that wins, at the start and after each move; `None` if the winner cannot be computed within the limits.
    winners: Vec<Option<Side>>,
    /// The blunders of both sides.
    blunders: Vec<Blunder>,
    /// What cannot be computed.
    pub(crate) notes: Vec<String>,
}

impl Evaluation {
    pub(crate) fn new(start: &Position, moves: &[Move], board: &Board) -> Self {
        let mut notes = Vec::new();
        let unknown = board.unknown_nimbers;
        if unknown > 0 && !start.is_misere() {
            notes.push(format!(
                "The nimbers of {unknown} heaps cannot be computed: their tables would be too large."
            ));
        }
        let (mut solver, deadline) = (Solver::new(), Instant::now() + MAX_TIME);
        // After the deadline nothing more is computed.
        let is_in_time = || Instant::now() < deadline;
        let all = winners(start, moves, &mut solver, MAX_CLASSES).take_while(|_| is_in_time());
        let mut winners = all.map(Result::ok).collect_vec();
        winners.resize(moves.len() + 1, None);
        let (all, missing) = (winners.len(), winners.iter().filter(|winner| winner.is_none()).count());
        if missing > 0 {
            let of = format!("{missing} of {all} positions");
            notes.push(format!("The winner at {of} cannot be computed within the limits."));
        }
        let plies = blunder_plies(&winners).collect_vec();
        let blunders = blunders(start, moves, &plies, &mut solver, false, |_| is_in_time());
        let unexplained = blunders.iter().filter(|blunder| blunder.better.is_none()).count();
        if unexplained > 0 {
            let of = format!("{unexplained} of {} blunders", blunders.len());
            notes.push(format!("For {of} no better move is shown, because finding one would take too long."));
        }
        Self { winners, blunders, notes }
    }

    /// Returns the data of the evaluation, as the script of the page reads it.
    pub(crate) fn data(&self) -> Value {
        let on_page = |mv: Option<Move>| mv.map(|Move { place, take }| [place, take].map(js_number));
        let blunders = self.blunders.iter().map(|&Blunder { ply, better, refutation, .. }| {
            json!({ "ply": ply, "better": on_page(better), "refutation": on_page(refutation) })
        });
        let winners = self.winners.iter().map(|winner| winner.map(|side| side.to_string()));
        json!({ "winners": winners.collect_vec(), "blunders": blunders.collect_vec() })
    }

    pub(crate) fn is_blunder(&self, ply: usize) -> bool {
        self.blunders.binary_search_by_key(&(ply as u64), |blunder| blunder.ply).is_ok()
    }

    /// Returns who wins after `moves` moves: a side, `?` if that is not known, or nothing after the last shown move.
    pub(crate) fn winner(&self, moves: usize) -> String {
        let winner = self.winners.get(moves);
        winner.map_or_else(String::new, |winner| winner.map_or("?".to_owned(), |side| side.to_string()))
    }
}

/// Returns the nimber of a heap by the index of its rules. Rules whose tables would be too large have none, and in misère
/// play all rules, because nimbers do not tell who wins.
fn nimbers(game: &GameSpec, start: &Position) -> impl Fn(usize, Heap) -> Option<u64> + use<> {
    let mut limit = Limit::GAME;
    // A move leaves only smaller heaps.
    let largest = start.heaps().map(|placed| (placed.rules_index, placed.heap)).into_grouping_map().max();
    let rules = start.components().iter().map(|component| component.rules_index);
    let tables = rules.zip(game.components()).filter(|_| !game.is_misere()).unique_by(|(index, _)| *index);
    let tables = tables.filter_map(|(index, part)| {
        let largest = *largest.get(&index)?;
        let smaller = SMALLER.into_iter().filter(|&size| size < largest.size).map(Heap::of);
        let mut sizes = [largest].into_iter().chain(smaller);
        let mut table = |size| grundy::table(part, size, ValueKind::Nimber, &mut limit).ok();
        Some((index, sizes.find_map(|size| Some((size, table(size)?)))?))
    });
    let tables: BTreeMap<usize, (Heap, Box<dyn GrundyTable>)> = tables.collect();
    move |rules_index, heap| {
        let (_, table) = tables.get(&rules_index).filter(|(largest, _)| heap <= *largest)?;
        Some(table.nimber(heap).0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn evaluation(game: &str, moves: &[(u64, u64)]) -> (Evaluation, Board) {
        let game: GameSpec = game.parse().unwrap();
        let start = Position::new(&game).unwrap();
        let moves: Vec<Move> = moves.iter().map(|&(place, take)| Move { place, take }).collect();
        let board = Board::new(&game, &start, &moves);
        (Evaluation::new(&start, &moves, &board), board)
    }

    #[test]
    fn moves_replace_heaps() {
        let moves = |game: &str, moves: &[(u64, u64)]| {
            let (evaluation, board) = evaluation(game, moves);
            assert!(evaluation.winners.iter().all(Option::is_some) && evaluation.notes.is_empty());
            json!(board.moves)
        };
        let large = 1_000_000_000_000_000_000;
        assert_eq!(
            moves(&format!("6 1 2 + nim {large} + euclid 9 4"), &[(3, 2), (7, large - 3), (8, 8)]),
            json!([
                [3, 2, 1, [[1, 2, 2], [5, 2, 2]]],
                [7, js_number(large - 3), 7, [[7, 3, 3]]],
                [8, 8, 8, [[8, 1, 3, 4]]]
            ])
        );
        // A split leaves two heaps that follow each other, and a later move finds the right one.
        assert_eq!(
            moves("octal 4.7 6", &[(3, 0), (3, 1), (2, 0)]),
            json!([
                [3, 0, 1, [[1, 2, 2], [3, 4, 2]]],
                [3, 1, 3, [[4, 3, 1]]],
                [2, 0, 1, [[1, 1, 1], [2, 1, 1]]]
            ])
        );
    }

    #[test]
    fn winners_and_blunders_of_both_sides() {
        let (evaluation, board) = evaluation("6 1 2", &[(1, 1), (2, 1), (3, 1)]);
        let board = serde_json::to_value(&board).unwrap();
        assert_eq!(board["heaps"], json!([[1, 6, 3]]));
        assert_eq!(
            board["moves"],
            json!([[1, 1, 1, [[2, 5, 4]]], [2, 1, 2, [[3, 4, 1]]], [3, 1, 3, [[4, 3, 3]]]])
        );
        assert_eq!(evaluation.data()["winners"], json!(["First", "Second", "First", "Second"]));
        let blunders: Vec<_> = evaluation.blunders.iter().map(|blunder| blunder.ply).collect();
        assert_eq!(blunders, [1, 2, 3]);
        let first = json!({ "ply": 1, "better": [3, 2], "refutation": [4, 1] });
        assert_eq!(evaluation.data()["blunders"][0], first);
        assert!(evaluation.notes.is_empty());
    }

    #[test]
    fn misere_play() {
        let (evaluation, board) = evaluation("misere nim 1 2", &[(2, 1), (1, 1), (2, 1)]);
        assert_eq!(board.unknown_nimbers, 5);
        assert_eq!(evaluation.data()["winners"], json!(["First", "Second", "Second", "Second"]));
        assert_eq!(evaluation.blunders.len(), 1);
        assert_eq!(evaluation.data()["blunders"][0]["better"], json!([2, 2]));
        assert!(evaluation.notes.is_empty());
    }

    /// Neither the nimbers of three long segments nor the winners can be computed.
    #[test]
    fn notes_say_what_cannot_be_computed() {
        let (evaluation, _) = evaluation("square 1000000000 2", &[(1, 9), (1, 16)]);
        assert_eq!(evaluation.winners, [const { None }; 3]);
        let notes = evaluation.notes.join(" ");
        assert!(notes.contains("The nimbers of 3 heaps cannot be computed"), "{notes}");
        assert!(notes.contains("at 3 of 3 positions"), "{notes}");
    }
}
