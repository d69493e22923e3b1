//! The prose of the chapters, one scene a file, both languages side by side.

mod allreduce;
mod dispatch;
mod experts;
mod kernel;
mod place;
mod prefill;

use model_core::language::Language;
use model_core::scene::SceneId;

/// What stands beside a scene.
pub(crate) struct Chapter {
    /// Its short name, for lists of chapters.
    pub name: &'static str,
    /// The heading.
    pub heading: &'static str,
    /// The first paragraph.
    pub lead: &'static str,
    /// Three things to take away.
    pub takeaways: [&'static str; 3],
    /// The steps by name.
    pub step_names: &'static [&'static str],
    /// What happens in each; `{…}` stand for values.
    pub step_texts: &'static [&'static str],
    /// Figures listed under "engineering details"; those the ledger lacks are left out.
    pub details: &'static [&'static str],
}

impl Chapter {
    /// The chapter of a scene in a language.
    pub(crate) const fn of(scene: SceneId, language: Language) -> &'static Self {
        match (scene, language) {
            (SceneId::Place, Language::Chinese) => &place::ZH,
            (SceneId::Place, Language::English) => &place::EN,
            (SceneId::Prefill, Language::Chinese) => &prefill::ZH,
            (SceneId::Prefill, Language::English) => &prefill::EN,
            (SceneId::Kernel, Language::Chinese) => &kernel::ZH,
            (SceneId::Kernel, Language::English) => &kernel::EN,
            (SceneId::Experts, Language::Chinese) => &experts::ZH,
            (SceneId::Experts, Language::English) => &experts::EN,
            (SceneId::Dispatch, Language::Chinese) => &dispatch::ZH,
            (SceneId::Dispatch, Language::English) => &dispatch::EN,
            (SceneId::Allreduce, Language::Chinese) => &allreduce::ZH,
            (SceneId::Allreduce, Language::English) => &allreduce::EN,
        }
    }

    /// The name of a step; nothing past the end.
    pub(crate) fn step_name(&self, step: usize) -> &'static str {
        self.step_names.get(step).copied().unwrap_or_default()
    }

    /// What happens in a step; nothing past the end.
    pub(crate) fn step_text(&self, step: usize) -> &'static str {
        self.step_texts.get(step).copied().unwrap_or_default()
    }
}
