//! One chart to look at: its picture, read by pointer, touch and key, its legend, and a line that stands wherever a
//! chart with the same axis is read.

use leptos::html;
use leptos::prelude::*;
use model_core::chart::{Chart, ChartId, Entry, Form, Reading, Stop};
use model_core::draw::svg::{self, Ink};
use model_core::draw::{Fill, Paint};
use model_core::scenario::Key;
use model_core::scene::{Layout, Look};
use wasm_bindgen::JsCast;
use web_sys::{Element, KeyboardEvent, PointerEvent};

use super::drawn::draw_in_sight;
use super::page;
use super::stage::origin;
use crate::browser;
use crate::page::Page;

/// Where a chart is read, for every chart whose horizontal axis is that key.
#[derive(Clone, Copy, PartialEq)]
pub(super) struct Crossing {
    key: Key,
    value: f64,
    by: ChartId,
}

/// A chart that can be read.
#[derive(Clone, Copy)]
pub(super) struct Read {
    page: Page,
    /// Which chart.
    id: Signal<ChartId>,
    /// The chart, as it was when it was last in sight.
    pub chart: Memo<Chart>,
    /// What it is drawn for.
    pub look: Memo<Look>,
    /// Where it is read, if it is.
    pub stop: RwSignal<Option<Stop>>,
    /// What it says there.
    pub reading: Memo<Option<Reading>>,
    /// Where any chart beside it is read.
    crossing: RwSignal<Option<Crossing>>,
    /// Whether its picture is in sight.
    in_sight: RwSignal<bool>,
}

impl Read {
    /// A chart that shares its line with those of the same `crossing`. What nobody sees is derived when it comes into
    /// sight.
    pub(super) fn new(id: Signal<ChartId>, look: Memo<Look>, crossing: RwSignal<Option<Crossing>>) -> Self {
        let page = page();
        let stop = RwSignal::new(None::<Stop>);
        let in_sight = RwSignal::new(false);
        let chart = Memo::new(move |last: Option<&Chart>| match last {
            Some(last) if !in_sight.get() && last.id == id.get() => last.clone(),
            _ => page.with_basis(|basis| id.get().derive(basis)),
        });
        let other = Memo::new(move |_| {
            let crossing = crossing.get()?;
            chart.with(|chart| {
                let same = chart.axis() == Some(crossing.key) && chart.id != crossing.by;
                same.then_some(crossing.value)
            })
        });
        let reading = Memo::new(move |_| {
            let look = look.get();
            chart.with(|chart| {
                let at = stop.get().or_else(|| chart.stop_at(other.get()?))?;
                chart.read(at, look)
            })
        });
        Self { page, id, chart, look, stop, reading, crossing, in_sight }
    }

    /// The chart as it is now, for a file.
    pub(super) fn fresh(self) -> Chart {
        untrack(|| self.page.with_basis(|basis| self.id.get().derive(basis)))
    }

    /// Reads the chart at a place, or nowhere.
    fn at(self, stop: Option<Stop>) {
        self.stop.set(stop);
        let crossing = self.chart.with_untracked(|chart| {
            let reading = chart.read(stop?, self.look.get_untracked())?;
            Some(Crossing { key: chart.axis()?, value: reading.row, by: chart.id })
        });
        self.crossing.set(crossing);
    }

    /// Where its line stands: left, top and height in parts of a hundred of the picture's; nothing where it is not read.
    fn line(self) -> Option<[f64; 3]> {
        let look = self.look.get();
        self.chart.with(|chart| {
            let x = match self.stop.get() {
                Some(stop) => chart.place(look, stop)?.0,
                None => {
                    let crossing =
                        self.crossing.get().filter(|crossing| chart.axis() == Some(crossing.key))?;
                    chart.crosshair(look, crossing.value)?
                }
            };
            let [_, top, _, height] = chart.plot_area(look);
            let size = model_core::chart::Size::of(look.layout);
            Some([x / size.width, top / size.height, height / size.height].map(|part| part * 100.0))
        })
    }
}

