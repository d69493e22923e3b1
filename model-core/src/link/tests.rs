//! Addresses are read, written and read again; what cannot be taken is told.

use super::*;
use crate::chart::ChartId;
use crate::compare::Which;
use crate::ledger::Topic;
use crate::reality::{Facet, Filter};
use crate::scenario::refusal::Dimension;
use crate::spec::v4_pro;
use proptest::prelude::*;

fn read(query: &str) -> (Link, Vec<Refusal>) {
    Link::read(query)
}

#[test]
fn the_default_has_an_empty_address() {
    assert_eq!(Link::default().write(), "");
    assert_eq!(read("").0, Link::default());
    assert_eq!(read("?context=32768&tp=8").0.write(), "");
}

#[test]
fn an_address_returns_as_it_was() {
    let query =
        "tp=16&context=131072&batch=32&gpu_memory_gib=141.5&units=gb&lang=en&theme=dark&step=3&t=0.250";
    let (link, refusals) = read(query);
    assert_eq!(refusals, []);
    assert_eq!(link.write(), query);
    assert_eq!(link.moment, Moment { step: 2, t: 0.25 });
}

#[test]
fn rubbish_is_named_and_the_default_stays() {
    let cases = [
        ("context=", Reason::Empty),
        ("context=abc", Reason::NotANumber),
        ("context=NaN", Reason::NotANumber),
        ("context=1e99", Reason::NotANumber),
        ("context=999999999999999999999", Reason::Above(1_048_576.0)),
        ("context=-5", Reason::Below(1.0)),
        ("context=%FF%FE", Reason::NotANumber),
        ("context=%E4%B8%89%E4%B8%87", Reason::NotANumber),
        ("context=１２８", Reason::NotANumber),
        ("tp=3", Reason::CannotCut(Dimension::OutputGroups, 16)),
        ("tp=32", Reason::CannotCut(Dimension::OutputGroups, 16)),
        ("comm_dtype=fp16", Reason::NotOneOf(&["fp32", "bf16"])),
        ("lang=fr", Reason::NotOneOf(LANGUAGES)),
        ("room=attic", Reason::NotOneOf(Room::NAMES)),
        ("scene=nowhere", Reason::NotOneOf(SceneId::NAMES)),
        ("step=9", Reason::Above(8.0)),
        ("t=2", Reason::Above(1.0)),
        ("v=", Reason::Empty),
        ("v=0", Reason::Below(1.0)),
        ("v=2", Reason::NewerForm(1)),
        ("rows=hardware-H900", Reason::NoSuchRows(Some(Facet::Hardware))),
        ("rows=colour-red", Reason::NoSuchRows(None)),
        ("rows=plan-tp.engine-", Reason::NoSuchRows(None)),
        ("with=context%3Dabc", Reason::NotANumber),
        ("with=ledger%3Dother", Reason::NotOneOf(LEDGERS)),
        ("with=contxt%3D8", Reason::UnknownKey),
        ("with=batch%3D8%26batch%3D9", Reason::Repeated),
        ("with=tp%3D3", Reason::CannotCut(Dimension::OutputGroups, 16)),
        ("with=with%3Dbatch%253D16", Reason::UnknownKey),
    ];
    for (query, reason) in cases {
        let (link, refusals) = read(query);
        assert_eq!(refusals.iter().map(|refusal| refusal.reason).collect::<Vec<_>>(), [reason], "{query}");
        assert_eq!(link, Link::default(), "{query}");
    }
}

#[test]
fn a_room_is_named_where_it_is_not_the_first() {
    let (link, refusals) = read("room=calculate&scene=place");
    assert_eq!(
        (link.room, link.write().as_str(), refusals),
        (Room::Calculate, "room=calculate&scene=place", vec![])
    );
    assert_eq!(read("room=walk").0.write(), "");
}

#[test]
fn rows_are_filtered_by_the_address() {
    let query = "room=reality&rows=hardware-H200.plan-tp";
    let (link, refusals) = read(query);
    assert_eq!((link.write().as_str(), refusals), (query, vec![]));
    assert_eq!(
        (link.shown.rows.hardware, link.shown.rows.plan, link.shown.rows.engine),
        (Some("H200"), Some("tp"), None)
    );
    assert_eq!(read("rows=").0, Link::default());
    let refusals = read("rows=plan-tp.speculation-luck").1;
    assert_eq!(refusals[0].given, "luck");
    for language in [Language::Chinese, Language::English] {
        assert!(refusals[0].say(language).contains("EAGLE"), "what there is instead is named");
    }
}

