//! Every tensor of a checkpoint, generated from the specification: name, shape, formats, scales, and how it is cut.

use super::{AttentionKind, Layer, ModelSpec, Routing};
use crate::scenario::Dtypes;

/// Values along a row that share one scale of an FP4 tensor.
const FP4_GROUP: f64 = 32.0;
/// Side of the square block that shares one scale of an FP8 tensor.
const FP8_BLOCK: f64 = 128.0;

/// A number format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dtype {
    /// Four-bit floating point, one E8M0 scale for 32 values of a row.
    Fp4,
    /// Eight-bit floating point, one E8M0 scale for a block of 128 × 128.
    Fp8,
    /// Two bytes.
    Bf16,
    /// Four bytes.
    Fp32,
    /// Eight-byte integer.
    I64,
    /// Four-byte integer.
    I32,
}

impl Dtype {
    /// Its name in print.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Fp4 => "FP4",
            Self::Fp8 => "FP8",
            Self::Bf16 => "BF16",
            Self::Fp32 => "FP32",
            Self::I64 => "I64",
            Self::I32 => "I32",
        }
    }

    /// Which values share one scale, as printed; empty where there are no scales.
    #[must_use]
    pub const fn scale_block(self) -> &'static str {
        match self {
            Self::Fp4 => "1 × 32",
            Self::Fp8 => "128 × 128",
            _ => "",
        }
    }

    /// Bytes of a matrix with its scales.
    fn bytes(self, rows: f64, cols: f64) -> f64 {
        match self {
            Self::Fp4 => rows * (cols / 2.0 + (cols / FP4_GROUP).ceil()),
            Self::Fp8 => rows * cols + (rows / FP8_BLOCK).ceil() * (cols / FP8_BLOCK).ceil(),
            Self::Bf16 => 2.0 * rows * cols,
            Self::Fp32 | Self::I32 => 4.0 * rows * cols,
            Self::I64 => 8.0 * rows * cols,
        }
    }
}

/// Which part of the model a tensor belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Part {
    /// Routed experts.
    Routed,
    /// Shared experts.
    Shared,
    /// Attention with its compressors and indexer.
    Attention,
    /// The router.
    Router,
    /// Residual streams (mHC) and norms.
    Streams,
    /// The token embedding.
    Embedding,
    /// The output head.
    Head,
    /// What only a draft block has, besides an ordinary block.
    Draft,
}

impl Part {
    /// Every part.
    pub const ALL: [Self; 8] = [
        Self::Routed,
        Self::Shared,
        Self::Attention,
        Self::Router,
        Self::Streams,
        Self::Embedding,
        Self::Head,
        Self::Draft,
    ];
}

/// How a tensor is spread over a group of GPUs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cut {
    /// Each GPU holds it whole.
    Copied,
    /// By rows, that is by heads, groups or vocabulary entries.
    Rows,
    /// By columns.
    Columns,
    /// Whole experts, dealt out.
    Experts,
}

impl Cut {
    /// Its name in print.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Copied => "copied",
            Self::Rows => "rows",
            Self::Columns => "columns",
            Self::Experts => "experts",
        }
    }
}

/// What a tensor does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Multiplies activations.
    Matrix,
    /// Scales or shifts them.
    Vector,
    /// Is looked up in.
    Table,
}

/// One tensor, or one of each expert's.
#[derive(Clone, Debug, PartialEq)]
pub struct Tensor {
    /// Its name within the block or the model.
    pub name: &'static str,
    /// The part it belongs to.
    pub part: Part,
    /// Rows (outputs) of the whole tensor.
    pub rows: f64,
    /// Columns (inputs) of the whole tensor.
    pub cols: f64,
    /// How many of that shape there are: one for each expert, else one.
    pub copies: f64,
    /// Format in the checkpoint.
    pub stored: Dtype,
    /// Format in the reference at run time.
    pub reference: Dtype,
    /// How it is spread.
    pub cut: Cut,
    /// What it does.
    pub role: Role,
}

impl Tensor {
    /// Values, scales not counted.
    #[must_use]
    pub fn params(&self) -> f64 {
        self.copies * self.rows * self.cols
    }