/// The chart's picture; `name` tells its patterns from those of other pictures on the page.
#[component]
pub(super) fn ChartPicture(read: Read, name: &'static str) -> impl IntoView {
    let page = page();
    let Read { chart, look, stop, in_sight, .. } = read;
    let place: NodeRef<html::Div> = NodeRef::new();
    draw_in_sight(place, name, in_sight, move |picture| {
        let look = look.get();
        chart.with(|chart| picture.show(&chart.draw(look)));
    });
    let point = move |event: PointerEvent| {
        let target = event.current_target().and_then(|target| target.dyn_into::<Element>().ok());
        let Some(bounds) = target.map(|element| element.get_bounding_client_rect()) else { return };
        let look = look.get_untracked();
        let scale = model_core::chart::Size::of(look.layout).width / bounds.width().max(1.0);
        let (x, y) =
            (f64::from(event.client_x()) - bounds.left(), f64::from(event.client_y()) - bounds.top());
        read.at(chart.with_untracked(|chart| chart.nearest(look, (x * scale, y * scale))));
    };
    let keys = move |event: KeyboardEvent| {
        let by: isize = match event.key().as_str() {
            "ArrowRight" => 1,
            "ArrowLeft" => -1,
            "Escape" => return read.at(None),
            _ => return,
        };
        event.prevent_default();
        let next = chart.with_untracked(|chart| {
            let stops = chart.stops();
            let at = stop.get_untracked().or(chart.marked_stop());
            let at = at.and_then(|at| stops.iter().position(|stop| *stop == at));
            at.map_or(stops.first().copied(), |at| stops.get(at.saturating_add_signed(by)).copied())
        });
        if next.is_some() {
            read.at(next);
        }
    };
    let line = Memo::new(move |_| if in_sight.get() { read.line() } else { None });
    let part = move |index: usize| line.get().map(|line| format!("{:.2}%", line[index]));
    let shape = move || {
        let size = model_core::chart::Size::of(look.get().layout);
        format!("{} / {}", size.width, size.height)
    };
    view! {
        <div
            class="chart-picture"
            tabindex="0"
            role="group"
            aria-label=move || format!("{} — {}", chart.with(|chart| chart.id.title(look.get())), page.later_text().chart_keys)
            style:aspect-ratio=shape
            on:pointermove=point
            on:pointerdown=point
            on:pointerleave=move |_| read.at(None)
            on:keydown=keys
        >
            <div node_ref=place></div>
            <span
                class="crosshair"
                hidden=move || line.with(Option::is_none)
                style:left=move || part(0)
                style:top=move || part(1)
                style:height=move || part(2)
            ></span>
        </div>
    }
}

/// The chart as files: a picture that stands alone, with title and legend in it, and the numbers.
#[component]
pub(super) fn ChartFiles(read: Read) -> impl IntoView {
    let page = page();
    let file = move |kind: &str| format!("one-token-eight-gpus-{}.{kind}", read.id.get_untracked().name());
    let whole = move || {
        let wide = Look { layout: Layout::Wide, ..untrack(|| page.look()) };
        svg::write(&read.fresh().draw_whole(wide), Ink::Literal(page.theme.get_untracked()), &origin(page))
    };
    let save_svg = move |_| browser::download(&file("svg"), "image/svg+xml", &whole());
    let save_png = move |_| browser::download_picture(&file("png"), &whole());
    let save_csv = move |_| browser::download(&file("csv"), "text/csv", &read.fresh().csv());
    view! {
        <span class="exports">
            <button type="button" class="quiet" data-testid="save-chart" on:click=save_svg>"↓ "{move || page.later_text().save_svg}</button>
            <button type="button" class="quiet" on:click=save_png>"↓ PNG"</button>
            <button type="button" class="quiet" data-testid="save-csv" on:click=save_csv>"↓ "{move || page.later_text().save_csv}</button>
        </span>
    }
}

/// What a reader of the chart is told: the place read, or the whole of it.
pub(super) fn said(read: Read) -> String {
    let look = read.look.get();
    read.reading.with(|reading| match reading {
        Some(reading) => reading.sentence(look),
        None => read.chart.with(|chart| chart.description(look)),
    })
}

/// The chart's legend, with the values where it is read, else where the scenario stands.
#[component]
pub(super) fn Legend(read: Read) -> impl IntoView {
    let entries = move || {
        read.reading.with(|reading| match reading {
            Some(reading) => reading.entries.clone(),
            None => read.chart.with(|chart| chart.legend(read.look.get())),
        })
    };
    view! { <ul class="legend">{move || entries().into_iter().map(entry).collect_view()}</ul> }
}

/// One line of the legend: colour, pattern, name and value.
fn entry(entry: Entry) -> impl IntoView {
    view! {
        <li>
            {swatch(entry.fill, entry.form == Form::Line)}
            <span>{entry.name}</span>
            <span class="unit">{entry.shown}</span>
        </li>
    }
}

/// A small piece of a fill, thin where it stands for a line.
pub(super) fn swatch(fill: Fill, thin: bool) -> impl IntoView {
    let (pattern, paint) = match fill {
        Fill::Empty => ("", Paint::Mute),
        Fill::Solid(paint) => ("", paint),
        Fill::Hatched(paint) => (" hatched", paint),
        Fill::Dotted(paint) => (" dotted", paint),
    };
    let form = if thin { " thin" } else { "" };
    view! { <span class=format!("swatch{pattern}{form}") style:background-color=paint.css()></span> }
}
