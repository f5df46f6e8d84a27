//! Runs: the parts of a position that are drawn alike.

use itertools::Itertools;
use zeroxor::position::PlacedHeap;
use zeroxor::{Move, Position};

use super::sizes::{is_row, place_sizes};

/// Consecutive places that are drawn with the same character, or a heap that is drawn as places and sizes.
pub(crate) struct Run {
    pub(crate) first: u64,
    /// How many places there are, at least one.
    pub(crate) places: u64,
    pub(crate) content: RunContent,
    /// The text between the run before and this one.
    divider: &'static str,
}

/// How a run is drawn.
pub(crate) enum RunContent {
    /// Places of a row, each drawn as this character.
    Row(char),
    /// A heap that is drawn as places and sizes.
    Sizes(String),
}

impl Run {
    /// Whether it is the first of a row, right behind another row.
    pub(crate) fn begins_row(&self) -> bool {
        self.divider == "|"
    }

    pub(super) fn holds(&self, place: u64) -> bool {
        (self.first..self.first + self.places).contains(&place)
    }

    /// An upper bound of its length in characters when it is not shortened.
    pub(super) fn full_length(&self) -> u64 {
        match &self.content {
            RunContent::Row(_) => self.places + 1,
            RunContent::Sizes(text) => (text.len() + self.divider.len()) as u64,
        }
    }

    pub(super) fn draw(&self, whole: bool) -> String {
        const MAX_FULL: u64 = 9;
        let Self { places, divider, .. } = self;
        match &self.content {
            RunContent::Sizes(text) => format!("{divider}{text}"),
            RunContent::Row(symbol) if whole || *places <= MAX_FULL => {
                let cards = std::iter::repeat_n(*symbol, usize::try_from(*places).unwrap_or(0));
                format!("{divider}{}", cards.collect::<String>())
            }
            RunContent::Row(symbol) => format!("{divider}{symbol}…{places}…{symbol}"),
        }
    }
}

/// The runs of a position, from the first place to the last.
pub(crate) fn runs(position: &Position, mv: Option<Move>) -> Vec<Run> {
    let taken = mv.filter(|mv| is_in_row(position, mv.place)).map(|mv| mv.place..mv.place + mv.take);
    let components = position.components().iter().map(|component| component.place);
    let heaps =
        position.heaps().flat_map(|placed| [placed.place, placed.place + placed.rules.width(placed.heap)]);
    let borders = taken.iter().flat_map(|taken| [taken.start, taken.end]);
    let borders = borders.chain(components).chain(heaps).chain([position.places() + 1]).sorted().dedup();
    let mut heaps = position.heaps().peekable();
    let mut components = position.components().iter().skip(1).peekable();
    // Where the last heap that is passed has ended.
    let mut end = 0;
    borders
        .tuple_windows()
        .map(|(first, next)| {
            let heap_end = |placed: &PlacedHeap<'_>| placed.place + placed.rules.width(placed.heap);
            while let Some(passed) = heaps.next_if(|placed| heap_end(placed) <= first) {
                end = heap_end(&passed);
            }
            let is_taken = taken.as_ref().is_some_and(|taken| taken.contains(&first));
            let content = content(is_taken, heaps.peek().filter(|placed| placed.place <= first));
            let divider = match content {
                _ if components.next_if(|component| component.place == first).is_some() => "|",
                // One row begins where another ends.
                RunContent::Row('#') if end == first => "|",
                RunContent::Sizes(_) if first > 1 => "  ",
                _ => "",
            };
            Run { first, places: next - first, content, divider }
        })
        .collect()
}

/// Whether a place belongs to a row.
fn is_in_row(position: &Position, place: u64) -> bool {
    let component = position.components().iter().rfind(|component| component.place <= place);
    component.and_then(|component| position.rules(component.rules)).is_some_and(is_row)
}

/// How a run is drawn, which was just taken or is in this heap, if there is one.
fn content(is_taken: bool, heap: Option<&PlacedHeap<'_>>) -> RunContent {
    match heap {
        _ if is_taken => RunContent::Row('x'),
        Some(placed) if is_row(placed.rules) => RunContent::Row('#'),
        Some(placed) => RunContent::Sizes(place_sizes(placed)),
        None => RunContent::Row('.'),
    }
}