#[test]
fn compared_scenarios_stand_one_by_one() {
    let query = "with=ledger%3Dexact%26gpu%3Db300%26context%3D1048576%26batch%3D16&with=&room=compare";
    let (link, refusals) = read(query);
    assert_eq!((link.write().as_str(), refusals), (query, vec![]));
    let [first, second] = &link.compared[..] else { panic!("{link:?}") };
    assert_eq!(first.write(), "ledger=exact&gpu=b300&context=1048576&batch=16");
    assert_eq!((first.ledger, *second == Compared::default()), (Ledger::Exact, true));
    // What an address says of its view compares nothing.
    let whole = Compared::read("?ledger=report&units=gb&lang=en&scene=place&step=2&context=32768").unwrap();
    assert_eq!(whole.write(), "ledger=report&context=32768&units=gb");
}

#[test]
fn a_compared_scenario_that_cannot_be_taken_leaves_the_others() {
    let (link, refusals) = read("with=batch%3D16&with=batch%3D0&with=batch%3D32&with=batch%3D64");
    let batches: Vec<_> = link.compared.iter().map(|one| one.scenario.chosen(Key::Batch)).collect();
    assert_eq!(batches, [16, 32].map(|batch| Some(Setting::Whole(batch))));
    assert_eq!(
        refusals,
        [
            Refusal::new("batch", "0", Reason::Below(1.0)).within(2),
            Refusal::new("with", "batch=64", Reason::TooMany(3)),
        ]
    );
    assert_eq!(refusals[0].to_string(), "with 2, batch: “0” is below 1");
    assert_eq!(refusals[1].to_string(), "with: at most 3 stand beside the first, “batch=64” was left out");
}

#[test]
fn an_address_of_a_newer_form_is_read_as_far_as_it_is_known() {
    let (link, refusals) = read("v=7&batch=16&something=new");
    assert_eq!(link.scenario.chosen(Key::Batch), Some(Setting::Whole(16)));
    assert_eq!(refusals, [Refusal::new("v", "7", Reason::NewerForm(1))]);
    assert_eq!(read("v=1&batch=16").1, []);
    assert_eq!(link.write(), "batch=16");
}

#[test]
fn other_views_name_their_scene() {
    for (query, view) in [("embed=kernel", View::Embed), ("present=place", View::Present)] {
        let (link, refusals) = read(query);
        assert_eq!((link.view, link.write().as_str(), refusals), (view, query, vec![]));
    }
    let (link, refusals) = read("embed=nowhere");
    assert_eq!((link.view, link.scene), (View::Embed, SceneId::default()));
    assert_eq!(refusals.len(), 1);
}

#[test]
fn the_first_of_a_repeated_key_counts() {
    let (link, refusals) = read("batch=16&batch=32&foreign=1&foreign=2");
    assert_eq!(link.scenario.chosen(Key::Batch), Some(Setting::Whole(16)));
    assert_eq!(refusals, [Refusal::new("batch", "32", Reason::Repeated)]);
}

#[test]
fn the_words_of_refusals_are_all_the_words() {
    assert_eq!(Ledger::ALL.map(Ledger::name), LEDGERS);
}

