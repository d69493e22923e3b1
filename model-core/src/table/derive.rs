//! Tables over a key: batch, context, prefix. Values are the ledgers' own; what is computed here are shares of them.

use super::data::{Cell, Column, Row};
use super::words;
use crate::basis::Basis;
use crate::figure::{Ledger, Value};
use crate::format::{self, Digits, Shown};
use crate::ledger::memory::Judges;
use crate::ledger::{
    BATCHES, CONTEXTS, PREFIXES, PrefillRow, ScanRow, at_context, capacity_table, prefill_table, step_grid,
};
use crate::scenario::Key;
use crate::scene::{Look, Text};
use crate::units::{Bytes, Seconds};

/// A column before it has a language.
#[derive(Clone, Copy)]
pub(crate) struct Head {
    pub(crate) name: Text,
    pub(crate) code: &'static str,
    pub(crate) numeric: bool,
}

impl Head {
    /// The column under it.
    pub(crate) fn column(&self, look: Look) -> Column {
        Column { name: look.say(self.name).to_owned(), code: self.code, numeric: self.numeric }
    }
}

/// What a table is made of: columns and rows, or why there are none.
pub(crate) type Filled = Result<(Vec<Column>, Vec<Row>), Text>;

/// Makes cells of a scenario in the words and units of a look.
pub(crate) struct Maker<'a> {
    pub(crate) basis: Basis<'a>,
    pub(crate) look: Look,
}

impl Maker<'_> {
    pub(super) fn ledger(&self) -> Ledger {
        self.basis.ledger()
    }

    pub(crate) fn exact(&self) -> bool {
        self.ledger() == Ledger::Exact
    }

    pub(crate) fn say(&self, text: Text) -> String {
        self.look.say(text).to_owned()
    }

    pub(crate) fn columns(&self, heads: &[Head]) -> Vec<Column> {
        heads.iter().map(|head| head.column(self.look)).collect()
    }

    /// Why a ledger has no times, if so.
    pub(super) fn timed(&self) -> Result<(), Text> {
        if self.ledger() == Ledger::Tutorial {
            return Err(words::NO_TIMES);
        }
        self.cuttable()
    }

    fn cuttable(&self) -> Result<(), Text> {
        if self.basis.legal() { Ok(()) } else { Err(words::NO_PLAN) }
    }

    /// A number that is no figure.
    pub(crate) fn number(&self, value: Option<f64>, digits: Digits) -> Cell {
        let value = value.filter(|value| value.is_finite());
        Cell { value, ..Cell::of(digits.show(value, self.look.base)) }
    }

    pub(crate) fn absent(&self) -> Cell {
        self.number(None, Digits::Fixed(0))
    }

    /// A number between two.
    pub(crate) fn between(&self, range: Option<(f64, f64)>, digits: Digits) -> Cell {
        let Some((least, most)) = range else { return self.absent() };
        let shown = digits.between(least, most, self.look.base);
        Cell { shown, most: Some(most), ..self.number(Some(least), digits) }
    }

    /// A word of a few.
    pub(crate) fn word(&self, text: Text, word: &'static str) -> Cell {
        let shown = Shown { number: self.say(text), unit: "" };
        Cell { shown, word: Some(word), ..self.absent() }
    }

    fn fits(&self, fits: bool) -> Cell {
        let [no, yes] = words::FIT;
        if fits { self.word(yes, "true") } else { self.word(no, "false") }
    }

    /// A figure of the report at hand.
    pub(super) fn figure(&self, id: &'static str, digits: Digits) -> Cell {
        self.named(self.number(self.basis.report.number(id), digits), id, true)
    }

    /// Two figures that bound something.
    pub(super) fn figures(&self, least: &'static str, most: &'static str, digits: Digits) -> Cell {
        let number = |id| self.basis.report.number(id);
        self.named(self.between(number(least).zip(number(most)), digits), least, true)
    }

    /// Says which figure a cell is, where the ledger has that figure. Here it is the report's own, unless the table
    /// counts otherwise than the figure does: then it is none.
    pub(crate) fn named(&self, cell: Cell, id: &'static str, here: bool) -> Cell {
        let Some(figure) = self.basis.report.get(id) else { return cell };
        let equal = match (&figure.value, cell.value, cell.word) {
            (Value::Number(number), Some(value), _) => (number - value).abs() <= 1e-9 * number.abs(),
            (Value::Flag(flag), _, Some(word)) => (word == "true") == *flag,
            (Value::Word(own), _, Some(word)) => *own == word,
            (Value::Absent, None, None) => return Cell { figure: Some(id), ..cell },
            _ => false,
        };
        if here && !equal { cell } else { Cell { figure: Some(id), own: here, ..cell } }
    }
}