    /// Format under one of the two conventions.
    #[must_use]
    pub const fn dtype(&self, dtypes: Dtypes) -> Dtype {
        match dtypes {
            Dtypes::Stored => self.stored,
            Dtypes::Reference => self.reference,
        }
    }

    /// Bytes of the whole tensor with its scales.
    #[must_use]
    pub fn bytes(&self, dtypes: Dtypes) -> f64 {
        self.copies * self.dtype(dtypes).bytes(self.rows, self.cols)
    }

    /// Bytes on one GPU where attention is cut over `tp` and experts are dealt over `ep` GPUs.
    #[must_use]
    pub fn bytes_on_gpu(&self, dtypes: Dtypes, tp: f64, ep: f64) -> f64 {
        let dtype = self.dtype(dtypes);
        match self.cut {
            Cut::Copied => self.copies * dtype.bytes(self.rows, self.cols),
            Cut::Rows => self.copies * dtype.bytes(self.rows / tp, self.cols),
            Cut::Columns => self.copies * dtype.bytes(self.rows, self.cols / tp),
            Cut::Experts => self.copies / ep * dtype.bytes(self.rows, self.cols),
        }
    }

    /// Values on one GPU.
    #[must_use]
    pub fn params_on_gpu(&self, tp: f64, ep: f64) -> f64 {
        match self.cut {
            Cut::Copied => self.params(),
            Cut::Rows | Cut::Columns => self.params() / tp,
            Cut::Experts => self.params() / ep,
        }
    }
}

/// Collects tensors.
struct List(Vec<Tensor>);

impl List {
    fn add(&mut self, name: &'static str, part: Part, shape: (u64, u64), dtypes: (Dtype, Dtype), cut: Cut) {
        let (rows, cols) = (shape.0 as f64, shape.1 as f64);
        let (stored, reference) = dtypes;
        let role = if shape.0 == 1 || shape.1 == 1 { Role::Vector } else { Role::Matrix };
        self.0.push(Tensor { name, part, rows, cols, copies: 1.0, stored, reference, cut, role });
    }

    fn add_table(
        &mut self,
        name: &'static str,
        part: Part,
        shape: (u64, u64),
        dtypes: (Dtype, Dtype),
        cut: Cut,
    ) {
        self.add(name, part, shape, dtypes, cut);
        if let Some(table) = self.0.last_mut() {
            table.role = Role::Table;
        }
    }

