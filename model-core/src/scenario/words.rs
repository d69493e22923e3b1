//! The words that keys take, each set once: its type, its names in links, and the list that bounds the key.

macro_rules! words {
    ($($(#[$doc:meta])* $name:ident { $($(#[$variant_doc:meta])* $variant:ident = $word:literal),+ $(,)? })+) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum $name { $($(#[$variant_doc])* $variant),+ }

        impl $name {
            /// Every one of them, in the order in which they are offered.
            pub const ALL: &[Self] = &[$(Self::$variant),+];
            /// Their words, in the same order.
            pub const WORDS: &[&'static str] = &[$($word),+];

            /// Its word in links and on the command line.
            #[must_use]
            pub const fn word(self) -> &'static str {
                match self { $(Self::$variant => $word),+ }
            }

            /// Reads such a word.
            #[must_use]
            pub fn from_word(word: &str) -> Option<Self> {
                match word {
                    $($word => Some(Self::$variant),)+
                    _ => None,
                }
            }
        }
    )+};
}

words! {
    /// A model whose specification is built in.
    Model {
        /// DeepSeek-V4-Pro.
        V4Pro = "v4-pro",
        /// DeepSeek-V4-Flash.
        V4Flash = "v4-flash",
    }

    /// Which of three readings of a GPU's advertised memory counts.
    MemoryReading {
        /// The number in decimal gigabytes.
        Gb = "gb",
        /// The number in gibibytes.
        Gib = "gib",
        /// What the driver lists, in mebibytes; decimal where no listing is known.
        Reported = "reported",
    }

    /// How the work is spread over the GPUs.
    Layout {
        /// Each layer cut over all GPUs of a group, experts too; caches copied.
        Tp = "tp",
        /// Attention and caches by request, experts spread over the group.
        DpAttentionEp = "dp_attention_ep",
    }

    /// How many bytes a row of the caches takes.
    KvRows {
        /// BF16 rows, as the reference keeps them.
        Reference = "reference",
        /// FP8 rows with their scales, FP8 indexer keys.
        Fp8 = "fp8",
        /// FP8 rows, FP4 indexer keys.
        Fp8Fp4Idx = "fp8_fp4idx",
    }

    /// How a group's GPUs hold a request's cache.
    KvPlacement {
        /// As the layout has it: a copy each under TP, whole requests under DP attention.
        ByPlan = "by_plan",
        /// A whole copy on each GPU of the group.
        Copied = "copied",
        /// Split evenly over the group, which one shared head does not allow without extra exchange.
        Split = "split",
    }

    /// In which formats weights lie in memory.
    Dtypes {
        /// As the checkpoint stores them.
        Stored = "stored",
        /// As the reference converts them for running.
        Reference = "reference",
    }

    /// Number format in which partial sums travel between GPUs.
    CommDtype {
        /// Four bytes a value.
        Fp32 = "fp32",
        /// Two bytes a value.
        Bf16 = "bf16",
    }

    /// The link between the GPUs of a node, with its convention.
    Link {
        /// The GPU's own, one way.
        Gpu = "gpu",
        /// The GPU's own, both ways added up as on data sheets.
        GpuTwoWay = "gpu_two_way",
        /// NVLink 4, both ways added up.
        Nvlink900 = "nvlink_900",
        /// NVLink 4, one way.
        Nvlink450 = "nvlink_450",
        /// A network of 400 Gbit/s.
        Ib400 = "ib_400g",
    }

    /// How a token's experts are drawn in the closed form.
    Draw {
        /// Each token takes distinct experts.
        Distinct = "distinct_top6",
        /// Every pick is independent of the others.
        WithReplacement = "with_replacement",
    }

    /// What chooses a token's experts.
    Router {
        /// Every expert alike.
        Uniform = "uniform",
        /// The n-th favourite with weight 1 / n^s.
        Zipf = "zipf",
        /// A short list of hot experts takes a share of its own.
        Hot = "hot",
        /// A fixed table by the token's id, as in the first layers.
        Hash = "hash",
        /// The learned router of the small model, which runs.
        Engine = "engine",
    }

    /// Which kind of expert a figure speaks of.
    ExpertKind {
        /// One that the router chooses.
        Routed = "routed",
        /// The one that every token takes.
        Shared = "shared",
    }

    /// An engine whose published memory constants apply beside the model's own needs.
    Engine {
        /// None: what the model itself needs, a lower bound.
        None = "none",
        /// SGLang's, from its logs on two H20 layouts.
        SglangH20 = "sglang_h20",
        /// The same with HCA compressed on the fly.
        SglangH20OnlineHca = "sglang_h20_online_hca",
        /// SGLang's on 8 × H200, TP8 with the draft block.
        SglangH200Tp8 = "sglang_h200_tp8",
    }

    /// A kernel of a decode step that can be opened.
    KernelKind {
        /// The attention's projections: matrices that every token goes through.
        Projection = "projection",
        /// The experts that the batch touches.
        Expert = "expert",
        /// Attention over the window and the picked entries.
        Attention = "attention",
        /// The indexer's scores over all compressed keys.
        Indexer = "indexer",
    }

    /// A mistake that is put into a run on purpose, to see where it first shows.
    FaultKind {
        /// None.
        None = "none",
        /// A GPU's share is missing from the attention's sum.
        SkipRank = "skip_rank",
        /// The tail of an unfinished group is forgotten between two chunks.
        ResetTail = "reset_tail",
        /// An entry is seen one token late.
        LateEntry = "late_entry",
        /// A ring slot is overwritten one token early.
        EarlyOverwrite = "early_overwrite",
    }

    /// Where exchanges between GPUs stand beside computation.
    Overlap {
        /// As the ledger counts them: hidden in the report, part of the latency or left out in the exact one.
        Ledger = "ledger",
        /// Dispatch and combine beside the experts, in waves; sums wait.
        Waves = "waves",
        /// One after the other with everything else.
        Serial = "serial",
    }

    /// Yes or no.
    Switch {
        /// No.
        Off = "false",
        /// Yes.
        On = "true",
    }
}

impl CommDtype {
    /// Bytes of one value.
    #[must_use]
    pub const fn bytes(self) -> f64 {
        match self {
            Self::Fp32 => 4.0,
            Self::Bf16 => 2.0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn engines_are_those_with_constants() {
        let known: Vec<_> =
            crate::measured::ENGINE_CONSTANTS.iter().map(|constants| constants.name).collect();
        assert_eq!(Engine::WORDS[1..], known);
        assert!(Engine::ALL.iter().all(|engine| Engine::from_word(engine.word()) == Some(*engine)));
    }
}
