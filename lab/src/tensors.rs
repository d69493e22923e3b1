//! `lab tensors`: one row for every tensor of a checkpoint, generated from the model's specification.

use clap::Args;
use model_core::scenario::{Dtypes, Model};
use model_core::spec;
use model_core::spec::tensors::{self, Place, Tensor};

/// What `lab tensors` is asked for.
#[derive(Debug, Args)]
pub(crate) struct TensorsArgs {
    /// Model: v4-pro or v4-flash
    #[arg(long, value_parser = parse_model, default_value = "v4-pro")]
    model: Model,
}

fn parse_model(name: &str) -> Result<Model, String> {
    Model::from_word(name).ok_or_else(|| format!("none of {}", Model::WORDS.join(", ")))
}

/// The table, its last line the sum.
pub(crate) fn run(args: &TensorsArgs) -> Result<String, String> {
    let spec = spec::of(args.model);
    let mut lines = vec!["place name copies rows cols stored reference scale cut bytes".replace(' ', "\t")];
    let mut total = 0.0;
    for (place, tensor) in tensors::all(&spec) {
        let bytes = tensor.bytes(Dtypes::Stored);
        total += bytes;
        lines.push(row(place, &tensor, bytes));
    }
    lines.push(format!("total\t{total}"));
    Ok(lines.join("\n"))
}

fn row(place: Place, tensor: &Tensor, bytes: f64) -> String {
    let place = match place {
        Place::Layer(layer) => format!("layers.{layer}"),
        Place::Draft(block) => format!("mtp.{block}"),
        Place::Outer => "-".to_owned(),
    };
    let Tensor { name, copies, rows, cols, stored, reference, cut, .. } = tensor;
    let scale = match stored.scale_block() {
        "" => "-",
        block => block,
    };
    let (stored, reference, cut) = (stored.name(), reference.name(), cut.name());
    format!("{place}\t{name}\t{copies}\t{rows}\t{cols}\t{stored}\t{reference}\t{scale}\t{cut}\t{bytes}")
}
