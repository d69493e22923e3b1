//! The workbench as tables: both steps beside each other, each of them by resource, the links, what doubling pays, and
//! what the presets are worth.

use super::draw::fill_of;
use super::model::{Resource, StageTime, Step};
use super::preset::{Effect, presets};
use super::sensitivity::Sensitivity;
use super::{Bench, words};
use crate::basis::Basis;
use crate::figure::{Ledger, Unit};
use crate::format::Digits;
use crate::ledger::StepPart;
use crate::scene::{Look, Text};
use crate::spec::ModelSpec;
use crate::table::{Cell, Column, Filled, Maker, Row, Table};
use crate::units::Seconds;

/// How times are shown.
const TIMES: Digits = Digits::Millis(3);
const TIMES_OF_ALL: Digits = Digits::Millis(2);
const READS: Digits = Digits::Giga(2);
const SENT: Digits = Digits::Mega(2);
const WORK: Digits = Digits::GigaFlop(1);

/// What a table is called and what it shows.
struct Told {
    name: &'static str,
    title: Text,
    about: Text,
}

impl Told {
    fn table(&self, look: Look, filled: Filled) -> Table {
        Table::of(self.name, look.say(self.title), look.say(self.about), filled, look)
    }
}

/// Columns and rows.
type Parts = (Vec<Column>, Vec<Row>);

fn bound(maker: &Maker, resource: Resource) -> Cell {
    maker.word(words::resource(resource), resource.name())
}

/// Whether a stage is in a step at all.
fn works(stage: &StageTime) -> bool {
    stage.taken.get() > 0.0 || stage.flops.get() > 0.0
}

/// The figure that a stage's time is in the ledger.
fn figure_of(part: StepPart) -> Option<&'static str> {
    part.figures().map(|[.., taken]| taken)
}

impl Bench {
    /// Stage by stage: before, afterwards, what binds, and the whole step.
    #[must_use]
    pub fn table(&self, basis: Basis, look: Look) -> Table {
        let told = Told { name: "bench", title: words::TITLE, about: words::COMPARE_ABOUT };
        told.table(look, self.reason.map_or_else(|| Ok(self.compared(&Maker { basis, look })), Err))
    }

