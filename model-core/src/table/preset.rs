//! Cases by name: those that the two documents work out, and their like in the exact ledger.

use crate::scene::{Look, Text};

/// A case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Preset {
    /// Its name for test hooks.
    pub name: &'static str,
    /// What it is called, in both languages.
    pub words: Text,
    /// The link's query string; empty for what a first visit shows.
    pub query: &'static str,
}

impl Preset {
    /// What it is called.
    #[must_use]
    pub const fn title(&self, look: Look) -> &'static str {
        look.say(self.words)
    }
}

const PRESETS: &[Preset] = &[
    Preset {
        name: "tutorial-32k",
        words: ["教程：8 × 80 GiB，8 个请求，32K", "Walkthrough: 8 × 80 GiB, 8 requests, 32K"],
        query: "",
    },
    Preset {
        name: "tutorial-128k",
        words: ["教程：同样的卡，上下文 128K", "Walkthrough: the same cards, 128K of context"],
        query: "context=131072",
    },
    Preset {
        name: "tutorial-32-requests",
        words: ["教程：同样的卡，32 个请求", "Walkthrough: the same cards, 32 requests"],
        query: "batch=32",
    },
    Preset {
        name: "tutorial-16-gpus",
        words: ["教程：16 张卡就放得下", "Walkthrough: sixteen cards hold it"],
        query: "tp=16",
    },
    Preset {
        name: "report-long",
        words: ["报告 A：8 × H200，32 个请求，1M", "Report A: 8 × H200, 32 requests, 1M"],
        query: "ledger=report&context=1048576&units=gb",
    },
    Preset {
        name: "report-online",
        words: ["报告 B：8 × H200，128 个请求，128K", "Report B: 8 × H200, 128 requests, 128K"],
        query: "ledger=report&batch=128&units=gb",
    },
    Preset {
        name: "report-too-much",
        words: ["报告：128 个请求，1M，放不下", "Report: 128 requests, 1M, too much for the memory"],
        query: "ledger=report&context=1048576&batch=128&units=gb",
    },
    Preset {
        name: "report-prefill-1m",
        words: ["报告：1M 前缀之后再预填 8K", "Report: 8K of prefill after a prefix of 1M"],
        query: "ledger=report&prefix=1048576&units=gb",
    },
    Preset {
        name: "exact-tp8",
        words: [
            "精确：8 × H200，TP8，32 个请求，1M，放不下",
            "Exact: 8 × H200, TP8, 32 requests, 1M, too much for the memory",
        ],
        query: "ledger=exact&context=1048576&batch=32",
    },
    Preset {
        name: "exact-dp8-ep8",
        words: ["精确：8 × H200，DP8+EP8，64 个请求，128K", "Exact: 8 × H200, DP8+EP8, 64 requests, 128K"],
        query: "ledger=exact&layout=dp_attention_ep&context=131072&batch=64",
    },
    Preset {
        name: "exact-b300",
        words: ["精确：8 × B300，TP8，16 个请求，1M", "Exact: 8 × B300, TP8, 16 requests, 1M"],
        query: "ledger=exact&gpu=b300&context=1048576&batch=16",
    },
];

/// The cases, in the order in which they are offered.
#[must_use]
pub const fn presets() -> &'static [Preset] {
    PRESETS
}
