//! States as bytes: what a run that goes on later needs.

use super::classes::Classes;
use super::codes::Codes;
use super::partners::Partners;
use super::repeats::Repeats;
use super::run::Run;
use super::{Leads, MAX_TAKE, SparseStream, Window};

impl SparseStream {
    /// All that the values to come depend on, as bytes.
    pub fn save(&self) -> Vec<u8> {
        let (run, mut writer) = (&self.run, Writer::default());
        writer.number(run.classes.mask().into());
        for number in [run.classes.is_by_place().into(), run.is_calm.into(), self.next_split] {
            writer.number(number);
        }
        writer.number(run.rares.len());
        for (place, code) in run.rares.iter() {
            writer.number(place);
            writer.number(code.into());
        }
        writer.number(run.codes.base());
        writer.number(run.codes.keep());
        writer.codes(if run.codes.is_whole() { &[] } else { run.codes.first() });
        writer.codes(run.codes.last());
        self.repeats.save(&mut writer);
        writer.into_bytes()
    }

    /// Goes on from what was [saved](Self::save) of a window; `None` if that is no state.
    pub fn restore_window(window: Window, state: &[u8]) -> Option<Self> {
        let take = |take: u64| usize::try_from(take).ok().filter(|_| take <= MAX_TAKE);
        Self::restore(Leads::window(take(window.l())?, take(window.r())?), Vec::new(), state)
    }

    pub(in crate::grundy) fn restore(leads: Leads, before: Vec<u16>, state: &[u8]) -> Option<Self> {
        let reader = &mut Reader::new(state);
        let (mask, is_by_place, is_calm) = (reader.code()?, reader.number()? == 1, reader.number()? == 1);
        let classes = Classes::new(&leads, mask, is_by_place)?;
        let next_split = reader.number()?;
        let rares: Partners =
            reader.many(|reader| Some((reader.number()?, reader.code()?)))?.into_iter().collect();
        let (base, keep) = (reader.number()?, reader.number()?);
        let codes = Codes::with_gap(reader.codes()?, base, reader.codes()?, keep);
        let repeats = Repeats::restore(reader)?;
        let mut run = Run::new(leads, classes, codes, rares);
        run.is_calm = is_calm;
        let is_state = reader.is_at_end() && run.codes.last().len() >= run.state_len().min(run.codes.len());
        is_state.then(|| Self { next_split, repeats, ..Self::with(run, before) })
    }
}

/// A state that is written to bytes.
#[derive(Default)]
pub(super) struct Writer {
    bytes: Vec<u8>,
}

impl Writer {
    pub(super) fn number(&mut self, number: usize) {
        self.bytes.extend((number as u64).to_le_bytes());
    }

    pub(super) fn codes(&mut self, codes: &[u16]) {
        self.number(codes.len());
        self.bytes.extend(codes.iter().flat_map(|code| code.to_le_bytes()));
    }

    pub(super) fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }
}

/// A state that is read from bytes; each part is `None` if the bytes are no state.
pub(super) struct Reader<'a> {
    bytes: &'a [u8],
}

impl<'a> Reader<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Self { bytes }
    }

    pub(super) fn number(&mut self) -> Option<usize> {
        let (number, rest) = self.bytes.split_first_chunk()?;
        self.bytes = rest;
        usize::try_from(u64::from_le_bytes(*number)).ok()
    }

    pub(super) fn code(&mut self) -> Option<u16> {
        u16::try_from(self.number()?).ok()
    }

    pub(super) fn codes(&mut self) -> Option<Vec<u16>> {
        let len = self.number()?;
        let (codes, rest) = self.bytes.split_at_checked(len.checked_mul(2)?)?;
        self.bytes = rest;
        Some(codes.as_chunks().0.iter().map(|code| u16::from_le_bytes(*code)).collect())
    }

    /// So many things, each read in its turn.
    pub(super) fn many<T>(&mut self, mut read: impl FnMut(&mut Self) -> Option<T>) -> Option<Vec<T>> {
        let len = self.number()?;
        // Each takes eight bytes at least.
        let len = Some(len).filter(|len| *len <= self.bytes.len() / 8)?;
        (0..len).map(|_| read(self)).collect()
    }

    /// Whether nothing is left.
    pub(super) fn is_at_end(&self) -> bool {
        self.bytes.is_empty()
    }
}
