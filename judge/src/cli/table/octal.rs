//! `judge table octal` and `judge table grundy`.

use std::process::ExitCode;

use anyhow::ensure;
use zeroxor::GameSpec;
use zeroxor::grundy::ValueKind;
use zeroxor::grundy::octal::CodeSequence;

use super::args::{GrundyArgs, OctalArgs};
use super::compute;
use super::rows::rows;
use crate::tables::{Heaps, RowGame};

pub(super) fn octal(args: &OctalArgs) -> anyhow::Result<ExitCode> {
    let OctalArgs { code, periods, long, listing } = args;
    if CodeSequence::is_of(*code) {
        return rows(RowGame::Code(*code), periods, long, listing);
    }
    ensure!(
        !periods.period,
        "expected --period with a code whose moves leave two heaps at most, got {code}: with three heaps values may \
         grow for ever, and no theorem here proves a period"
    );
    let game = GameSpec::Octal { code: *code, heaps: vec![1] };
    listing.write_new(|| compute(&game, Heaps::Sizes(listing.to), ValueKind::Nimber))
}

pub(super) fn grundy(args: &GrundyArgs) -> anyhow::Result<ExitCode> {
    let game = GameSpec::Grundy { heaps: vec![1] };
    args.listing.write_new(|| compute(&game, Heaps::Sizes(args.listing.to), ValueKind::Nimber))
}