    fn add_experts(
        &mut self,
        names: [&'static str; 3],
        part: Part,
        copies: u64,
        dtype: Dtype,
        cut: Cut,
        spec: &ModelSpec,
    ) {
        let (d, d_ff) = (spec.hidden as f64, spec.expert_hidden as f64);
        for (name, (rows, cols)) in names.into_iter().zip([(d_ff, d), (d, d_ff), (d_ff, d)]) {
            let copies = copies as f64;
            let role = Role::Matrix;
            self.0.push(Tensor {
                name,
                part,
                rows,
                cols,
                copies,
                stored: dtype,
                reference: dtype,
                cut,
                role,
            });
        }
    }
}

const FP8: (Dtype, Dtype) = (Dtype::Fp8, Dtype::Fp8);
const BF16: (Dtype, Dtype) = (Dtype::Bf16, Dtype::Bf16);
const FP32: (Dtype, Dtype) = (Dtype::Fp32, Dtype::Fp32);
/// Stored in BF16, widened by the reference.
const WIDENED: (Dtype, Dtype) = (Dtype::Bf16, Dtype::Fp32);

/// The tensors of one block.
#[must_use]
pub fn block(spec: &ModelSpec, layer: Layer) -> Vec<Tensor> {
    let mut list = List(Vec::with_capacity(40));
    attention(&mut list, spec);
    match layer.attention {
        AttentionKind::Window => {}
        AttentionKind::Hca => compressor(&mut list, MAIN, spec.hidden, spec.head_dim, 1, spec.hca_ratio),
        AttentionKind::Csa => {
            compressor(&mut list, MAIN, spec.hidden, spec.head_dim, 2, spec.csa_ratio);
            indexer(&mut list, spec);
        }
    }
    let (d, experts) = (spec.hidden, spec.experts);
    list.add("ffn.gate.weight", Part::Router, (experts, d), BF16, Cut::Copied);
    match layer.routing {
        Routing::Learned => list.add("ffn.gate.bias", Part::Router, (1, experts), FP32, Cut::Copied),
        Routing::Hash => list.add_table(
            "ffn.gate.tid2eid",
            Part::Router,
            (spec.vocab, spec.experts_per_token),
            (Dtype::I64, Dtype::I32),
            Cut::Copied,
        ),
    }
    let routed = ["ffn.experts.*.w1", "ffn.experts.*.w2", "ffn.experts.*.w3"];
    list.add_experts(routed, Part::Routed, experts, Dtype::Fp4, Cut::Experts, spec);
    let shared = ["ffn.shared_experts.w1", "ffn.shared_experts.w2", "ffn.shared_experts.w3"];
    list.add_experts(shared, Part::Shared, spec.shared_experts, Dtype::Fp8, Cut::Copied, spec);
    list.add("attn_norm", Part::Streams, (1, d), WIDENED, Cut::Copied);
    list.add("ffn_norm", Part::Streams, (1, d), WIDENED, Cut::Copied);
    let n = spec.streams;
    // For each stream a weight in, a weight out, and one for every pair of streams.
    let mixes = (2 + n) * n;
    for [weight, base, scale] in
        [["hc_attn_fn", "hc_attn_base", "hc_attn_scale"], ["hc_ffn_fn", "hc_ffn_base", "hc_ffn_scale"]]
    {
        list.add(weight, Part::Streams, (mixes, n * d), FP32, Cut::Copied);
        list.add(base, Part::Streams, (1, mixes), FP32, Cut::Copied);
        list.add(scale, Part::Streams, (1, 3), FP32, Cut::Copied);
    }
    list.0
}

/// The attention's own projections, which every block has.
fn attention(list: &mut List, spec: &ModelSpec) {
    let (d, all_heads) = (spec.hidden, spec.heads * spec.head_dim);
    let (q, o) = (spec.query_rank, spec.output_groups * spec.output_rank);
    let part = Part::Attention;
    list.add("attn.wq_a", part, (q, d), FP8, Cut::Copied);
    list.add("attn.q_norm", part, (1, q), WIDENED, Cut::Copied);
    list.add("attn.wq_b", part, (all_heads, q), FP8, Cut::Rows);
    list.add("attn.wkv", part, (spec.head_dim, d), FP8, Cut::Copied);
    list.add("attn.kv_norm", part, (1, spec.head_dim), WIDENED, Cut::Copied);
    let group = all_heads.checked_div(spec.output_groups).unwrap_or(0);
    list.add("attn.wo_a", part, (o, group), (Dtype::Fp8, Dtype::Bf16), Cut::Rows);
    list.add("attn.wo_b", part, (d, o), FP8, Cut::Columns);
    list.add("attn.attn_sink", part, (spec.heads, 1), FP32, Cut::Rows);
}

/// Names of a compressor's tensors: values, gates, positions, norm.
const MAIN: [&str; 4] =
    ["attn.compressor.wkv", "attn.compressor.wgate", "attn.compressor.ape", "attn.compressor.norm"];
const INDEX: [&str; 4] = [
    "attn.indexer.compressor.wkv",
    "attn.indexer.compressor.wgate",
    "attn.indexer.compressor.ape",
    "attn.indexer.compressor.norm",
];

/// A compressor; `halves` is 2 where groups overlap and each token feeds two of them.
fn compressor(list: &mut List, names: [&'static str; 4], hidden: u64, width: u64, halves: u64, ratio: u64) {
    let [values, gates, positions, norm] = names;
    let part = Part::Attention;
    list.add(values, part, (halves * width, hidden), WIDENED, Cut::Copied);
    list.add(gates, part, (halves * width, hidden), WIDENED, Cut::Copied);
    list.add_table(positions, part, (ratio, halves * width), FP32, Cut::Copied);
    list.add(norm, part, (1, width), WIDENED, Cut::Copied);
}

fn indexer(list: &mut List, spec: &ModelSpec) {
    let all_heads = spec.indexer_heads * spec.indexer_head_dim;
    list.add("attn.indexer.wq_b", Part::Attention, (all_heads, spec.query_rank), FP8, Cut::Rows);
    list.add(
        "attn.indexer.weights_proj",
        Part::Attention,
        (spec.indexer_heads, spec.hidden),
        BF16,
        Cut::Rows,
    );
    compressor(list, INDEX, spec.hidden, spec.indexer_head_dim, 2, spec.csa_ratio);
}

/// What stands outside the blocks: embedding, head, final norm and the streams' last mix.
#[must_use]
pub fn outer(spec: &ModelSpec) -> Vec<Tensor> {
    let mut list = List(Vec::with_capacity(6));
    list.add_table("embed", Part::Embedding, (spec.vocab, spec.hidden), BF16, Cut::Rows);
    list.add("head", Part::Head, (spec.vocab, spec.hidden), WIDENED, Cut::Rows);
    last_mix(&mut list, spec);
    list.0
}

/// What a draft block has besides an ordinary block; it shares embedding and head.
#[must_use]
pub fn draft_extra(spec: &ModelSpec) -> Vec<Tensor> {
    let mut list = List(Vec::with_capacity(8));
    let d = spec.hidden;
    list.add("e_proj", Part::Draft, (d, d), FP8, Cut::Copied);
    list.add("h_proj", Part::Draft, (d, d), FP8, Cut::Copied);
    list.add("enorm", Part::Draft, (1, d), WIDENED, Cut::Copied);
    list.add("hnorm", Part::Draft, (1, d), WIDENED, Cut::Copied);
    last_mix(&mut list, spec);
    list.0
}

fn last_mix(list: &mut List, spec: &ModelSpec) {
    let (d, n) = (spec.hidden, spec.streams);
    list.add("norm", Part::Streams, (1, d), WIDENED, Cut::Copied);
    list.add("hc_head_fn", Part::Streams, (n, n * d), FP32, Cut::Copied);
    list.add("hc_head_base", Part::Streams, (1, n), FP32, Cut::Copied);
    list.add("hc_head_scale", Part::Streams, (1, 1), FP32, Cut::Copied);
}

/// Where a tensor stands in the model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// A main layer, counted from 0.
    Layer(usize),
    /// A draft block, counted from 0.
    Draft(usize),
    /// Outside the blocks.
    Outer,
}

/// Every tensor of the checkpoint with its place, in the order of a forward pass.
///
/// ```
/// use model_core::scenario::Dtypes;
/// use model_core::spec::{tensors, v4_pro};
/// let bytes: f64 = tensors::all(&v4_pro()).map(|(_, tensor)| tensor.bytes(Dtypes::Stored)).sum();
/// assert_eq!(bytes, 864_704_792_696.0);
/// ```
pub fn all(spec: &ModelSpec) -> impl Iterator<Item = (Place, Tensor)> + '_ {
    let blocks = spec.schedule.iter().enumerate().flat_map(move |(index, layer)| {
        let (place, extra) = match index.checked_sub(spec.layers) {
            None => (Place::Layer(index), Vec::new()),
            Some(draft) => (Place::Draft(draft), draft_extra(spec)),
        };
        block(spec, *layer).into_iter().chain(extra).map(move |tensor| (place, tensor))
    });
    blocks.chain(outer(spec).into_iter().map(|tensor| (Place::Outer, tensor)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spec::{v4_flash, v4_pro};

    #[test]
    fn checkpoints_come_out_to_the_byte() {
        let bytes = |spec| all(&spec).map(|(_, tensor)| tensor.bytes(Dtypes::Stored)).sum::<f64>();
        assert_eq!(bytes(v4_pro()), 864_704_792_696.0);
        assert_eq!(bytes(v4_flash()), 159_609_485_896.0);
        let params = |spec| all(&spec).map(|(_, tensor)| tensor.params()).sum::<f64>();
        assert_eq!(params(v4_pro()), 1_598_839_674_782.0);
        assert_eq!(params(v4_flash()), 290_944_616_402.0);
    }

    #[test]
    fn a_tensor_over_all_gpus_is_whole_again() {
        for (_, tensor) in all(&v4_pro()) {
            if tensor.cut != Cut::Copied && tensor.rows > 1.0 {
                let over_all = 8.0 * tensor.bytes_on_gpu(Dtypes::Stored, 8.0, 8.0);
                assert_eq!(over_all, tensor.bytes(Dtypes::Stored), "{}", tensor.name);
            }
        }
    }
}
