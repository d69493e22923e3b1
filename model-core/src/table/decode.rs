//! Tables of one decode step: its stages, its layers, its exchanges.

use super::data::{Cell, Row};
use super::derive::{Filled, Maker};
use super::words;
use crate::chart::{part_fill, part_name};
use crate::draw::Paint;
use crate::figure::{Ledger, Unit, Value};
use crate::format::Digits;
use crate::ledger::memory::Part;
use crate::ledger::{ExchangeKind, StepPart, exchanges as step_exchanges};
use crate::scenario::Layout;
use crate::scene::Text;
use crate::spec::AttentionKind;

/// The figures of a stage: over all GPUs, on one, its times and what binds it.
struct StageIds {
    part: StepPart,
    code: &'static str,
    whole: [&'static str; 2],
    each: [&'static str; 2],
    times: [&'static str; 3],
    bound: &'static str,
}

macro_rules! stage_ids {
    ($part:ident, $stage:literal) => {
        StageIds {
            part: StepPart::$part,
            code: $stage,
            whole: [concat!("decode.", $stage, ".bytes"), concat!("decode.", $stage, ".flops")],
            each: [
                concat!("decode.", $stage, ".bytes_per_gpu"),
                concat!("decode.", $stage, ".flops_per_gpu"),
            ],
            times: [
                concat!("decode.", $stage, ".hbm_s"),
                concat!("decode.", $stage, ".compute_s"),
                concat!("decode.", $stage, "_s"),
            ],
            bound: concat!("decode.", $stage, ".bound"),
        }
    };
}

const STAGES: [StageIds; 6] = [
    stage_ids!(Proj, "proj"),
    stage_ids!(Attn, "attn"),
    stage_ids!(Moe, "moe"),
    stage_ids!(Head, "head"),
    stage_ids!(Other, "other"),
    stage_ids!(Draft, "mtp"),
];

/// Where reads, FLOPs and the time taken stand in a row of stages.
const READ: usize = 0;
const FLOPS: usize = 1;
const TAKEN: usize = 5;

fn value(row: &Row, column: usize) -> f64 {
    row.cells.get(column).and_then(|cell| cell.value).unwrap_or(0.0)
}

pub(super) fn stages(maker: &Maker) -> Filled {
    maker.timed()?;
    let exact = maker.exact();
    let (read, flops) =
        if exact { (words::READS_GPU, words::FLOPS_GPU) } else { (words::READS, words::FLOPS) };
    let heads = [
        words::STAGE,
        read,
        flops,
        words::HBM_TIME,
        words::COMPUTE_TIME,
        words::BINDS,
        words::TAKES,
        words::SHARE,
    ];
    let report = maker.basis.report;
    let mut rows: Vec<Row> = STAGES.iter().filter_map(|ids| stage(maker, ids)).collect();
    let times = if exact { Digits::Millis(3) } else { Digits::Millis(2) };
    let sums = [READ, FLOPS].map(|column| rows.iter().map(|row| value(row, column)).sum::<f64>());
    let sums = || {
        let [bytes, flops] = sums;
        [maker.number(Some(bytes), bytes_digits(exact)), maker.number(Some(flops), flops_digits(exact))]
    };
    let beside = |text: Text, code: &'static str, work: Option<[Cell; 2]>, takes: Cell| {
        let mut cells: Vec<Cell> =
            work.map_or_else(|| vec![maker.absent(), maker.absent()], |work| work.to_vec());
        cells.extend([maker.absent(), maker.absent(), maker.absent(), takes]);
        Row { head: maker.say(text), code: code.into(), cells, ..Row::default() }
    };
    if exact {
        let floor = beside(words::FLOOR, "floor", Some(sums()), maker.figure("decode.floor_s", times));
        rows.push(Row { total: true, ..floor });
    }
    let fixed = maker.figure("decode.overhead_s", times);
    if exact && report.number("decode.latency_s").is_some() {
        let latency = beside(words::LATENCY, "latency", None, maker.figure("decode.latency_s", times));
        rows.push(Row { paint: part_fill(StepPart::Fixed).paint(), ..latency });
    }
    if !exact || fixed.value.is_some_and(|fixed| fixed > 0.0) {
        let fixed = beside(words::FIXED_TIME, "fixed", None, fixed);
        rows.push(Row { paint: part_fill(StepPart::Fixed).paint(), ..fixed });
    }
    let ranged = exact && report.number("decode.latency_s").is_none();
    let (head, step) = if ranged {
        (words::STEP_RANGE, maker.figures("decode.step_low_s", "decode.step_high_s", Digits::Millis(1)))
    } else {
        (words::STEP, maker.figure("decode.step_s", times))
    };
    // A step that cannot be, since its load does not fit, has no time in the exact ledger.
    let bad = !report.flag("memory.fits");
    let work = (!exact).then(sums);
    rows.push(Row { total: true, bad, ..beside(head, "step", work, step) });
    let (head, id) = match (exact, ranged) {
        (false, _) => (words::HIDDEN, "decode.ep_s"),
        (true, false) => (words::CONTAINED, "decode.exchange_s"),
        (true, true) => (words::BESIDE, "decode.exchange_s"),
    };
    let exchange = beside(head, "exchange", None, maker.figure(id, times));
    rows.push(Row { aside: true, paint: Some(Paint::Comm), ..exchange });
    share(maker, &mut rows);
    Ok((maker.columns(&heads), rows))
}

const fn bytes_digits(exact: bool) -> Digits {
    if exact { Digits::Giga(2) } else { Digits::Giga(1) }
}

const fn flops_digits(exact: bool) -> Digits {
    if exact { Digits::GigaFlop(1) } else { Digits::Tera(2) }
}

/// A stage; none where it has no work.
fn stage(maker: &Maker, ids: &StageIds) -> Option<Row> {
    let exact = maker.exact();
    let report = maker.basis.report;
    let [hbm, compute, taken] = ids.times;
    report.number(taken).filter(|taken| *taken > 0.0)?;
    let [bytes, flops] = if exact { ids.each } else { ids.whole };
    let bytes_digits = match (exact, ids.part) {
        (false, StepPart::Head) => Digits::Giga(2),
        _ => bytes_digits(exact),
    };
    let (roof, takes) = if exact {
        (Digits::Millis(3), Digits::Millis(3))
    } else {
        (Digits::MillisTrimmed(6), Digits::Millis(2))
    };
    let bound = match report.get(ids.bound).map(|figure| &figure.value) {
        Some(Value::Word(word)) => {
            let [memory, compute] = words::BOUND;
            maker.word(if *word == "compute" { compute } else { memory }, word)
        }
        _ => maker.absent(),
    };
    let cells = vec![
        maker.figure(bytes, bytes_digits),
        maker.figure(flops, flops_digits(exact)),
        maker.figure(hbm, roof),
        maker.figure(compute, roof),
        maker.named(bound, ids.bound, true),
        maker.figure(taken, takes),
    ];
    let paint = part_fill(ids.part).paint();
    Some(Row { head: maker.say(part_name(ids.part)), code: ids.code.into(), paint, cells, ..Row::default() })
}

/// Adds each row's share of all that adds up; what is in no sum and what is only bounded has none.
fn share(maker: &Maker, rows: &mut [Row]) {
    let whole: f64 = rows.iter().filter(|row| !row.total && !row.aside).map(|row| value(row, TAKEN)).sum();
    for row in rows {
        let taken = row.cells.get(TAKEN).filter(|cell| cell.most.is_none()).and_then(|cell| cell.value);
        let share = taken.filter(|_| whole > 0.0 && !row.aside).map(|taken| taken / whole);
        let cell = maker.number(share, Digits::Percent(1));
        row.cells.push(Cell { share: share.filter(|_| !row.total).map(|share| share.min(1.0)), ..cell });
    }
}

/// The figures of an attention layer, over all GPUs and on one.
struct LayerIds {
    kind: AttentionKind,
    code: &'static str,
    part: Part,
    cache: Digits,
    whole: [&'static str; 3],
    each: [&'static str; 3],
    taken: &'static str,
}

macro_rules! layer_ids {
    ($kind:ident, $name:literal, $cache:expr) => {
        LayerIds {
            kind: AttentionKind::$kind,
            code: $name,
            part: Part::$kind,
            cache: $cache,
            whole: [
                concat!("decode.layer.", $name, ".proj_bytes"),
                concat!("decode.layer.", $name, ".kv_bytes"),
                concat!("decode.layer.", $name, ".flops"),
            ],
            each: [
                concat!("decode.layer.", $name, ".proj_bytes_per_gpu"),
                concat!("decode.layer.", $name, ".kv_bytes_per_gpu"),
                concat!("decode.layer.", $name, ".flops_per_gpu"),
            ],
            taken: concat!("decode.layer.", $name, "_s"),
        }
    };
}

const LAYERS: [LayerIds; 3] = [
    layer_ids!(Csa, "csa", Digits::Giga(2)),
    layer_ids!(Hca, "hca", Digits::Mega(1)),
    layer_ids!(Window, "window", Digits::Mega(1)),
];

pub(super) fn layers(maker: &Maker) -> Filled {
    maker.timed()?;
    let (exact, spec) = (maker.exact(), maker.basis.spec);
    let (weights, cache, flops) = if exact {
        (words::WEIGHTS_GPU, words::CACHE_GPU, words::FLOPS_GPU)
    } else {
        (words::WEIGHTS, words::CACHE, words::FLOPS)
    };
    let heads = [words::LAYER, words::COUNT, weights, cache, flops, words::SENT, words::TAKES];
    let takes = if exact { Digits::Micros(1) } else { Digits::Millis(3) };
    let flops = if exact { Digits::GigaFlop(2) } else { Digits::GigaFlop(1) };
    let count = |count: usize| maker.number(Some(count as f64), Digits::Fixed(0));
    let all = spec.main_layers().len();
    let mut rows = Vec::new();
    for ids in LAYERS {
        let layers = spec.main_layers().iter().filter(|layer| layer.attention == ids.kind).count();
        if layers == 0 {
            continue;
        }
        let [weights, cache, computed] = if exact { ids.each } else { ids.whole };
        let cells = vec![
            count(layers),
            maker.figure(weights, if exact { Digits::Mega(1) } else { Digits::Mega(0) }),
            maker.figure(cache, if exact { Digits::Mega(2) } else { ids.cache }),
            maker.figure(computed, flops),
            maker.absent(),
            maker.figure(ids.taken, takes),
        ];
        let (head, paint) = (maker.say(words::kind(ids.kind)), Some(ids.part.paint()));
        rows.push(Row { head, code: ids.code.into(), paint, cells, ..Row::default() });
    }
    let [weights, computed] = if exact {
        ["decode.layer.moe.bytes_per_gpu", "decode.layer.moe.flops_per_gpu"]
    } else {
        ["decode.layer.moe.bytes", "decode.layer.moe.flops"]
    };
    let cells = vec![
        count(all),
        maker.figure(weights, if exact { Digits::Mega(1) } else { Digits::Giga(2) }),
        maker.absent(),
        maker.figure(computed, flops),
        maker.absent(),
        maker.figure("decode.layer.moe_s", takes),
    ];
    let (head, paint) = (maker.say(words::MOE_LAYER), Some(Part::Routed.paint()));
    rows.push(Row { head, code: "moe".into(), paint, cells, ..Row::default() });
    shares_of_all_layers(&mut rows);
    if let Some(takes) = expert_exchange(maker) {
        let sent = maker.figure("decode.layer.ep.bytes_per_gpu", Digits::Mega(2));
        let cells = vec![count(all), maker.absent(), maker.absent(), maker.absent(), sent, takes];
        let (head, paint) = (maker.say(words::EP_LAYER), Some(Paint::Comm));
        rows.push(Row { head, code: "ep".into(), paint, aside: true, cells, ..Row::default() });
    }
    Ok((maker.columns(&heads), rows))
}

/// Bars: what all layers of a kind take of what all layers take.
fn shares_of_all_layers(rows: &mut [Row]) {
    const TAKEN: usize = 5;
    let of_kind = |row: &Row| value(row, 0) * value(row, TAKEN);
    let whole: f64 = rows.iter().map(of_kind).sum();
    for row in rows.iter_mut().filter(|_| whole > 0.0) {
        let share = of_kind(row) / whole;
        if let Some(cell) = row.cells.get_mut(TAKEN) {
            cell.share = Some(share);
        }
    }
}

/// The time of a layer's dispatch and combine; none where the experts' results are summed instead.
fn expert_exchange(maker: &Maker) -> Option<Cell> {
    if !maker.exact() {
        return Some(maker.figure("decode.layer.ep_s", Digits::Micros(2)));
    }
    let settings = maker.basis.settings;
    if settings.layout != Layout::DpAttentionEp {
        return None;
    }
    let rows = step_exchanges(settings, maker.basis.spec);
    let layers = rows.iter().filter(|row| matches!(row.kind, ExchangeKind::Dispatch | ExchangeKind::Combine));
    let each = layers.map(|row| (row.startup.get() + row.transfer.get()) / row.count);
    let (count, seconds) = each.fold((0, 0.0), |(count, sum), each| (count + 1, sum + each));
    (count > 0).then(|| maker.number(Some(seconds), Digits::Micros(2)))
}

pub(super) fn exchanges(maker: &Maker) -> Filled {
    let report = maker.basis.report;
    let time = Digits::Fit(Unit::Seconds);
    let bytes = Digits::Fit(Unit::Bytes);
    let row = |(text, code): (Text, &'static str), cells: Vec<Cell>| Row {
        head: maker.say(text),
        code: code.into(),
        paint: Some(Paint::Comm),
        cells,
        ..Row::default()
    };
    let heads = [words::EXCHANGE, words::COUNT, words::MESSAGE, words::SENT, words::STARTUP, words::TRANSFER];
    match maker.ledger() {
        // Of one all-reduce and of one layer's dispatch it gives the bytes.
        Ledger::Tutorial => {
            let sent = maker.figure("allreduce.sent.bytes_per_gpu", bytes);
            if sent.value.is_none_or(|sent| sent <= 0.0) {
                return Err(words::NOTHING_SENT);
            }
            let sum = vec![maker.figure("allreduce.message.bytes", bytes), sent];
            let dispatch = vec![maker.figure("ep.dispatch.bytes", bytes), maker.absent()];
            let rows = vec![
                row((words::ONE_SUM, "allreduce"), sum),
                row((words::ONE_DISPATCH, "dispatch"), dispatch),
            ];
            Ok((maker.columns(&[words::EXCHANGE, words::MESSAGE, words::SENT]), rows))
        }
        // It counts no start-up.
        Ledger::Report => {
            maker.timed()?;
            let payload = report.number("decode.layer.ep.bytes_per_gpu").filter(|payload| *payload > 0.0);
            let payload = payload.ok_or(words::NOTHING_SENT)?;
            let layers = maker.basis.spec.main_layers().len() as f64;
            let cells = vec![
                maker.number(Some(layers), Digits::Fixed(0)),
                maker.figure("decode.layer.ep.bytes_per_gpu", Digits::Mega(2)),
                maker.number(Some(layers * payload), Digits::Mega(2)),
                maker.absent(),
                maker.figure("decode.ep_s", time),
            ];
            Ok((maker.columns(&heads), vec![row((words::EP_LAYER, "ep"), cells)]))
        }
        Ledger::Exact => {
            maker.timed()?;
            let told = step_exchanges(maker.basis.settings, maker.basis.spec);
            if told.is_empty() {
                return Err(words::NOTHING_SENT);
            }
            let mut rows: Vec<Row> = told
                .iter()
                .map(|told| {
                    let cells = vec![
                        maker.number(Some(told.count), Digits::Fixed(0)),
                        maker.number(Some(told.message.get()), bytes),
                        maker.number(Some(told.sent_per_gpu.get()), bytes),
                        maker.number(Some(told.startup.get()), time),
                        maker.number(Some(told.transfer.get()), time),
                    ];
                    row(words::exchange(told.kind), cells)
                })
                .collect();
            let count: f64 = told.iter().map(|told| told.count).sum();
            let sent: f64 = told.iter().map(|told| told.sent_per_gpu.get()).sum();
            let cells = vec![
                maker.number(Some(count), Digits::Fixed(0)),
                maker.absent(),
                maker.number(Some(sent), bytes),
                maker.figure("decode.exchange.startup_s", time),
                maker.figure("decode.exchange.transfer_s", time),
            ];
            rows.push(Row { total: true, paint: None, ..row((words::SUM, "total"), cells) });
            Ok((maker.columns(&heads), rows))
        }
    }
}
