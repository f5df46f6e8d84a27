//! `grundy misere`: prints the misère quotient of a game of heaps, with the genera of the heaps and the proven period.

use std::fmt::Write as _;
use std::io::{self, Write};
use std::process::ExitCode;

use clap::Args;
use itertools::Itertools;
use serde::Serialize;
use zeroxor::grundy::segment::Period;
use zeroxor::misere::{Budget, Element, Genus, Quotient, genera};
use zeroxor::{GameSpec, SpecError};

use crate::SCHEMA;
use crate::cli::print_error;
use crate::number::number_in;

/// Maximum number of sums of heaps from which the genera are computed.
const GENUS_SUMS: usize = 50_000;

/// Print the misère quotient of a game of heaps: who wins if the last move loses
#[derive(Debug, Args)]
#[command(after_help = "\
The misère quotient is a finite commutative monoid: each heap has an element, and a sum of heaps is a P-position if the \
product of their elements is in the P-portion. Everything printed is proven for all sums of the heaps named in the first \
line. If no quotient with the next heap is found within the budget, the output says so, and the exit code is 1.

A genus that takes too long to compute is shown as \"-\". P-positions 8+5k are the heaps 8, 13, 18 and so on.

Examples:
  grundy misere 0.77 --to 200
  grundy misere 0.07 --to 20
  grundy misere grundy --to 18 --json

Columns of the table:
  genus    the nimber in normal play; after ^ the misère nimbers of the heap
           with no, one, two, ... nim heaps of 2; the last two nimbers repeat.
           A number without ^ is the genus of a nim heap
  misère   the misère nimber of the heap
  element  the element of the heap, as a product of generators; 1 is the
           identity

Exit codes:
  0  the quotient of these heaps was printed
  1  a quotient of fewer heaps was printed
  2  wrong usage")]
pub(crate) struct MisereArgs {
    /// The code, such as 0.77, .137 or 4.7; or "grundy" for Grundy's game
    #[arg(value_name = "CODE", value_parser = game)]
    game: GameSpec,

