//! Every published row, clean decode rows over the exact ledger's floor of their own situation.

use super::facet::{Facet, Filter};
use super::take::Take;
use super::unclean::Unclean;
use super::words as say;
use crate::basis::Basis;
use crate::figure::Ledger;
use crate::format::{Digits, Shown};
use crate::ledger::decode_floor;
use crate::measured::{Implied, Origin, ROWS, Row as Collected, implied, origin};
use crate::scenario::{Key, Scenario};
use crate::scene::{Layout, Look};
use crate::spec::v4_pro;
use crate::table::derive::Maker;
use crate::table::{Cell, Row, Table};
use crate::units::Seconds;

/// A row with what the ledger says of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Published {
    /// The row as collected.
    pub row: &'static Collected,
    /// Where it was published.
    pub origin: Option<&'static Origin>,
    /// Why it is no clean decode step; nothing for one that is.
    pub unclean: Vec<Unclean>,
    /// Floor, ratio and latency per layer of a clean one.
    pub implied: Option<Implied>,
}

impl Published {
    /// Takes its latency per layer.
    #[must_use]
    pub fn latency(&self) -> Option<Take> {
        Take::latency(say::USE_LATENCY, self.implied?.per_layer)
    }

    /// Takes its whole situation: GPU, plan, batch, context and latency.
    #[must_use]
    pub fn situation(&self) -> Option<Take> {
        Take::situation(say::USE_SITUATION, &self.implied?)
    }

    /// Whether the scenario stands in its situation, latency apart.
    #[must_use]
    pub fn here(&self, scenario: &Scenario) -> bool {
        self.implied.is_some_and(|implied| stands_in(&implied, scenario))
    }
}

/// Whether a scenario stands in a row's situation, latency apart.
pub(crate) fn stands_in(implied: &Implied, scenario: &Scenario) -> bool {
    let in_force = |key: Key| scenario.in_force(key, Ledger::Exact);
    implied.point.choices().into_iter().all(|(key, setting)| in_force(key) == setting)
}

/// The clean decode rows over their floors. All of them are of V4-Pro; a test holds that.
#[must_use]
pub fn clean_rows() -> Vec<Implied> {
    let spec = v4_pro();
    implied(spec.main_layers().len() as u64, |point| decode_floor(point, &spec))
}

/// Every row in the order of the collection.
#[must_use]
pub fn published() -> Vec<Published> {
    let clean = clean_rows();
    let of = |row: &'static Collected| Published {
        row,
        origin: origin(row.source),
        unclean: Unclean::of(row),
        implied: clean.iter().find(|implied| implied.row.id == row.id).copied(),
    };
    ROWS.iter().map(of).collect()
}

/// The rows that a filter lets pass, as a table, those with a floor beside them first. Choosing a clean row takes its
/// latency per layer; the scenario's own situation is marked.
#[must_use]
pub fn published_table(basis: Basis, filter: &Filter, look: Look) -> Table {
    let maker = Maker { basis, look };
    let mut heads = [
        say::ROW,
        say::HARDWARE,
        say::PLAN,
        say::LOAD,
        say::CONTEXT,
        say::TPOT,
        say::FLOOR,
        say::RATIO,
        say::PER_LAYER,
        say::CLEAN,
        say::SPECULATION,
        say::ENGINE,
        say::TTFT,
        say::RATE_ALL,
        say::RATE_OUT,
        say::MODEL,
        say::PROMPT,
        say::ANSWER,
        say::SOURCE,
    ];
    seen_first(&mut heads[1..], look.layout);
    let mut kept = published();
    kept.retain(|published| filter.keeps(published.row));
    kept.sort_by_key(|published| published.implied.is_none());
    let rows: Vec<Row> = kept.iter().map(|published| line(&maker, published)).collect();
    let filled = if rows.is_empty() { Err(say::NO_ROWS) } else { Ok((maker.columns(&heads), rows)) };
    Table::of("published", look.say(say::PUBLISHED), look.say(say::PUBLISHED_ABOUT), filled, look)
}

/// Puts what is compared where it is seen without scrolling. After the hardware stand plan, load and context, then time,
/// floor, ratio and latency; on a phone the other way round.
fn seen_first<T>(columns: &mut [T], layout: Layout) {
    if let (Layout::Narrow, Some(both)) = (layout, columns.get_mut(1..8)) {
        both.rotate_left(3);
    }
}

fn line(maker: &Maker, published: &Published) -> Row {
    let row = published.row;
    let text = |text: &'static str| match text {
        "" => maker.absent(),
        _ => maker.word([text, text], text),
    };
    let millis = |time: Option<Seconds>| maker.number(time.map(Seconds::get), Digits::Millis(2));
    let rate = |rate: Option<f64>| maker.number(rate, Digits::Fixed(1));
    let implied = published.implied;
    let of = |pick: fn(&Implied) -> f64| implied.as_ref().map(pick);
    let mut cells = vec![
        text(row.hardware),
        text(row.parallelism),
        text(row.load),
        text(row.context),
        millis(row.tpot.or(row.layer_time)),
        maker.number(of(|one| one.floor.get()), Digits::Millis(2)),
        maker.number(of(|one| one.ratio), Digits::Fixed(2)),
        maker.number(of(|one| one.per_layer.get()), Digits::Micros(1)),
        cleanness(maker, &published.unclean),
        text(row.speculation),
        text(row.engine),
        millis(row.ttft),
        rate(row.total_rate),
        rate(row.output_rate),
        text(row.model),
        text(row.input_tokens),
        text(row.output_tokens),
        published.origin.map_or_else(
            || maker.absent(),
            |origin| {
                let title = maker.word([origin.title, origin.title], row.source);
                Cell { address: Some(origin.url()), ..title }
            },
        ),
    ];
    seen_first(&mut cells, maker.look.layout);
    let latency = published.latency();
    let takes = latency.iter().flat_map(|take| &take.choices).map(|(key, setting)| (*key, setting.real()));
    Row {
        head: row.id.to_owned(),
        code: row.id.into(),
        here: published.here(maker.basis.scenario),
        takes: takes.collect(),
        cells,
        ..Row::default()
    }
}

/// Clean, or every reason why not.
fn cleanness(maker: &Maker, unclean: &[Unclean]) -> Cell {
    let Some(first) = unclean.first() else { return maker.word(say::IS_CLEAN, "clean") };
    let all: Vec<&str> = unclean.iter().map(|reason| reason.say(maker.look)).collect();
    let number = all.join(maker.look.say(say::AND));
    Cell { shown: Shown { number, unit: "" }, word: Some(first.code()), ..maker.absent() }
}

impl Filter {
    /// What the filter lets pass, of all rows.
    pub fn rows(&self) -> impl Iterator<Item = &'static Collected> {
        let filter = *self;
        ROWS.iter().filter(move |row| filter.keeps(row))
    }

    /// How many rows pass if this is chosen on a side beside what is chosen on the others.
    #[must_use]
    pub fn count(&self, facet: Facet, code: Option<&'static str>) -> usize {
        let others = Facet::ALL.into_iter().filter(|other| *other != facet);
        let others: Vec<_> = others.filter_map(|other| Some((other, self.get(other)?))).collect();
        let passes = |row: &&'static Collected| {
            others.iter().all(|(other, chosen)| other.of(row) == *chosen)
                && code.is_none_or(|code| facet.of(row) == code)
        };
        ROWS.iter().filter(passes).count()
    }
}
