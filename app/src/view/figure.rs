//! A figure on the page: its number, its unit smaller, its value for scripts, and its derivation at a press.

use leptos::prelude::*;
use model_core::figure::{Figure, Unit};
use model_core::format::{self, Shown};
use model_core::units::Bytes;
use wasm_bindgen::JsCast;
use web_sys::{Element, MouseEvent};

use super::page;
use crate::page::Page;

/// How a size is shown.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum Scale {
    /// In the unit that fits it.
    #[default]
    Fitting,
    /// In GiB or GB, for columns that are compared.
    Giga,
}

fn shown(page: Page, figure: Option<&Figure>, scale: Scale) -> Shown {
    let base = page.base.get();
    match figure {
        Some(figure) => match (scale, figure.unit, figure.value.number()) {
            (Scale::Giga, Unit::Bytes, Some(bytes)) => format::giga(Bytes(bytes), base),
            _ => format::value(&figure.value, figure.unit, base),
        },
        None => Shown { number: format::ABSENT.to_owned(), unit: "" },
    }
}

/// A figure of the present report by its id.
#[component]
pub(super) fn Fig(id: &'static str, #[prop(optional)] scale: Scale) -> impl IntoView {
    let page = page();
    let figure = Memo::new(move |_| page.figure(id));
    let text = move || figure.with(|figure| shown(page, figure.as_ref(), scale));
    let value = move || {
        figure.with(|figure| {
            let number = figure.as_ref().and_then(|figure| figure.value.number());
            number.map(|number| number.to_string()).unwrap_or_default()
        })
    };
    view! {
        <button
            type="button"
            class="figure"
            data-figure=id
            data-value=value
            title=move || page.text().name_of(id)
            on:click=move |_| page.open_figure.set(Some(id.to_owned()))
        >
            <span class="number">{move || text().number}</span>
            <span class="unit">{move || text().unit}</span>
        </button>
    }
}

/// Opens the derivation of the figure that was pressed, on a button in a table or as a mark of the stage.
pub(super) fn open_pressed(page: Page, event: &MouseEvent) {
    let target = event.target().and_then(|target| target.dyn_into::<Element>().ok());
    let figure = target.and_then(|target| target.closest("button.figure, svg [data-figure]").ok().flatten());
    if let Some(id) = figure.and_then(|figure| figure.get_attribute("data-figure")) {
        page.open_figure.set(Some(id));
    }
}
