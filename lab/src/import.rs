//! `lab import`: a published config.json as a specification, or why it is refused.

use std::fmt::Write;
use std::io::Read;
use std::path::{Path, PathBuf};

use clap::Args;
use model_core::format::{ByteBase, bytes, count};
use model_core::import::{Imported, MAX_BYTES, Style, import};
use model_core::scenario::Dtypes;
use model_core::spec::{AttentionKind, Routing, tensors};
use model_core::units::Bytes;

/// What `lab import` is asked for.
#[derive(Debug, Args)]
pub(crate) struct ImportArgs {
    /// A config.json or inference/config.json of the DeepSeek-V4 architecture
    #[arg(value_name = "CONFIG.json")]
    config: PathBuf,
}

/// The specification as text, or one line saying what is wrong and where.
pub(crate) fn run(args: &ImportArgs) -> Result<String, String> {
    read(&args.config).map(|imported| describe(&imported))
}

/// Reads a config from a file.
pub(crate) fn read(config: &Path) -> Result<Imported, String> {
    let named = |problem: &dyn std::fmt::Display| {
        let path: String = config.display().to_string().escape_debug().collect();
        format!("{path}: {problem}")
    };
    let file = std::fs::File::open(config).map_err(|error| named(&error))?;
    // One byte more than is allowed shows that there is too much, however long the file is.
    let mut read = Vec::new();
    file.take(MAX_BYTES as u64 + 1).read_to_end(&mut read).map_err(|error| named(&error))?;
    let text = String::from_utf8(read).map_err(|_| named(&"this is not UTF-8 text"))?;
    import(&text).map_err(|error| named(&error))
}

fn describe(imported: &Imported) -> String {
    let spec = &imported.spec;
    let main = spec.main_layers();
    let hashed = main.iter().filter(|layer| layer.routing == Routing::Hash).count();
    let [window, csa, hca] = AttentionKind::ALL.map(|kind| spec.layers_of(kind));
    let sum = |of: &dyn Fn(&tensors::Tensor) -> f64| tensors::all(spec).map(|(_, t)| of(&t)).sum::<f64>();
    let stored = Bytes(sum(&|tensor| tensor.bytes(Dtypes::Stored)));
    let both = |size| format!("{} ({})", bytes(size, ByteBase::Binary), bytes(size, ByteBase::Decimal));
    let legal: Vec<String> = spec.legal_tp().iter().map(u32::to_string).collect();
    let style = match imported.style {
        Style::Published => "published config.json",
        Style::Reference => "reference inference/config.json",
        Style::LayerTypes => "config.json with layer_types",
    };
    let mut rows = vec![
        ("model", spec.name.to_owned()),
        ("keys", style.to_owned()),
        (
            "layers",
            format!(
                "{} ({csa} CSA of {}, {hca} HCA of {}, {window} window only; {hashed} hash-routed)",
                main.len(),
                spec.csa_ratio,
                spec.hca_ratio
            ),
        ),
        ("draft blocks", spec.draft_blocks().len().to_string()),
        ("hidden size", format!("{} in {} streams", spec.hidden, spec.streams)),
        (
            "attention",
            format!(
                "{} heads of {} ({} rotary), query rank {}, {} output groups of rank {}",
                spec.heads,
                spec.head_dim,
                spec.rope_dim,
                spec.query_rank,
                spec.output_groups,
                spec.output_rank
            ),
        ),
        (
            "indexer",
            format!("{} heads of {}, top {}", spec.indexer_heads, spec.indexer_head_dim, spec.indexer_top_k),
        ),
        ("window", format!("{} tokens", count(spec.window as f64))),
        (
            "experts",
            format!(
                "{} routed, {} per token, {} shared, inner width {}",
                spec.experts, spec.experts_per_token, spec.shared_experts, spec.expert_hidden
            ),
        ),
        ("vocabulary", count(spec.vocab as f64)),
        ("longest context", format!("{} tokens", count(spec.max_context as f64))),
        ("parameters", count(sum(&tensors::Tensor::params))),
        ("active per token", format!("{} (nominal)", count(spec.active_params_nominal))),
        ("checkpoint", both(stored)),
        ("TP can be", legal.join(", ")),
    ];
    if !imported.assumed.is_empty() {
        rows.push(("assumed", format!("{} as published models have", imported.assumed.join(", "))));
    }
    rows.iter().fold(String::new(), |mut text, (name, value)| {
        if !text.is_empty() {
            text.push('\n');
        }
        // Writing to a String cannot fail.
        let _ = write!(text, "{name:17}{value}");
        text
    })
}