/// A token count, short where it is a round one.
pub(crate) fn tokens(count: u64) -> String {
    match count {
        0 => "0".to_owned(),
        _ if count.is_multiple_of(1 << 20) => format!("{}M", count >> 20),
        _ if count.is_multiple_of(1 << 10) => format!("{}K", count >> 10),
        _ => format::count(count as f64),
    }
}

/// Values of a key with the one in force among them.
fn with_own(values: &[u64], own: u64) -> Vec<u64> {
    let mut values = values.to_vec();
    values.push(own);
    values.sort_unstable();
    values.dedup();
    values
}

/// Bars for a column: each number's share of the largest.
fn bars(rows: &mut [Row], column: usize) {
    let value = |row: &Row| row.cells.get(column).and_then(|cell| cell.most.or(cell.value));
    let most = rows.iter().filter_map(value).fold(0.0, f64::max);
    for row in rows.iter_mut().filter(|_| most > 0.0) {
        let share = value(row).map(|value| value / most);
        if let Some(cell) = row.cells.get_mut(column) {
            cell.share = share;
        }
    }
}

/// The contexts of the scan.
const SCANNED: [u64; 2] = [131_072, 1_048_576];

pub(super) fn scan(maker: &Maker) -> Filled {
    maker.cuttable()?;
    let Basis { scenario, settings, spec, .. } = maker.basis;
    let (exact, timed) = (maker.exact(), maker.ledger() != Ledger::Tutorial);
    let mut heads = vec![words::CONTEXT, words::BATCH, words::DISTINCT, words::MEMORY, words::FITS];
    if exact {
        heads.extend([words::EXPERTS_GPU, words::CACHE_GPU, words::EXCHANGE_TIME, words::FLOOR_TIME]);
    } else if timed {
        heads.extend([words::EXPERTS, words::CACHE, words::EP_TIME]);
    }
    let step_at = heads.len() - 1;
    if timed {
        heads.extend([words::STEP_TIME, words::RATE]);
    }
    let contexts = with_own(&SCANNED, settings.context);
    let batches = with_own(&BATCHES, settings.batch);
    let grid = step_grid(maker.ledger(), scenario, spec, &contexts, &batches);
    let mut rows = Vec::with_capacity(contexts.len() * batches.len());
    for (context, scanned) in contexts.iter().zip(&grid) {
        rows.extend(scanned.iter().map(|row| scan_row(maker, *context, row)));
    }
    if timed {
        bars(&mut rows, step_at);
    }
    Ok((maker.columns(&heads), rows))
}

