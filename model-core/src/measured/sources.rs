//! Where the measurements were published.

/// A publication that rows name by its key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Origin {
    /// The key in the rows.
    pub key: &'static str,
    /// Who published what.
    pub title: &'static str,
    /// Where it stands.
    pub address: &'static str,
}

/// Every publication with a row.
pub const ORIGINS: &[Origin] = &[
    Origin {
        key: "S4",
        title: "SGLang cookbook, benchmark table for DeepSeek-V4",
        address: "https://github.com/sgl-project/sglang (docs_new/src/snippets/configs/deepseek-ai/deepseek-v4-benchmarks.jsx)",
    },
    Origin {
        key: "S4b",
        title: "SGLang cookbook, a later state of the same table",
        address: "https://github.com/sgl-project/sglang (docs_new/src/snippets/configs/deepseek-ai/deepseek-v4-benchmarks.jsx)",
    },
    Origin {
        key: "S5",
        title: "DeepGEMM, figures of the fused expert kernel",
        address: "https://github.com/deepseek-ai/DeepGEMM/pull/316",
    },
    Origin {
        key: "S6",
        title: "SemiAnalysis, GB300 against GB200 with V4-Pro on vLLM",
        address: "https://github.com/SemiAnalysisAI/InferenceX-app (content/blog/gb300-nvl72-vs-gb200-nvl72-dsv4-pro-vllm-fp4.mdx)",
    },
    Origin {
        key: "S7",
        title: "SemiAnalysis, V4-Pro on MI355X with SGLang",
        address: "https://github.com/SemiAnalysisAI/InferenceX-app (content/blog/mi355x-deepseek-v4-pro-sglang-110x-in-26-days.mdx)",
    },
    Origin {
        key: "S8",
        title: "LMSYS, serving V4-Pro on H20",
        address: "https://lmsys.org/blog/2026-08-19-deepseek-v4-pro-engine-optimization-h20",
    },
    Origin {
        key: "S9",
        title: "InferenceX, B300 with Dynamo and SGLang (first rows of its table)",
        address: "https://github.com/SemiAnalysisAI/InferenceX/pull/2896",
    },
    Origin {
        key: "S10",
        title: "Lambda, V4-Pro on 8 × B200 with vLLM",
        address: "https://lambda.ai/inference-models/deepseek-ai/deepseek-v4-pro",
    },
    Origin {
        key: "S11",
        title: "canada-quant, findings on V4-Pro with vLLM on B300",
        address: "https://github.com/canada-quant/dsv4-pro-nvfp4-fp8-mtp (docs/findings)",
    },
    Origin {
        key: "S12",
        title: "NVIDIA Dynamo, recipes for V4-Pro-0813 on H200",
        address: "https://github.com/ai-dynamo/dynamo (recipes/deepseek-v4)",
    },
    Origin {
        key: "S13",
        title: "LMSYS, V4 on its first day",
        address: "https://github.com/lm-sys/lm-sys.github.io (blog/2026-04-25-deepseek-v4.md)",
    },
    Origin {
        key: "S17",
        title: "InferenceX, memory log of SGLang on 8 × H200",
        address: "https://github.com/SemiAnalysisAI/InferenceX/issues/2128",
    },
];

impl Origin {
    /// The address that a browser opens, without what says where on it to look.
    #[must_use]
    pub fn url(&self) -> &'static str {
        self.address.split(' ').next().unwrap_or_default()
    }
}

/// The publication of that key.
#[must_use]
pub fn origin(key: &str) -> Option<&'static Origin> {
    ORIGINS.iter().find(|origin| origin.key == key)
}
