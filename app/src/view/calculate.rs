//! The room of those who size a deployment: every value as a control, the verdict, every table, the charts.

use leptos::prelude::*;
use model_core::chart::ChartId;
use model_core::link::Room;
use model_core::scenario::Key;
use model_core::scene::Layout;
use model_core::table::{TableId, presets};

use super::compare::Pin;
use super::controls::{Control, Reset};
use super::data_table::DataTable;
use super::files::{Files, Opener};
use super::share::Share;
use super::when_seen::WhenSeen;
use super::{address, capacity, charts, key_figures, page, print_head};
use crate::browser;

/// The controls by what they speak of; what is in no group stands under the last heading, folded.
const GROUPS: [&[Key]; 4] = [
    &[Key::Model, Key::Gpu, Key::GpuMemoryGib],
    &[Key::Layout, Key::Tp, Key::Ep, Key::Pp, Key::Gpus, Key::KvPlacement],
    &[Key::Context, Key::Batch, Key::Prefix, Key::Chunk],
    &[Key::KvRows, Key::Link, Key::MemoryReading, Key::ReserveGb, Key::Draw, Key::LatencyUsPerLayer],
];

/// The room.
#[component]
pub(super) fn Calculate() -> impl IntoView {
    let page = page();
    let address = address();
    let opener = Opener::new();
    // On a phone the results stand right under the names of the groups.
    let unfolded = untrack(|| page.look()).layout == Layout::Wide;
    let acting = move |key: &Key| key.acts_in(page.ledger.get());
    let group = move |index: usize, keys: &'static [Key]| {
        view! {
            <details class="card inputs-group" open=unfolded>
                <summary>{move || page.later_text().groups[index]}</summary>
                {move || keys.iter().copied().filter(acting).map(|key| view! { <Control key=key /> }).collect_view()}
            </details>
        }
    };
    let rest = move || {
        let grouped = |key: &Key| GROUPS.iter().any(|keys| keys.contains(key));
        let rest = Key::ALL.into_iter().filter(|key| acting(key) && !grouped(key));
        rest.map(|key| view! { <Control key=key /> }).collect_view()
    };
    let take = move |event: web_sys::Event| {
        let name = event_target_value(&event);
        if let Some(preset) = presets().iter().find(|preset| preset.name == name) {
            address.change(page, false, || page.take_case(preset.query));
        }
        browser::unselect(&event);
    };
    let case = move |index: usize| {
        let preset = &presets()[index];
        view! { <option value=preset.name>{move || preset.title(page.look())}</option> }
    };
    Effect::new(|_| browser::mark("data-ready"));
    view! {
        <main class="calculate" on:dragover=|event| event.prevent_default() on:drop=move |event| opener.dropped(&event)>
            <h1 class="visually-hidden">{move || page.text().room_names[Room::Calculate as usize]}</h1>
            <aside class="inputs" aria-label=move || page.later_text().inputs>
                <label class="card inputs-group">
                    <span class="inputs-name">{move || page.later_text().presets}</span>
                    <select class="pick" data-testid="preset" aria-label=move || page.later_text().presets on:change=take>
                        <option value="">"…"</option>
                        {(0..presets().len()).map(case).collect_view()}
                    </select>
                </label>
                {GROUPS.iter().enumerate().map(|(index, keys)| group(index, keys)).collect_view()}
                <details class="card inputs-group">
                    <summary>{move || page.later_text().groups[GROUPS.len()]}</summary>
                    {rest}
                </details>
                <section class="card inputs-group takeaway" aria-label=move || page.later_text().hand_on>
                    <Pin goes=true />
                    <Share />
                    <Files opener=opener />
                    <button type="button" class="quiet" data-testid="print" on:click=move |_| browser::print()>
                        {move || page.later_text().print}
                    </button>
                    <Reset />
                </section>
            </aside>
            <div class="results">
                <print_head::PrintHead keys=&GROUPS />
                <key_figures::KeyFigures />
                <WhenSeen>
                    <capacity::Capacity />
                </WhenSeen>
                {TableId::ALL.iter().map(|id| view! { <WhenSeen><DataTable id=*id /></WhenSeen> }).collect_view()}
                <WhenSeen>
                    <charts::Charts first=ChartId::MemoryContext all=true />
                </WhenSeen>
            </div>
        </main>
    }
}
