//! What a reader does beside a scene: steps a calculation line by line, and answers a question with fresh numbers.
//! Fetched when it is first unfolded.

use leptos::prelude::*;
use model_core::format;
use model_core::scene::SceneId;
use model_core::scene::exercise::Exercise;
use model_core::scene::worked::{Line, Worked};

use super::page;

/// The scene's worked calculation, one more line at each press.
#[component]
pub(super) fn Calculation() -> impl IntoView {
    let page = page();
    let worked = Memo::new(move |_| {
        let look = page.look();
        page.derived.with(|scene| scene.as_ref().map(|scene| scene.worked(look)))
    });
    let shown = RwSignal::new(1_usize);
    Effect::new(move |_| {
        page.scene.track();
        shown.set(1);
    });
    let none = move || shown.get() <= 1;
    let count = move || worked.with(|worked| worked.as_ref().map_or(0, |worked| worked.lines.len()));
    let all = move || shown.get() >= count();
    view! {
        <p class="worked-title">{move || worked.with(|worked| worked.as_ref().map(|worked| worked.title.clone()))}</p>
        <ol class="worked" aria-live="polite">
            {move || worked.with(|worked| worked.as_ref().map(|worked| written(worked, shown.get())))}
        </ol>
        <p class="practice-keys">
            <button
                type="button"
                class="strong"
                data-testid="next-line"
                disabled=all
                on:click=move |_| shown.update(|shown| *shown += 1)
            >
                {move || page.later_text().next_line}
            </button>
            <button type="button" class="quiet" disabled=none on:click=move |_| shown.set(1)>
                {move || page.later_text().from_start}
            </button>
            <span class="note">{move || format!("{} / {}", shown.get().min(count()), count())}</span>
        </p>
    }
}

/// The first lines of a calculation.
fn written(worked: &Worked, lines: usize) -> AnyView {
    let base = page().base.get();
    let line = |line: &Line| {
        let value = format::value(&line.value, line.unit, base);
        let number = line.value.number().map(|number| number.to_string()).unwrap_or_default();
        let formula = (!line.formula.template.is_empty()).then(|| {
            view! {
                <span class="formula">{line.formula.symbolic()}</span>
                <span class="formula">{format!("= {}", line.formula.substituted(base))}</span>
            }
        });
        view! {
            <li>
                <span>{line.text.clone()}</span>
                {formula}
                <span class="formula came-to" data-line=line.figure.unwrap_or("") data-value=number>
                    {format!("= {value}")}
                </span>
            </li>
        }
    };
    worked.lines.iter().take(lines).map(line).collect_view().into_any()
}

/// A question of the scene with four answers; the reasons and the way there once one is chosen.
#[component]
pub(super) fn Question(
    /// Whether the answer is shown; whoever asks may set it.
    answered: RwSignal<bool>,
) -> impl IntoView {
    let page = page();
    let draw = RwSignal::new(1_u64);
    let picked = RwSignal::new(None::<usize>);
    let exercise = Memo::new(move |_| {
        let (draw, look) = (draw.get(), page.look());
        page.derived.with(|scene| scene.as_ref().map(|scene| scene.exercise(draw, look)))
    });
    let afresh = move || {
        picked.set(None);
        answered.set(false);
    };
    Effect::new(move |before: Option<SceneId>| {
        let scene = page.scene.get();
        if before.is_some_and(|before| before != scene) {
            afresh();
        }
        scene
    });
    let asked = move |exercise: &Exercise| {
        let base = page.base.get();
        let right = exercise.answer;
        let unit = exercise.unit;
        let choice = |(index, choice): (usize, &model_core::scene::exercise::Choice)| {
            let (value, why) = (choice.value, choice.why.clone());
            let verdict = move || {
                let text = page.later_text();
                answered.get().then_some(if value == right { text.right } else { text.wrong })
            };
            view! {
                <li
                    class:right=move || answered.get() && value == right
                    class:picked=move || picked.get() == Some(index)
                >
                    <button
                        type="button"
                        data-value=value.to_string()
                        aria-pressed=move || (picked.get() == Some(index)).to_string()
                        on:click=move |_| {
                            picked.set(Some(index));
                            answered.set(true);
                        }
                    >
                        {format::value(&model_core::figure::Value::Number(value), unit, base).to_string()}
                    </button>
                    <span class="why">{verdict}" "{move || answered.get().then(|| why.clone())}</span>
                </li>
            }
        };
        let solution = exercise.solution.clone();
        view! {
            <p class="question">{exercise.question.clone()}</p>
            <ol class="choices">{exercise.choices.iter().enumerate().map(choice).collect_view()}</ol>
            {move || {
                answered
                    .get()
                    .then(|| view! { <ol class="worked" data-testid="solution">{written(&solution, usize::MAX)}</ol> })
            }}
        }
    };
    view! {
        {move || exercise.with(|exercise| exercise.as_ref().map(asked))}
        <p class="practice-keys">
            <button
                type="button"
                class="strong"
                data-testid="reveal"
                disabled=move || answered.get()
                on:click=move |_| answered.set(true)
            >
                {move || page.later_text().reveal}
            </button>
            <button
                type="button"
                class="quiet"
                data-testid="fresh"
                on:click=move |_| {
                    draw.update(|draw| *draw += 1);
                    afresh();
                }
            >
                {move || page.later_text().fresh_numbers}
            </button>
        </p>
    }
}