fn scan_row(maker: &Maker, context: u64, row: &ScanRow) -> Row {
    let settings = maker.basis.settings;
    let here = context == settings.context && row.batch == settings.batch;
    let judges = Judges::of(maker.ledger());
    let bytes =
        |size: Option<Bytes>, id| maker.named(maker.number(size.map(Bytes::get), Digits::Giga(2)), id, here);
    let millis = |time: Option<Seconds>, id| {
        maker.named(maker.number(time.map(Seconds::get), Digits::Millis(2)), id, here)
    };
    let distinct = maker.number(Some(row.distinct_experts), Digits::Fixed(2));
    let mut cells = vec![
        maker.number(Some(row.batch as f64), Digits::Fixed(0)),
        maker.named(distinct, "moe.distinct_experts", here),
        bytes(row.memory_per_gpu, judges.need),
        maker.named(maker.fits(row.fits), judges.fits, here),
    ];
    match maker.ledger() {
        Ledger::Tutorial => {}
        Ledger::Report => cells.extend([
            bytes(row.expert_read, "decode.moe.bytes"),
            bytes(row.cache_read, "decode.attn.bytes"),
            millis(row.exchange, "decode.ep_s"),
            millis(row.step, "decode.step_s"),
        ]),
        Ledger::Exact => cells.extend([
            bytes(row.expert_read_per_gpu, "decode.moe.bytes_per_gpu"),
            bytes(row.cache_read_per_gpu, "decode.attn.bytes_per_gpu"),
            millis(row.exchange, "decode.exchange_s"),
            millis(row.floor, "decode.floor_s"),
        ]),
    }
    let rate = |rate: f64| maker.number(Some(rate), Digits::Fixed(0));
    let known = row.step.zip(row.tokens_per_second);
    if let (Ledger::Exact, None) = (maker.ledger(), known) {
        let range = row.step_range.map(|(least, most)| (least.get(), most.get()));
        cells.push(maker.named(maker.between(range, Digits::Millis(1)), "decode.step_low_s", here));
        let rates = range.map(|(least, most)| (row.tokens_per_step / most, row.tokens_per_step / least));
        let rates = maker.between(rates, Digits::Fixed(0));
        cells.push(maker.named(rates, "decode.tokens_per_s_low", here));
    } else if let Some((step, each)) = known {
        if maker.exact() {
            cells.push(millis(Some(step), "decode.step_s"));
        }
        cells.push(maker.named(rate(each), "decode.tokens_per_s", here));
    }
    Row {
        head: tokens(context),
        value: Some(context as f64),
        here,
        bad: !row.fits,
        elsewhere: context != settings.context,
        takes: vec![(Key::Context, context as f64), (Key::Batch, row.batch as f64)],
        cells,
        ..Row::default()
    }
}

/// More contexts where the ledger is not bound to a document's.
const MORE_CONTEXTS: [u64; 8] = [4096, 8192, 32_768, 65_536, 131_072, 262_144, 524_288, 1_048_576];

pub(super) fn capacity(maker: &Maker) -> Filled {
    maker.cuttable()?;
    let Basis { scenario, settings, spec, .. } = maker.basis;
    let known: &[u64] = if maker.exact() { &MORE_CONTEXTS } else { &CONTEXTS };
    let contexts = with_own(known, settings.context);
    let row = |context: u64, bad: bool, cells: Vec<Cell>| Row {
        head: tokens(context),
        value: Some(context as f64),
        here: context == settings.context,
        bad,
        takes: vec![(Key::Context, context as f64)],
        cells,
        ..Row::default()
    };
    let here = |context: u64| context == settings.context;
    if maker.ledger() == Ledger::Tutorial {
        let heads = [words::CONTEXT, words::REQUEST, words::BATCH_GPU, words::MEMORY, words::FITS];
        let judges = Judges::of(Ledger::Tutorial);
        let at = |context: &u64| {
            let there = at_context(Ledger::Tutorial, scenario, spec, *context);
            let bytes = |id, digits| maker.named(maker.number(there.number(id), digits), id, here(*context));
            let fits = there.flag(judges.fits);
            let cells = vec![
                bytes("cache.request.bytes", Digits::Giga(3)),
                bytes("cache.batch.bytes_per_gpu", Digits::Giga(2)),
                bytes(judges.need, Digits::Giga(2)),
                maker.named(maker.fits(fits), judges.fits, here(*context)),
            ];
            row(*context, !fits, cells)
        };
        return Ok((maker.columns(&heads), contexts.iter().map(at).collect()));
    }
    let heads = [words::CONTEXT, words::REQUEST, words::REQUEST_GPU, words::MOST, words::MOST_RESERVED];
    let size = Digits::Giga(if maker.exact() { 3 } else { 2 });
    let rows = capacity_table(maker.ledger(), scenario, spec, &contexts).into_iter().map(|at| {
        let named =
            |value: Option<f64>, digits, id| maker.named(maker.number(value, digits), id, here(at.context));
        let count = |most: Option<u64>, id| named(most.map(|most| most as f64), Digits::Fixed(0), id);
        let cells = vec![
            named(Some(at.cache_per_request.get()), size, "cache.request.bytes"),
            named(at.cache_per_gpu.map(Bytes::get), size, "cache.request.bytes_per_gpu"),
            count(at.max_batch, "capacity.max_batch"),
            count(at.max_batch_reserved, "capacity.max_batch_reserved"),
        ];
        row(at.context, at.max_batch_reserved.is_none_or(|most| most < settings.batch), cells)
    });
    Ok((maker.columns(&heads), rows.collect()))
}