proptest! {
    #[test]
    fn any_text_is_read(query in "\\PC*") {
        let (link, _) = read(&query);
        prop_assert_eq!(read(&link.write()).0, link);
    }

    #[test]
    fn any_bytes_after_our_keys_are_read(
        key in prop::sample::select(vec![
            "context", "batch", "tp", "gpu_memory_gib", "comm_dtype", "ledger", "units", "lang", "theme", "scene",
            "step", "t", "with", "v", "room", "rows",
        ]),
        value in prop_oneof![
            "[-+0-9eE.,_ KMkm]{0,24}",
            "(%[0-9A-Fa-f]{0,2}){0,8}",
            "[零一二三四五六七八九十百千万０-９]{0,6}",
            "\\PC{0,12}",
            Just("NaN".to_owned()), Just("inf".to_owned()), Just("1e99".to_owned()), Just("-0".to_owned()),
        ],
    ) {
        let (link, refusals) = read(&format!("{key}={value}"));
        // An ampersand in the value begins another key.
        prop_assert!(refusals.len() <= value.split('&').count());
        let spec = v4_pro();
        let report = crate::ledger::report(link.ledger, &link.scenario, &spec);
        for figure in report.figures() {
            prop_assert!(figure.value.number().is_none_or(|n| n.is_finite() && n >= 0.0), "{}", figure.id);
        }
        prop_assert_eq!(read(&link.write()).0, link);
    }

    #[test]
    fn filters_return_as_they_were(picked in prop::collection::vec(0..12_usize, Facet::ALL.len())) {
        let (language, base) = (Language::English, ByteBase::Binary);
        let look = crate::scene::Look { layout: crate::scene::Layout::Wide, language, base };
        let mut rows = Filter::default();
        for (facet, index) in Facet::ALL.into_iter().zip(picked) {
            let choices = facet.choices(look);
            let code = choices[index % choices.len()].code;
            prop_assert!(rows.set(facet, code.unwrap_or("")).is_ok());
        }
        let (link, refusals) = read(&Link { shown: Shown { rows, ..Shown::default() }, ..Link::default() }.write());
        prop_assert_eq!((link.shown.rows, refusals), (rows, vec![]));
    }

    #[test]
    fn compared_scenarios_return_as_they_were(
        given in prop::collection::vec(
            (
                prop::collection::vec((prop::sample::select(Key::ALL.to_vec()), "\\PC{0,6}|[0-9]{1,7}|[0-9.]{1,6}"), 0..6),
                prop::sample::select(Ledger::ALL.to_vec()),
                prop::sample::select(vec![ByteBase::Binary, ByteBase::Decimal]),
                prop::collection::vec((prop::sample::select(Key::ALL.to_vec()), 0..8_usize), 0..4),
            ),
            0..5,
        ),
    ) {
        let mut query = Serializer::new(String::new());
        let mut asked = Vec::new();
        for (texts, ledger, base, words) in given {
            let mut scenario = Scenario::default();
            for (key, text) in texts {
                let _ = scenario.choose_text(key, &text);
            }
            for (key, index) in words {
                if let Bound::OneOf(words) = key.bound() {
                    let _ = scenario.choose_text(key, words.get(index).copied().unwrap_or(""));
                }
            }
            let compared = Compared::new(&scenario, ledger, base);
            query.append_pair(WITH, &compared.write());
            asked.push(compared);
        }
        let (link, refusals) = read(&query.finish());
        prop_assert_eq!(link.compared.len() + refusals.len(), asked.len());
        prop_assert!(link.compared.iter().all(|one| asked.contains(one)));
        let (again, refusals) = read(&link.write());
        prop_assert_eq!((again, refusals), (link, vec![]));
    }
}

#[test]
fn what_the_rooms_show_is_read_and_written() {
    for query in
        ["chart=roofline", "figures=all", "way=cache_per_gpu", "chart=heat&figures=all&way=weights_per_gpu"]
    {
        let (link, refusals) = read(query);
        assert_eq!((link.write(), refusals), (query.to_owned(), vec![]));
    }
    assert_eq!(read("figures=differing").0, Link::default());
    for (query, words) in
        [("chart=pie", ChartId::NAMES), ("figures=some", Which::NAMES), ("way=up", Topic::NAMES)]
    {
        let (link, refusals) = read(query);
        assert_eq!(link, Link::default());
        assert_eq!(refusals.len(), 1);
        assert_eq!(refusals[0].reason, Reason::NotOneOf(words));
    }
    for name in ChartId::NAMES {
        assert_eq!(ChartId::from_name(name).map(ChartId::name), Some(*name));
    }
    for name in Topic::NAMES {
        assert_eq!(Topic::from_name(name).map(Topic::name), Some(*name));
    }
    // What stands beside the address's own scenario has no view of its own.
    assert_eq!(Compared::read("batch=9&chart=heat").unwrap().write(), "batch=9");
}

#[test]
fn the_room_of_measurements_keeps_what_the_exact_ledger_would_take_otherwise() {
    let (ledger, key) = (Ledger::Report, Key::Context);
    let default = |ledger| Scenario::default().in_force(key, ledger).to_string();
    let own = default(ledger);
    assert_ne!(own, default(Ledger::Exact));
    let query = format!("ledger=report&context={own}&room=reality");
    let (link, refusals) = read(&query);
    assert_eq!((link.write(), refusals), (query, vec![]));
    assert_eq!(Link { room: Room::Calculate, ..link }.write(), "ledger=report&room=calculate");
}