    fn compared(&self, maker: &Maker) -> Parts {
        let heads = [
            words::STAGE,
            words::TIME_BEFORE,
            words::BOUND_BEFORE,
            words::TIME_AFTER,
            words::BOUND_AFTER,
            words::CHANGE,
            words::RATIO,
        ];
        let cells = |[before, after]: [Seconds; 2],
                     resources: Option<[Resource; 2]>,
                     figure: Option<&'static str>| {
            let time = |time: Seconds| {
                let cell = maker.number(Some(time.get()), TIMES);
                figure.map_or_else(|| cell.clone(), |id| maker.named(cell.clone(), id, true))
            };
            let [was, is] = resources
                .map_or_else(|| [maker.absent(), maker.absent()], |both| both.map(|one| bound(maker, one)));
            let ratio = (after.get() > 0.0).then(|| before / after);
            vec![
                time(before),
                was,
                time(after),
                is,
                maker.number(Some((after - before).get()), TIMES),
                maker.number(ratio, Digits::Fixed(2)),
            ]
        };
        let pairs = self.before.stages.iter().zip(&self.after.stages);
        let mut rows: Vec<Row> = pairs
            .filter(|(before, after)| works(before) || works(after))
            .map(|(before, after)| {
                let (name, code) = words::part(Some(before.part));
                let times = [before.taken, after.taken];
                Row {
                    head: maker.say(name),
                    code: code.into(),
                    paint: fill_of(after.bound).paint(),
                    cells: cells(times, Some([before.bound, after.bound]), figure_of(before.part)),
                    ..Row::default()
                }
            })
            .collect();
        for (name, code, times, figure) in [
            (words::LATENCY, "latency", [self.before.latency, self.after.latency], "decode.latency_s"),
            (words::FIXED, "fixed", [self.before.fixed, self.after.fixed], "decode.overhead_s"),
        ] {
            if times.iter().any(|time| time.get() > 0.0) {
                let cells = cells(times, None, Some(figure));
                rows.push(Row {
                    head: maker.say(name),
                    code: code.into(),
                    paint: fill_of(Resource::Fixed).paint(),
                    cells,
                    ..Row::default()
                });
            }
        }
        let name = if self.after.latency_known { words::STEP } else { words::STEP_LEAST };
        let cells = cells([self.before.total, self.after.total], None, Some(self.after.figure()));
        rows.push(Row { head: maker.say(name), code: "step".into(), total: true, cells, ..Row::default() });
        (maker.columns(&heads), rows)
    }

    /// The step before by resource: bytes, FLOPs and the time each takes.
    #[must_use]
    pub fn before_table(&self, basis: Basis, look: Look) -> Table {
        let told = Told { name: "bench-before", title: words::BEFORE_TITLE, about: words::SIDE_ABOUT };
        self.side(&told, &self.before, basis, look)
    }

    /// The step afterwards by resource.
    #[must_use]
    pub fn after_table(&self, basis: Basis, look: Look) -> Table {
        let told = Told { name: "bench-after", title: words::AFTER_TITLE, about: words::SIDE_ABOUT };
        self.side(&told, &self.after, basis, look)
    }

    fn side(&self, told: &Told, step: &Step, basis: Basis, look: Look) -> Table {
        told.table(look, self.reason.map_or_else(|| Ok(by_resource(step, &Maker { basis, look })), Err))
    }

    /// Whether computation hides the exchange on each link.
    #[must_use]
    pub fn domain_table(&self, basis: Basis, look: Look) -> Table {
        let told = Told { name: "bench-links", title: words::DOMAIN_TITLE, about: words::DOMAIN_ABOUT };
        told.table(look, self.reason.map_or_else(|| Ok(self.links(&Maker { basis, look })), Err))
    }

    fn links(&self, maker: &Maker) -> Parts {
        let heads = [words::LINK, words::RATE, words::INTENSITY, words::LIMIT, words::HIDES];
        let row = |link: &super::DomainLink| {
            let [no, yes] = words::YES_NO;
            let intensity = maker.number(Some(link.flops_per_byte), Digits::Fixed(0));
            let intensity = match link.figure {
                Some(id) => maker.named(intensity, id, true),
                None => intensity,
            };
            let threshold = maker.number(Some(self.domain.threshold), Digits::Fixed(0));
            let hides = if link.hidden { maker.word(yes, "true") } else { maker.word(no, "false") };
            Row {
                head: maker.say(link.name),
                code: link.code.into(),
                here: link.crossed,
                bad: !link.hidden,
                cells: vec![
                    maker.number(Some(link.rate.get()), Digits::Fit(Unit::BytesPerSecond)),
                    intensity,
                    maker.named(threshold, "network.hide_threshold", true),
                    hides,
                ],
                ..Row::default()
            }
        };
        (maker.columns(&heads), self.domain.links.iter().map(row).collect())
    }
}

fn by_resource(step: &Step, maker: &Maker) -> Parts {
    let heads = [
        words::STAGE,
        words::HBM_BYTES,
        words::NOC_BYTES,
        words::FLOPS,
        words::SENT,
        words::HBM_TIME,
        words::NOC_TIME,
        words::COMPUTE_TIME,
        words::LINK_TIME,
        words::BINDS,
        words::TAKES,
    ];
    let row = |stage: &StageTime| {
        let (name, code) = words::part(Some(stage.part));
        let number = |value: f64, digits: Digits| maker.number(Some(value), digits);
        Row {
            head: maker.say(name),
            code: code.into(),
            paint: fill_of(stage.bound).paint(),
            cells: vec![
                number(stage.hbm_bytes.get(), READS),
                number(stage.noc_bytes.get(), READS),
                number(stage.flops.get(), WORK),
                number(stage.sent.get(), SENT),
                number(stage.hbm.get(), TIMES),
                number(stage.noc.get(), TIMES),
                number(stage.compute.get(), TIMES),
                number(stage.link.get(), TIMES),
                bound(maker, stage.bound),
                number(stage.taken.get(), TIMES),
            ],
            ..Row::default()
        }
    };
    let mut rows: Vec<Row> = step.stages.iter().filter(|stage| works(stage)).map(row).collect();
    let rest = |head: Text, code: &'static str, time: Seconds, total: bool| {
        let mut cells = vec![maker.absent(); 9];
        cells.push(maker.number(Some(time.get()), TIMES));
        Row { head: maker.say(head), code: code.into(), total, cells, ..Row::default() }
    };
    rows.push(rest(words::REST, "fixed", step.rest(), false));
    rows.push(rest(words::STEP, "step", step.total, true));
    (maker.columns(&heads), rows)
}