    /// The largest heap, 10000 at most. If a period is proven with fewer heaps, the quotient is that of all heaps
    #[arg(long, value_name = "N", value_parser = number_in(0..=10_000_u64))]
    to: u64,

    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

fn game(text: &str) -> Result<GameSpec, SpecError> {
    match text {
        "grundy" => GameSpec::of_rules(text),
        code => code.parse().map(GameSpec::of_code),
    }
}

pub(crate) fn misere(args: &MisereArgs) -> anyhow::Result<ExitCode> {
    let to = usize::try_from(args.to)?;
    let quotient = Quotient::compute(&args.game, to, Budget::PER_HEAP)?;
    let genera = genera(&args.game, to.min(quotient.largest_heap()), GENUS_SUMS)?;
    if args.json {
        writeln!(io::stdout(), "{}", serde_json::to_string(&json(&quotient, &genera))?)?;
    } else {
        io::stdout().write_all(in_words(&quotient, &genera).as_bytes())?;
    }
    if quotient.is_stopped {
        print_error(&format!(
            "no quotient with the heap n = {} was found within the budget",
            quotient.largest_heap() + 1
        ));
        return Ok(ExitCode::FAILURE);
    }
    Ok(ExitCode::SUCCESS)
}

/// The number of heaps to list: those before the second period, or all heaps without a period.
fn listed(quotient: &Quotient) -> usize {
    let period = quotient.period;
    let needed = period.and_then(|Period { start, length }| usize::try_from(start + length).ok());
    needed.unwrap_or(usize::MAX).min(quotient.map.len())
}

fn in_words(quotient: &Quotient, genera: &[Genus]) -> String {
    let generators = quotient.generators();
    let generated = quotient.generated(&generators).into_iter();
    let names: Vec<String> = generated.map(|factors| product(&factors.unwrap_or_default())).collect();
    let name = |element: u16| names[usize::from(element)].as_str();
    let heaps = match quotient.period {
        Some(_) => "all heaps".to_owned(),
        None => format!("heaps up to n = {}", quotient.largest_heap()),
    };
    let p_portion = quotient.p_portion();
    let mut text = format!("game: {}, {heaps}\n", quotient.rules());
    text += &format!("quotient: order {}, P-portion of {}\n", quotient.order(), p_portion.len());
    let partial_quotients = &quotient.partial_quotients;
    text += &match (quotient.nim_heaps(), partial_quotients.iter().find(|partial| !partial.is_tame)) {
        (None, Some(partial)) => format!("wild: from the heap n = {} on\n", partial.heap),
        (largest, _) => {
            format!("tame: the quotient of nim with heaps up to {}\n", largest.unwrap_or_default())
        }
    };
    let orders = partial_quotients.iter().map(|partial| format!("{} ({})", partial.heap, partial.order));
    let generators = generators.iter().enumerate();
    let generators = generators.map(|(index, heap)| format!("{} = heap {heap}", letter(index)));
    for (heading, items) in [
        ("orders: n =", orders.collect_vec()),
        ("generators:", generators.collect()),
        ("relations:", relations(quotient)),
        ("P-portion:", p_portion.iter().map(|&element| name(element).to_owned()).collect()),
        ("P-positions: n =", p_heaps(quotient)),
        ("period:", quotient.proof().into_iter().collect()),
    ] {
        if !items.is_empty() {
            text += &format!("{heading} {}\n", items.join(", "));
        }
    }
    text += "\n   n  genus        misère  element\n";
    for heap in 0..listed(quotient) {
        let genus = genera.get(heap);
        let misere = genus.map_or("-".to_owned(), |genus| genus.misere_nimber().to_string());
        let genus = genus.map_or("-".to_owned(), Genus::to_string);
        writeln!(text, "{heap:4}  {genus:11}  {misere:6}  {}", name(quotient.map[heap])).ok();
    }
    text
}

/// The heaps that are P-positions. With a period, `8+5k` are the heaps 8, 13, 18 and so on.
fn p_heaps(quotient: &Quotient) -> Vec<String> {
    let p_portion = quotient.p_portion();
    let p_heaps = (0..listed(quotient)).filter(|&heap| p_portion.contains(&quotient.map[heap]));
    let repeats = |heap: usize| quotient.period.filter(|period| heap as u64 >= period.start);
    p_heaps
        .map(|heap| repeats(heap).map_or(heap.to_string(), |period| format!("{heap}+{}k", period.length)))
        .collect()
}

/// The relations that define the monoid, such as `b^3 = b`.
fn relations(quotient: &Quotient) -> Vec<String> {
    let relations = quotient.relations().into_iter();
    relations.map(|(factors, equal)| format!("{} = {}", product(&factors), product(&equal))).collect()
}

fn json(quotient: &Quotient, genera: &[Genus]) -> Json {
    let (largest, period) = (quotient.largest_heap(), quotient.period);
    let generators = quotient.generators().into_iter().map(|heap| quotient.map[heap]).collect_vec();
    let products = generators.iter().map(|&generator| quotient.multiples(generator).to_vec()).collect();
    let (order, p_portion) = (quotient.order(), quotient.p_portion());
    Json {
        schema: SCHEMA,
        game: quotient.rules(),
        to: period.is_none().then_some(largest),
        tame: quotient.nim_heaps().is_some(),
        orders: quotient.partial_quotients.iter().map(|partial| (partial.heap, partial.order)).collect(),
        relations: relations(quotient),
        quotient: MonoidTable { order, generators, products, p_portion },
        map: quotient.map[..listed(quotient)].to_vec(),
        period: period.map(|period| period.length),
        pre_period: period.map(|period| period.start),
        genera: genera.iter().map(Genus::to_string).collect(),
        misere_nimbers: genera.iter().map(|genus| genus.misere_nimber().0).collect(),
    }
}

/// The quotient as one JSON object.
#[derive(Serialize)]
struct Json {
    schema: u32,
    game: String,
    /// The largest heap; `null` if the quotient is that of all heaps.
    to: Option<usize>,
    tame: bool,
    /// The heaps that change the quotient, each with the new order.
    orders: Vec<(usize, usize)>,
    /// The relations between the generators, which are named a, b and so on.
    relations: Vec<String>,
    quotient: MonoidTable,
    map: Vec<u16>,
    period: Option<u64>,
    pre_period: Option<u64>,
    genera: Vec<String>,
    misere_nimbers: Vec<u64>,
}

/// A commutative monoid with the elements 0, 1, 2 and so on, of which 0 is the identity.
#[derive(Serialize)]
struct MonoidTable {
    order: usize,
    generators: Vec<Element>,
    products: Vec<Vec<Element>>,
    /// The elements whose sums are P-positions.
    p_portion: Vec<Element>,
}

/// The name of a generator: a, b and so on.
fn letter(index: usize) -> String {
    const LETTERS: &str = "abcdefghijklmnopqrstuvwxyz";
    LETTERS.get(index..=index).map_or_else(|| format!("[{index}]"), str::to_owned)
}

/// Writes a product of generators with powers, such as `ab^2`; 1 if it has no factors.
fn product(factors: &[usize]) -> String {
    if factors.is_empty() {
        return "1".to_owned();
    }
    let powers = factors.iter().dedup_with_count().map(|(count, &index)| match count {
        1 => letter(index),
        _ => format!("{}^{count}", letter(index)),
    });
    powers.collect()
}
