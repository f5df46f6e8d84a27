//! `grundy table octal` and `grundy table grundy`.

use std::process::ExitCode;

use zeroxor::GameSpec;
use zeroxor::grundy::ValueKind;

use super::args::{GrundyArgs, OctalArgs};
use super::compute;
use super::rows::rows;
use crate::{Heaps, RowGame};

pub(super) fn octal(args: &OctalArgs) -> anyhow::Result<ExitCode> {
    let OctalArgs { code, periods, long, listing } = args;
    rows(RowGame::Code(*code), periods, long, listing)
}

pub(super) fn grundy(args: &GrundyArgs) -> anyhow::Result<ExitCode> {
    let game = GameSpec::Grundy { heaps: vec![1] };
    args.listing.write_new(|| compute(&game, Heaps::Sizes(args.listing.to), ValueKind::Nimber))
}