impl Sensitivity {
    /// What each doubling saves, the most first.
    #[must_use]
    pub fn table(&self, basis: Basis, look: Look) -> Table {
        let told = Told { name: "bench-doubled", title: words::TORNADO_TITLE, about: words::TORNADO_ABOUT };
        told.table(look, self.reason.map_or_else(|| Ok(self.filled(&Maker { basis, look })), Err))
    }

    fn filled(&self, maker: &Maker) -> Parts {
        let heads = [words::RESOURCE, words::NEW_STEP, words::GAIN, words::RATIO];
        let most = self.gains.first().map_or(0.0, |gain| gain.gain.get());
        let row = |gain: &super::Gain| {
            let saved = gain.gain.get();
            let share = (most > 0.0).then(|| (saved / most).clamp(0.0, 1.0));
            Row {
                head: maker.say(gain.name),
                code: gain.code.into(),
                cells: vec![
                    maker.number(Some(gain.step.get()), TIMES),
                    Cell { share, ..maker.number(Some(saved), TIMES) },
                    maker.number(Some(gain.speedup), Digits::Fixed(3)),
                ],
                ..Row::default()
            }
        };
        (maker.columns(&heads), self.gains.iter().map(row).collect())
    }
}

/// What every preset is worth in both situations, under a ledger.
#[must_use]
pub fn effects_table(ledger: Ledger, spec: &ModelSpec, basis: Basis, look: Look) -> Table {
    let told = Told { name: "bench-presets", title: words::EFFECTS_TITLE, about: words::EFFECTS_ABOUT };
    let maker = Maker { basis, look };
    if ledger == Ledger::Tutorial {
        return told.table(look, Err(words::NO_TIMES));
    }
    let heads = [
        words::PRESET,
        words::CASE,
        words::TIME_BEFORE,
        words::TIME_AFTER,
        words::CHANGE,
        words::MOVED,
        words::BOUND_BEFORE,
        words::BOUND_AFTER,
        words::REQUESTS_BEFORE,
        words::REQUESTS_AFTER,
        words::RATE_BEFORE,
        words::RATE_AFTER,
    ];
    let rows = presets().iter().flat_map(|preset| {
        let row = |effect: Effect| Row {
            head: preset.title(look).to_owned(),
            code: preset.name.into(),
            cells: worth(&maker, effect.case.name(), effect.title(look), &effect.bench),
            ..Row::default()
        };
        preset.effects(ledger, spec).into_iter().map(row).collect::<Vec<_>>()
    });
    let rows = rows.collect();
    told.table(look, Ok((maker.columns(&heads), rows)))
}

fn worth(maker: &Maker, code: &'static str, case: &str, bench: &Bench) -> Vec<Cell> {
    let moved = bench.moved();
    let (part, bounds) = match moved {
        Some(moved) => {
            let (name, code) = words::part(moved.part);
            (maker.word(name, code), moved.bound.map(|one| bound(maker, one)))
        }
        None => (maker.word(words::NOTHING, "none"), [maker.absent(), maker.absent()]),
    };
    let [was, is] = bounds;
    let mut named = maker.word(words::NOTHING, code);
    case.clone_into(&mut named.shown.number);
    let requests = |step: &Step| maker.number(Some(step.batch as f64), Digits::Fixed(0));
    let rate = |step: &Step| maker.number(Some(step.tokens_per_s), Digits::Fixed(0));
    vec![
        named,
        maker.number(Some(bench.before.total.get()), TIMES_OF_ALL),
        maker.number(Some(bench.after.total.get()), TIMES_OF_ALL),
        maker.number(Some((bench.after.total - bench.before.total).get()), TIMES_OF_ALL),
        part,
        was,
        is,
        requests(&bench.before),
        requests(&bench.after),
        rate(&bench.before),
        rate(&bench.after),
    ]
}
