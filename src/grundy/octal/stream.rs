//! The values of a code one after the other.

use super::leads::{CodeLeads, first_values};
use crate::grundy::segment::SparseStream;
use crate::spec::OctalCode;

/// The values of a code one after the other, so many of which are kept; `None` if a move may leave three heaps or none
/// leaves two, or if no sparse space shows in the first 65,536 values or fewer.
///
/// ```
/// use zeroxor::grundy::octal;
/// use zeroxor::grundy::segment::NoHistory;
///
/// // What is rare in 0.104 changes with every card.
/// let mut stream = octal::stream("0.104".parse().unwrap(), 1 << 16).unwrap();
/// stream.advance(1_000_000, &mut NoHistory).unwrap();
/// assert!(stream.is_by_place());
/// assert_eq!((stream.space().mask, stream.space().rares, stream.space().last), (0b10111, 20, 284));
/// ```
pub fn stream(code: OctalCode, keep: usize) -> Option<SparseStream> {
    let (leads, before) = leads(code)?;
    SparseStream::of(&leads.leads, before, keep)
}

/// Goes on from what was [saved](SparseStream::save) of a code; `None` if that is no state.
#[cfg(feature = "analysis")]
pub fn restore_stream(code: OctalCode, state: &[u8]) -> Option<SparseStream> {
    let (leads, before) = leads(code)?;
    SparseStream::restore(leads.leads, before, state)
}

/// The code as the engine takes it, and the values of the heaps before its first segment.
fn leads(code: OctalCode) -> Option<(CodeLeads, Vec<u16>)> {
    let leads = CodeLeads::of(code)?;
    let mut before = first_values(code, code.longest_take());
    before.truncate(leads.shift);
    Some((leads, before))
}
