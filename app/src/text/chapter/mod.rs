//! The prose of the chapters, one scene a file, both languages side by side.

mod accounts;
mod allreduce;
mod caches;
mod decode;
mod dispatch;
mod experts;
mod journey;
mod kernel;
mod place;
mod prefill;
mod request;
mod waves;

use model_core::language::Language;
use model_core::scene::SceneId;

/// What stands beside a scene.
pub(crate) struct Chapter {
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

/// A chapter's short name, for lists of chapters.
pub(crate) const fn name(scene: SceneId, language: Language) -> &'static str {
    let [chinese, english] = match scene {
        SceneId::Request => ["一条请求", "A request"],
        SceneId::Place => ["摆放", "Placement"],
        SceneId::Prefill => ["预填充", "Prefill"],
        SceneId::Kernel => ["一个 kernel", "One kernel"],
        SceneId::Allreduce => ["张量并行", "Tensor parallelism"],
        SceneId::Experts => ["专家", "Experts"],
        SceneId::Dispatch => ["专家并行", "Expert parallel"],
        SceneId::Caches => ["缓存", "Caches"],
        SceneId::Decode => ["decode 循环", "Decode loop"],
        SceneId::Accounts => ["时间账", "Accounts"],
        SceneId::Waves => ["分波", "Waves"],
        SceneId::Journey => ["全程", "Whole journey"],
    };
    match language {
        Language::Chinese => chinese,
        Language::English => english,
    }
}

impl Chapter {
    /// Stands in until the prose has been fetched.
    pub(crate) const TO_COME: Self =
        Self { heading: "…", lead: "", takeaways: [""; 3], step_names: &[], step_texts: &[], details: &[] };

    /// That of the scene which the page opens with; it is always there.
    pub(crate) const fn first(language: Language) -> &'static Self {
        match language {
            Language::Chinese => &journey::ZH,
            Language::English => &journey::EN,
        }
    }

    /// The chapter of a scene in a language.
    pub(crate) const fn of(scene: SceneId, language: Language) -> &'static Self {
        match (scene, language) {
            (SceneId::Request, Language::Chinese) => &request::ZH,
            (SceneId::Request, Language::English) => &request::EN,
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
            (SceneId::Caches, Language::Chinese) => &caches::ZH,
            (SceneId::Caches, Language::English) => &caches::EN,
            (SceneId::Decode, Language::Chinese) => &decode::ZH,
            (SceneId::Decode, Language::English) => &decode::EN,
            (SceneId::Accounts, Language::Chinese) => &accounts::ZH,
            (SceneId::Accounts, Language::English) => &accounts::EN,
            (SceneId::Waves, Language::Chinese) => &waves::ZH,
            (SceneId::Waves, Language::English) => &waves::EN,
            (SceneId::Journey, Language::Chinese) => &journey::ZH,
            (SceneId::Journey, Language::English) => &journey::EN,
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
