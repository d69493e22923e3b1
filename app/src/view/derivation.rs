//! How a figure comes about: formula, values, certainty, sources, and what the other ledgers say of it, with the walk
//! from one to the other.

use leptos::html;
use leptos::prelude::*;
use model_core::derivation::{self, FormulaRow, OtherLedger, Step};
use model_core::format;

use super::math::Formula;
use super::page;
use crate::page::Page;

/// The dialog; open while a figure is.
#[component]
pub(super) fn Derivation() -> impl IntoView {
    let page = page();
    let dialog: NodeRef<html::Dialog> = NodeRef::new();
    let derived = Memo::new(move |_| {
        let id = page.open_figure.get()?;
        page.with_basis(|basis| derivation::of(&id, basis, page.look()))
    });
    // Follows what is asked for alone: while it is open, or being closed, the scenario may change under it.
    Effect::new(move |_| {
        let asked = page.open_figure.with(Option::is_some) && derived.with_untracked(Option::is_some);
        if let Some(dialog) = dialog.get_untracked() {
            if asked {
                // An error means that it is open already.
                let _ = dialog.show_modal();
            } else {
                dialog.close();
            }
        }
    });
    let close = move || {
        if let Some(dialog) = dialog.get_untracked() {
            dialog.close();
        }
    };
    // Told a turn after it was closed: by then the reader may have opened it for another figure.
    let closed = move |_| {
        if dialog.get_untracked().is_none_or(|dialog| !dialog.open()) {
            page.open_figure.set(None);
        }
    };
    view! {
        <dialog
            class="derivation"
            node_ref=dialog
            aria-label=move || page.later_text().derivation
            on:close=closed
        >
            {move || derived.get().map(|derived| body(page, derived))}
            <button type="button" class="strong" on:click=move |_| close()>
                {move || page.later_text().close}
            </button>
        </dialog>
    }
}

fn body(page: Page, derived: derivation::Derivation) -> impl IntoView {
    let (text, base) = (page.later_text(), page.base.get());
    let figure = derived.figure;
    let sources: Vec<String> = figure.sources.iter().map(|source| (text.source)(*source)).collect();
    let [symbols, values, scope, kind, stands, name] = text.derivation_rows;
    let formula = if derived.formula.is_empty() {
        view! { <Told name=symbols>{text.given}</Told> }.into_any()
    } else {
        let row = |(name, FormulaRow { text, math }): (&'static str, FormulaRow)| {
            view! { <Told name=name><Formula math=math text=text /></Told> }
        };
        [symbols, values].into_iter().zip(derived.formula).map(row).collect_view().into_any()
    };
    let shown = format::value(&figure.value, figure.unit, base);
    view! {
        <p class="eyebrow">{text.derivation}</p>
        <h2>{page.text().name_of(figure.id)}</h2>
        <p class="big">{shown.number}" "<span class="unit">{shown.unit}</span></p>
        <dl>
            {formula}
            <Told name=scope>{(text.scope)(figure.scope)}</Told>
            <Told name=kind>{(text.kind)(figure.kind)}</Told>
            <Told name=stands>{sources.join(" · ")}</Told>
            <Told name=name>{figure.id}</Told>
        </dl>
        <h3>{text.other_ledgers}</h3>
        {derived.others.into_iter().map(|other| in_other(page, other)).collect_view()}
    }
}

/// One thing that is told of a figure.
#[component]
fn Told(name: &'static str, children: Children) -> impl IntoView {
    view! {
        <div>
            <dt>{name}</dt>
            <dd>{children()}</dd>
        </div>
    }
}

/// What another ledger says, and how one comes from this figure to it.
fn in_other(page: Page, other: OtherLedger) -> impl IntoView {
    let text = page.text();
    let name = (text.ledger_name)(other.ledger);
    let shown = match &other.figure {
        Some(figure) => format::value(&figure.value, figure.unit, page.base.get()).to_string(),
        None => format::ABSENT.to_owned(),
    };
    let step = |step: &Step| {
        let shown = step.shown.to_string();
        view! {
            <li>
                <span>{step.words.clone()}</span>
                <span class="amount">{shown}</span>
            </li>
        }
    };
    let walk = other.walk.map(|walk| {
        view! {
            <ol class="walked">
                {walk.steps.iter().map(step).collect_view()}
                <li class="end">
                    <span>{name}</span>
                    <span class="amount">{walk.shown.to_string()}</span>
                </li>
            </ol>
        }
    });
    view! {
        <div class="other-ledger" data-other=other.ledger.name()>
            <p>
                <span>{name}</span>
                <strong>{shown}</strong>
            </p>
            {walk}
        </div>
    }
}
