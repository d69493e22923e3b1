//! The page's text in two languages: a typed catalogue, so that a missing text does not compile. Numbers never stand
//! here; they come from figures.

mod chapter;
mod en;
mod zh;

pub(crate) use chapter::{Chapter, name as chapter_name};

use model_core::figure::{Kind, Ledger, Scope, Source};
use model_core::language::Language;
use model_core::link::Room;
use model_core::scenario::{Key, Refusal};

/// Everything the page says.
pub(crate) struct Text {
    /// The page's name.
    pub title: &'static str,
    /// The other language, in its own words.
    pub other_language: &'static str,
    /// Label of the language button.
    pub switch_language: &'static str,
    /// Label of the theme button.
    pub switch_theme: &'static str,
    /// Label of the units switch.
    pub units: &'static str,
    /// Label of the ledger switch.
    pub ledger: &'static str,
    /// Names of the ledgers.
    pub ledger_name: fn(Ledger) -> &'static str,

    /// A chapter with its number.
    pub chapter: fn(u32) -> String,
    /// Label of the list of chapters.
    pub chapters: &'static str,
    /// Heading of a chapter's takeaways.
    pub takeaways_heading: &'static str,
    /// Heading of the details.
    pub details: &'static str,
    /// Below it: what the figures are.
    pub details_note: &'static str,

    /// How to use the stage by keyboard.
    pub stage_keys: &'static str,
    /// Plays a step.
    pub play: &'static str,
    /// Stops it.
    pub pause: &'static str,
    /// One step back.
    pub previous: &'static str,
    /// One step on.
    pub next: &'static str,
    /// Label of the segment bar.
    pub steps: &'static str,
    /// Said where motion is reduced.
    pub reduced_motion: &'static str,
    /// Saves the stage as it is.
    pub save_still: &'static str,
    /// Label of the scrubber.
    pub scrub: &'static str,
    /// Label of the speed.
    pub speed: &'static str,
    /// Label of the cards to look at closer.
    pub zoom: &'static str,
    /// Goes to the classroom view.
    pub present: &'static str,
    /// Asks the scene's question there.
    pub ask: &'static str,
    /// Leaves it.
    pub leave: &'static str,
    /// From an embedded scene to the whole page.
    pub open_page: &'static str,
    /// Heading of the worked calculation.
    pub worked: &'static str,
    /// Heading of the question.
    pub exercise: &'static str,
    /// Shows one more line of it.
    pub next_line: &'static str,
    /// Folds it again.
    pub from_start: &'static str,
    /// Before the reason of the right answer.
    pub right: &'static str,
    /// Before the reason of a wrong one.
    pub wrong: &'static str,
    /// Shows the answer.
    pub reveal: &'static str,
    /// Asks with other numbers.
    pub fresh_numbers: &'static str,
    /// Label of the pace.
    pub pace: &'static str,
    /// Steps play alike.
    pub pace_equal: &'static str,
    /// In proportion to real time.
    pub pace_true: &'static str,
    /// How much slower than on the GPUs.
    pub slowed: fn(&str) -> String,

    /// Heading of the key figures.
    pub key_figures: &'static str,
    /// A GPU needs, of what it has.
    pub of: &'static str,
    /// It fits.
    pub fits: &'static str,
    /// It does not fit.
    pub does_not_fit: &'static str,
    /// Before what is missing.
    pub short_by: &'static str,
    /// Before what is left.
    pub left: &'static str,
    /// Smallest cut that fits.
    pub smallest_cut: &'static str,
    /// There is none.
    pub no_cut: &'static str,
    /// After a number of GPUs.
    pub gpus: &'static str,
    /// Takes it.
    pub take_cut: &'static str,

    /// Heading of the controls.
    pub controls: &'static str,
    /// Names of the keys.
    pub key_name: fn(Key) -> &'static str,
    /// Unit after a key's value.
    pub key_unit: fn(Key) -> &'static str,
    /// A key's words; those that are terms stay as they are.
    pub key_word: fn(&'static str) -> &'static str,
    /// Label of the typed entry, after the key's name.
    pub typed: &'static str,
    /// Resets the scenario.
    pub reset: &'static str,

    /// Heading of the capacity table.
    pub capacity_heading: &'static str,
    /// Its columns.
    pub capacity_columns: [&'static str; 4],
    /// Sum of the parts.
    pub total: &'static str,
    /// Memory of the GPU.
    pub memory: &'static str,
    /// What is left.
    pub free: &'static str,
    /// What is missing.
    pub short: &'static str,
    /// What a ledger counts and what it leaves out.
    pub not_counted: fn(Ledger) -> &'static str,
    /// Heading of the table over contexts.
    pub contexts_heading: &'static str,
    /// Its columns.
    pub contexts_columns: [&'static str; 4],
    /// Yes and no.
    pub yes_no: [&'static str; 2],

    /// Heading of the chart.
    pub chart_heading: &'static str,
    /// How to read it.
    pub chart_note: &'static str,
    /// Heading of all charts.
    pub charts: &'static str,
    /// How to read them by key.
    pub chart_keys: &'static str,
    /// Shows a small chart large.
    pub enlarge: &'static str,
    /// Shows the chart's numbers as a table.
    pub as_table: &'static str,
    /// Saves it as SVG.
    pub save_svg: &'static str,
    /// Saves its data.
    pub save_csv: &'static str,
    /// The list of rooms, and their names in the order of `Room::ALL`.
    pub rooms: &'static str,
    pub room_names: [&'static str; Room::ALL.len()],
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
    pub bench_take: fn(Ledger) -> String,
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
    /// Copies a table, and what came of it.
    pub copy: &'static str,
    pub copied: &'static str,
    pub not_copied: &'static str,
    /// Copies the address, and the lines for somebody else's page.
    pub copy_link: &'static str,
    pub copy_embed: &'static str,
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

    /// Heading of the derivation.
    pub derivation: &'static str,
    /// Its rows: formula, values put in, speaks of, certainty, sources, name.
    pub derivation_rows: [&'static str; 6],
    /// Heading of what the other ledgers say of it.
    pub other_ledgers: &'static str,
    /// Where a value is given, not derived.
    pub given: &'static str,
    /// Closes it.
    pub close: &'static str,
    /// Names of figures.
    pub figure_name: fn(&str) -> &'static str,
    /// What a figure speaks of.
    pub scope: fn(Scope) -> &'static str,
    /// How sure it is.
    pub kind: fn(Kind) -> &'static str,
    /// Where it stands.
    pub source: fn(Source) -> String,

    /// Heading of what could not be taken.
    pub refused_heading: &'static str,
    /// One thing that could not be taken.
    pub refused: fn(&Refusal) -> String,
    /// Said when the other chapters could not be fetched.
    pub not_fetched: &'static str,
    /// Tries again.
    pub fetch_again: &'static str,
    /// Puts the notice away.
    pub dismiss: &'static str,
    /// At the foot of the page.
    pub footer: &'static str,
}

impl Text {
    /// A figure's name; its id where it has none in the page's words.
    pub(crate) fn name_of(&self, id: &'static str) -> &'static str {
        match (self.figure_name)(id) {
            "" => id,
            name => name,
        }
    }

    /// The text in a language.
    pub(crate) const fn of(language: Language) -> &'static Self {
        match language {
            Language::Chinese => &zh::TEXT,
            Language::English => &en::TEXT,
        }
    }
}
