//! Every chart of the scenario side by side, small: where one is read, all with the same axis are.

use leptos::prelude::*;
use model_core::chart::ChartId;
use model_core::scene::{Layout, Look};

use super::chart::{ChartPicture, Crossing, Legend, Read};
use super::page;

/// The gallery; a press on a chart's name shows it large.
#[component]
pub(super) fn Gallery(
    shown: Memo<ChartId>,
    choose: Callback<ChartId>,
    crossing: RwSignal<Option<Crossing>>,
) -> impl IntoView {
    let page = page();
    let look = Memo::new(move |_| Look { layout: Layout::Narrow, ..page.look() });
    let small = move |id: &ChartId| {
        let id = *id;
        let read = Read::new(Signal::stored(id), look, crossing);
        view! {
            <div class="small-chart" data-chart=id.name()>
                <h3>
                    <button
                        type="button"
                        class="take"
                        title=move || page.later_text().enlarge
                        aria-pressed=move || (shown.get() == id).to_string()
                        on:click=move |_| choose.run(id)
                    >
                        {move || id.title(page.look())}
                    </button>
                </h3>
                <ChartPicture read=read name=id.name() />
                <Legend read=read />
            </div>
        }
    };
    view! { <div class="gallery">{ChartId::ALL.iter().map(small).collect_view()}</div> }
}
