//! What a reader brings and takes as a file: the scenario with all its figures, or a model's configuration, by choosing,
//! pasting or dropping it.

use leptos::html;
use leptos::prelude::*;
use model_core::file::{self, Opened, Place, Reason, Refused};
use model_core::scenario::Key;
use wasm_bindgen::JsCast;
use web_sys::{DragEvent, File, HtmlInputElement};

use super::{address, page};
use crate::address::Address;
use crate::browser;
use crate::page::Page;

/// Opens what a reader brings, and keeps what is to be said of it.
#[derive(Clone, Copy)]
pub(super) struct Opener {
    page: Page,
    address: Address,
    said: RwSignal<Said>,
}

/// What came of the last file.
#[derive(Clone, Default, PartialEq)]
struct Said {
    refused: bool,
    lines: Vec<String>,
}

impl Opener {
    pub(super) fn new() -> Self {
        Self { page: page(), address: address(), said: RwSignal::new(Said::default()) }
    }

    /// Takes what the bytes hold, or says why not and changes nothing.
    fn take(self, bytes: &[u8]) {
        let page = self.page;
        let language = page.language.get_untracked();
        let said = match file::read_bytes(bytes) {
            Ok(opened) => Said { refused: false, lines: self.show(opened) },
            Err(refused) => Said { refused: true, lines: vec![refused.say(language)] },
        };
        let _ = self.said.try_set(said);
    }

    /// Shows what was opened; gives back what is to be told of it.
    fn show(self, opened: Opened) -> Vec<String> {
        let page = self.page;
        let look = untrack(|| page.look());
        let text = untrack(|| page.later_text());
        let mut lines = vec![text.opened.to_owned()];
        self.address.change(page, false, || match opened {
            Opened::Scenario { scenario, ledger, base, model } => {
                page.refusals.set(Vec::new());
                lines.extend(model.iter().flat_map(|model| model.notes(look)));
                page.own_model.set(model);
                page.scenario.set(*scenario);
                page.ledger.set(ledger);
                page.base.set(base);
            }
            Opened::Model(model) => {
                let ledger = page.ledger.get_untracked();
                let (scenario, refusals) =
                    page.scenario.with_untracked(|scenario| model.fit(ledger, scenario));
                lines.extend(model.notes(look));
                page.own_model.set(Some(model));
                page.scenario.set(scenario);
                page.refusals.set(refusals);
            }
            Opened::BuiltIn(model) => {
                page.own_model.set(None);
                page.choose_text(Key::Model, model.word());
            }
        });
        lines
    }

    /// Reads a file and takes it.
    fn open(self, file: &File) {
        // A longer one is not even read.
        if file.size() > file::MAX_BYTES as f64 {
            let refused = Refused { place: Place::Whole, reason: Reason::TooLong(file.size() as usize) };
            let lines = vec![refused.say(self.page.language.get_untracked())];
            return self.said.set(Said { refused: true, lines });
        }
        browser::bytes_of(file, move |bytes| self.take(&bytes));
    }

    /// Takes the first file that is dropped.
    pub(super) fn dropped(self, event: &DragEvent) {
        let files = event.data_transfer().and_then(|transfer| transfer.files());
        if let Some(file) = files.and_then(|files| files.get(0)) {
            event.prevent_default();
            self.open(&file);
        }
    }
}

/// The buttons, the entry to paste into, and what came of it.
#[component]
pub(super) fn Files(opener: Opener) -> impl IntoView {
    let page = page();
    let pasted: NodeRef<html::Textarea> = NodeRef::new();
    let save = move |_| {
        let text = page.with_basis(|basis| file::write(basis, page.base.get_untracked()));
        browser::download("one-token-eight-gpus.json", "application/json", &text);
    };
    let choose = move |event: web_sys::Event| {
        let input = event.target().and_then(|target| target.dyn_into::<HtmlInputElement>().ok());
        let Some(input) = input else { return };
        if let Some(file) = input.files().and_then(|files| files.get(0)) {
            opener.open(&file);
        }
        // The same file can be chosen again.
        input.set_value("");
    };
    let paste = move |_| {
        if let Some(entry) = pasted.get_untracked() {
            opener.take(entry.value().as_bytes());
        }
    };
    let own = move || page.own_model.with(|own| own.as_ref().map(|own| own.spec.name));
    view! {
        <button type="button" class="quiet" data-testid="save-json" on:click=save>"↓ JSON"</button>
        <label class="quiet pressed">
            {move || page.later_text().open_file}
            <input type="file" class="visually-hidden" accept=".json,application/json" data-testid="open-file" on:change=choose />
        </label>
        <details class="paste">
            <summary class="quiet">{move || page.later_text().paste}</summary>
            <textarea
                node_ref=pasted
                rows="5"
                spellcheck="false"
                data-testid="paste"
                aria-label=move || page.later_text().paste
                placeholder=move || page.later_text().paste_hint
            ></textarea>
            <button type="button" class="quiet" data-testid="take-pasted" on:click=paste>
                {move || page.later_text().take}
            </button>
        </details>
        <div class="file-said" role="status" data-testid="file-said" class:bad=move || opener.said.with(|said| said.refused)>
            {move || {
                let line = |line: String| view! { <p class="note">{line}</p> };
                opener.said.get().lines.into_iter().map(line).collect_view()
            }}
        </div>
        <Show when=move || own().is_some()>
            <p class="own-model" data-testid="own-model">
                <span>{move || page.later_text().own_model}" "<strong>{own}</strong></span>
                <button type="button" class="quiet" on:click=move |_| page.leave_own_model()>
                    {move || page.later_text().leave_own_model}
                </button>
            </p>
        </Show>
    }
}