/// More prefixes, likewise.
const MORE_PREFIXES: [u64; 6] = [0, 32_768, 131_072, 262_144, 524_288, 1_048_576];

pub(super) fn prefill(maker: &Maker) -> Filled {
    maker.timed()?;
    let Basis { scenario, settings, spec, .. } = maker.basis;
    let exact = maker.exact();
    let mut heads = vec![words::PREFIX, words::CHUNK, words::PROJ, words::ATTN, words::MOE];
    if exact {
        heads.extend([words::REST, words::EXCHANGE_TIME]);
    } else {
        heads.push(words::CACHE_WRITE);
    }
    heads.extend([words::FIXED, words::TOTAL, words::RATE]);
    heads.push(if exact { words::CACHE_GPU } else { words::CACHE });
    let known: &[u64] = if exact { &MORE_PREFIXES } else { &PREFIXES };
    let prefixes = with_own(known, settings.prefix);
    let table = prefill_table(maker.ledger(), scenario, spec, &prefixes);
    let mut rows: Vec<Row> = table.iter().map(|row| prefill_row(maker, row)).collect();
    // The total stands before rate and reads; heads count the rows' own column too.
    bars(&mut rows, heads.len() - 4);
    Ok((maker.columns(&heads), rows))
}

fn prefill_row(maker: &Maker, row: &PrefillRow) -> Row {
    let here = row.prefix == maker.basis.settings.prefix;
    let named = |value: f64, digits, id| maker.named(maker.number(Some(value), digits), id, here);
    let millis = |time: Seconds, id| named(time.get(), Digits::Millis(2), id);
    let mut cells = vec![
        maker.number(Some(row.chunk as f64), Digits::Fixed(0)),
        millis(row.proj, "prefill.proj_s"),
        millis(row.attn, "prefill.attn_s"),
        millis(row.moe, "prefill.moe_s"),
        millis(row.rest, "prefill.kv_write_s"),
    ];
    cells.extend(row.exchange.map(|time| millis(time, "prefill.exchange_s")));
    let read = if maker.exact() { "prefill.kv_read.bytes_per_gpu" } else { "prefill.kv_read.bytes" };
    cells.extend([
        millis(row.fixed, "prefill.overhead_s"),
        millis(row.total, "prefill.step_s"),
        named(row.tokens_per_second, Digits::Fixed(0), "prefill.tokens_per_s"),
        named(row.cache_read.get(), Digits::Giga(2), read),
    ]);
    Row {
        head: tokens(row.prefix),
        value: Some(row.prefix as f64),
        here,
        takes: vec![(Key::Prefix, row.prefix as f64)],
        cells,
        ..Row::default()
    }
}
