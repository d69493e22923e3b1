//! How a figure comes about: formula, values put in, what it speaks of, how sure it is, and where that stands.

use leptos::html;
use leptos::prelude::*;
use model_core::format;

use super::page;

/// The dialog; it opens when a figure is pressed.
#[component]
pub(super) fn Derivation() -> impl IntoView {
    let page = page();
    let dialog: NodeRef<html::Dialog> = NodeRef::new();
    let figure = Memo::new(move |_| page.open_figure.get().and_then(|id| page.figure(&id)));
    Effect::new(move |_| {
        let (Some(dialog), true) = (dialog.get(), page.open_figure.with(Option::is_some)) else { return };
        if !dialog.open() {
            // Fails only where the dialog is open already or not in the page.
            let _ = dialog.show_modal();
        }
    });
    let close = move || {
        if let Some(dialog) = dialog.get_untracked() {
            dialog.close();
        }
    };
    let rows = move || {
        let text = page.text();
        let base = page.base.get();
        figure.get().map(|figure| {
            let formula = &figure.formula;
            let derived = !formula.template.is_empty();
            let or_given = |words: String| if derived { words } else { text.given.to_owned() };
            let sources: Vec<String> = figure.sources.iter().map(|source| (text.source)(*source)).collect();
            let values = [
                or_given(formula.symbolic()),
                or_given(formula.substituted(base)),
                (text.scope)(figure.scope).to_owned(),
                (text.kind)(figure.kind).to_owned(),
                sources.join(" · "),
                figure.id.to_owned(),
            ];
            let row = |(index, (name, value)): (usize, (&'static str, String))| {
                view! {
                    <div>
                        <dt>{name}</dt>
                        <dd class:formula=index < 2>{value}</dd>
                    </div>
                }
            };
            let shown = format::value(&figure.value, figure.unit, base);
            view! {
                <p class="eyebrow">{text.derivation}</p>
                <h2>{text.name_of(figure.id)}</h2>
                <p class="big">{shown.number}" "<span class="unit">{shown.unit}</span></p>
                <dl>{text.derivation_rows.into_iter().zip(values).enumerate().map(row).collect_view()}</dl>
            }
        })
    };
    view! {
        <dialog
            class="derivation"
            node_ref=dialog
            aria-label=move || page.text().derivation
            on:close=move |_| page.open_figure.set(None)
        >
            {rows}
            <button type="button" class="strong" on:click=move |_| close()>
                {move || page.text().close}
            </button>
        </dialog>
    }
}
