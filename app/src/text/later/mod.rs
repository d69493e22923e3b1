//! The text of all that is fetched after the first view. It is named only there: named elsewhere, it would travel with
//! the first view.

mod en;
mod zh;

use model_core::figure::{Kind, Scope, Source};
use model_core::language::Language;

/// Everything that is said in the part fetched later.
pub(crate) struct LaterText {
    /// In the classroom view: asks the scene's question, and leaves the view.
    pub ask: &'static str,
    pub leave: &'static str,
    /// Shows one more line of a calculation.
    pub next_line: &'static str,
    /// Begins it anew.
    pub from_start: &'static str,
    /// Before the reason of the right answer to a question.
    pub right: &'static str,
    /// Before the reason of a wrong one.
    pub wrong: &'static str,
    /// Shows the answer.
    pub reveal: &'static str,
    /// Asks with other numbers.
    pub fresh_numbers: &'static str,
    /// Above a chapter's details: what its figures are.
    pub details_note: &'static str,
    /// Heading of all charts.
    pub charts: &'static str,
    /// How to read one by key.
    pub chart_keys: &'static str,
    /// Shows a small chart large.
    pub enlarge: &'static str,
    /// Shows the chart's numbers as a table.
    pub as_table: &'static str,
    /// The column of controls, and the names of its groups.
    pub inputs: &'static str,
    pub groups: [&'static str; 5],
    /// The workbench: what is asked there, and what to do.
    pub bench_title: &'static str,
    pub bench_lead: &'static str,
    /// Its numbers: before, afterwards, and how many times as fast.
    pub bench_numbers: [&'static str; 3],
    /// Before what is bent, and said where nothing is.
    pub bench_bent: &'static str,
    pub bench_straight: &'static str,
    /// Its controls: the hardware, and what stands beside it.
    pub bench_bends: &'static str,
    pub bench_beside: &'static str,
    /// Straightens one thing, after its name, or everything.
    pub bench_unbend: &'static str,
    pub bench_straighten: &'static str,
    /// Takes a ledger that times steps.
    pub bench_take: fn(&str) -> String,
    /// The two groups of presets, what each holds, and what a press does.
    pub bench_kinds: [&'static str; 2],
    pub bench_kinds_about: [&'static str; 2],
    pub bench_apply: &'static str,
    pub bench_in_force: &'static str,
    /// Before a preset's requests.
    pub bench_requests: &'static str,
    /// Tables of both steps by resource.
    pub bench_resources: &'static str,
    /// The claims of the report, and whether each holds.
    pub bench_claims: &'static str,
    pub bench_claims_about: &'static str,
    pub bench_claim: [&'static str; 2],
    pub bench_holds: [&'static str; 2],
    /// The documents' own cases.
    pub presets: &'static str,
    /// Copies a table.
    pub copy: &'static str,
    /// Prints the report, and the name of all that hands the page on.
    pub print: &'static str,
    pub hand_on: &'static str,
    /// What is said of a file that was taken, and the ways to bring one.
    pub opened: &'static str,
    pub open_file: &'static str,
    pub paste: &'static str,
    pub paste_hint: &'static str,
    pub take: &'static str,
    /// Before the name of a model of the reader's own, and the way back.
    pub own_model: &'static str,
    pub leave_own_model: &'static str,
    /// Saves a picture, or its numbers.
    pub save_svg: &'static str,
    pub save_csv: &'static str,
    /// A table as tab-separated text.
    pub save_tsv: &'static str,
    /// What a press on a row's name does.
    pub choose_row: &'static str,

    /// The room of scenarios side by side: its name, and what to do there.
    pub compare_title: &'static str,
    pub compare_lead: &'static str,
    /// The pairs at hand.
    pub compare_pairs: &'static str,
    /// What is turned of the current scenario, and the way to all the rest.
    pub compare_turn: &'static str,
    pub compare_all_values: &'static str,
    /// Label of the cases, and what each of them is.
    pub compare_cases: &'static str,
    pub compare_current: &'static str,
    pub compare_pinned: &'static str,
    /// Pins the current scenario, there and from another room, and why that cannot be.
    pub compare_pin: &'static str,
    pub compare_pin_and_go: &'static str,
    pub compare_full: &'static str,
    /// Makes a pinned one the current, or puts it away.
    pub compare_swap: &'static str,
    pub compare_remove: &'static str,
    /// A step's time: known, a floor, or not counted at all.
    pub compare_step: &'static str,
    pub compare_floor: &'static str,
    pub compare_no_step: &'static str,
    /// Said where nothing is pinned, and where nothing differs.
    pub compare_begin: &'static str,
    pub compare_begin_own: &'static str,
    pub compare_begin_pairs: &'static str,
    pub compare_alike: &'static str,
    /// A model of the reader's own is not compared.
    pub compare_own_model: &'static str,
    /// Which figures are listed, in the order of `Which`.
    pub compare_which_label: &'static str,
    pub compare_which: [&'static str; 2],
    /// Heading of the ways, and the label of the list of others.
    pub compare_ways: &'static str,
    pub compare_more_ways: &'static str,
    /// The room of measurements: its heading, and what it answers.
    pub reality: &'static str,
    pub reality_lead: &'static str,
    pub reality_use: &'static str,
    /// Said there under another ledger.
    pub exact_alone: &'static str,
    /// What the scenario is called there, what is expected of it, and the rows nearest to it.
    pub situation: &'static str,
    pub expected: &'static str,
    pub nearest: &'static str,
    pub nearest_note: &'static str,
    /// The reader's own measurements, and what is said of them.
    pub own_point: &'static str,
    pub own_point_note: &'static str,
    pub not_given: &'static str,
    pub impossible: &'static str,
    pub wrong_assumptions: &'static str,
    pub more_assumptions: fn(usize) -> String,
    /// The filters of the published rows, what passes them, and the way back to all.
    pub filters: &'static str,
    pub rows_shown: fn(usize, usize) -> String,
    pub all_rows: &'static str,
    /// The derivation: its heading, and its rows: formula, values put in, speaks of, certainty, sources, name.
    pub derivation: &'static str,
    pub derivation_rows: [&'static str; 6],
    /// Heading of what the other ledgers say of it.
    pub other_ledgers: &'static str,
    /// Where a value is given, not derived.
    pub given: &'static str,
    /// Closes it.
    pub close: &'static str,
    /// What a figure speaks of.
    pub scope: fn(Scope) -> &'static str,
    /// How sure it is.
    pub kind: fn(Kind) -> &'static str,
    /// Where it stands.
    pub source: fn(Source) -> String,
}

impl LaterText {
    /// The text in a language.
    pub(crate) const fn of(language: Language) -> &'static Self {
        match language {
            Language::Chinese => &zh::TEXT,
            Language::English => &en::TEXT,
        }
    }
}
