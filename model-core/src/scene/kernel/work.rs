//! What a kernel of a layer reads and computes on one GPU in a decode step: products over the layer's own tensors and
//! caches. Summed over all layers they are the exact ledger's stages; a test holds them to that.

use super::tiling::{Product, Tiling};
use crate::ledger::{RowBytes, distinct_experts};
use crate::plan::Plan;
use crate::scenario::{KernelKind, KvPlacement, Settings};
use crate::spec::tensors::{self, Cut, Part, Role, Tensor};
use crate::spec::{AttentionKind, Layer, ModelSpec};

/// Bytes of an activation (BF16).
const ACTIVATION: f64 = 2.0;

/// A kernel's products, and what it reads beside them.
#[derive(Clone, Debug, PartialEq)]
pub struct Kernel {
    /// Its products with their tiles.
    pub products: Vec<(Product, Tiling)>,
    /// Bytes of norms, tables and biases, which no tile holds.
    pub beside: f64,
    /// Of the compute peak, the share it reaches.
    pub efficiency: f64,
}

/// How a batch falls to the fullest GPU.
#[derive(Clone, Copy, Debug)]
pub struct Load {
    /// GPUs that attention is cut over.
    tp: f64,
    /// GPUs that experts are dealt over.
    ep: f64,
    /// Tokens of all GPUs.
    tokens: f64,
    /// Tokens of this one.
    on_gpu: f64,
    /// Tokens that each request brings.
    per_request: f64,
    /// Requests whose caches this GPU reads.
    requests: f64,
    /// Routed experts that are touched here, in expectation.
    pub touched: f64,
    /// Routed experts that lie here.
    pub local: f64,
}

impl Load {
    /// The load of a decode step.
    #[must_use]
    pub fn of(settings: &Settings, spec: &ModelSpec) -> Self {
        let plan = Plan::of(settings);
        let per_request = if settings.mtp { 1 + settings.draft_depth } else { 1 };
        let tokens = settings.batch.saturating_mul(per_request);
        let here = plan.requests_on_gpu(settings.batch) as f64;
        let ep = f64::from(plan.ep);
        let requests = match settings.kv_placement {
            KvPlacement::Split => settings.batch as f64 / ep,
            KvPlacement::ByPlan | KvPlacement::Copied => here,
        };
        Self {
            tp: f64::from(plan.tp),
            ep,
            tokens: tokens as f64,
            on_gpu: here * per_request as f64,
            per_request: per_request as f64,
            requests,
            touched: distinct_experts(spec, settings.draw, tokens) / ep,
            local: spec.experts as f64 / ep,
        }
    }
}

/// Rows of one request's caches in a layer: those that lie there, and those a query reads.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Rows {
    /// Window and compressed rows that lie there.
    pub kept: f64,
    /// Those that are attended.
    pub attended: f64,
    /// Of these, the window's.
    pub window: f64,
    /// Indexer keys, all of which are scored.
    pub keys: f64,
}

impl Rows {
    /// After so many tokens.
    #[must_use]
    pub fn of(spec: &ModelSpec, kind: AttentionKind, context: u64) -> Self {
        let window = context.min(spec.window);
        let entries = |ratio: u64| context.checked_div(ratio).unwrap_or(0);
        let (kept, picked, keys) = match kind {
            AttentionKind::Window => (0, 0, 0),
            AttentionKind::Hca => (entries(spec.hca_ratio), entries(spec.hca_ratio), 0),
            AttentionKind::Csa => {
                let entries = entries(spec.csa_ratio);
                (entries, entries.min(spec.indexer_top_k), entries)
            }
        };
        Self {
            kept: (window + kept) as f64,
            attended: (window + picked) as f64,
            window: window as f64,
            keys: keys as f64,
        }
    }
}

impl Kernel {
    /// A kernel of a layer.
    #[must_use]
    pub fn of(kind: KernelKind, layer: Layer, settings: &Settings, spec: &ModelSpec) -> Self {
        let load = Load::of(settings, spec);
        let (products, beside) = match kind {
            KernelKind::Projection => projection(layer, settings, spec, &load),
            KernelKind::Expert => expert(layer, settings, spec, &load),
            KernelKind::Attention => (vec![attention(layer, settings, spec, &load)], 0.0),
            KernelKind::Indexer => (vec![indexer(layer, settings, spec, &load)], 0.0),
        };
        let cut = |product: Product| (product, Tiling::of(&product, settings.tile, settings.l2.get()));
        Self {
            products: products.into_iter().map(cut).collect(),
            beside,
            efficiency: match kind {
                KernelKind::Projection => settings.efficiency.proj,
                KernelKind::Expert => settings.efficiency.moe_decode,
                KernelKind::Attention | KernelKind::Indexer => settings.efficiency.attn,
            },
        }
    }

    fn sum(&self, of: impl Fn(&Product, &Tiling) -> f64) -> f64 {
        self.products.iter().map(|(product, tiling)| of(product, tiling)).sum()
    }

    /// Bytes of weights or caches that it reads, each once.
    #[must_use]
    pub fn read(&self) -> f64 {
        self.beside + self.sum(|product, _| product.operands * product.bytes)
    }

    /// FLOPs.
    #[must_use]
    pub fn flops(&self) -> f64 {
        self.sum(|product, _| product.flops)
    }

    /// Tiles of all products.
    #[must_use]
    pub fn tiles(&self) -> f64 {
        self.sum(|_, tiling| tiling.tiles)
    }

    /// Bytes of activations that it takes.
    #[must_use]
    pub fn taken(&self) -> f64 {
        self.sum(|product, _| product.operands * product.taken)
    }

    /// Bytes of results that it writes.
    #[must_use]
    pub fn written(&self) -> f64 {
        self.sum(|product, _| product.operands * product.written)
    }

    /// Bytes read again for want of L2.
    #[must_use]
    pub fn again(&self) -> f64 {
        self.sum(|_, tiling| tiling.again)
    }

    /// Bytes from L2 onto the chip.
    #[must_use]
    pub fn to_chip(&self) -> f64 {
        self.sum(|_, tiling| tiling.to_chip)
    }

    /// Bytes that L2 should hold.
    #[must_use]
    pub fn held(&self) -> f64 {
        self.products.iter().map(|(_, tiling)| tiling.held).fold(0.0, f64::max)
    }

    /// The product that reads most.
    #[must_use]
    pub fn largest(&self) -> Option<&(Product, Tiling)> {
        let bytes = |(product, _): &&(Product, Tiling)| product.operands * product.bytes;
        self.products.iter().max_by(|a, b| bytes(a).total_cmp(&bytes(b)))
    }
}

/// A matrix with its whole input and output, as one operand among equals.
fn matrix(tensor: &Tensor, [rows, depth]: [f64; 2], [operands, columns]: [f64; 2], bytes: f64) -> Product {
    Product {
        name: tensor.name,
        rows,
        depth,
        operands,
        bytes,
        columns,
        flops: 2.0 * operands * columns * rows * depth,
        taken: columns * depth * ACTIVATION,
        written: columns * rows * ACTIVATION,
        whole_rows: false,
    }
}

fn projection(layer: Layer, settings: &Settings, spec: &ModelSpec, load: &Load) -> (Vec<Product>, f64) {
    let (mut products, mut beside) = (Vec::new(), 0.0);
    for tensor in tensors::block(spec, layer).iter().filter(|tensor| tensor.part == Part::Attention) {
        let bytes = tensor.bytes_on_gpu(settings.dtypes, load.tp, 1.0);
        if tensor.role == Role::Matrix {
            let shape = match tensor.cut {
                Cut::Rows => [tensor.rows / load.tp, tensor.cols],
                Cut::Columns => [tensor.rows, tensor.cols / load.tp],
                Cut::Copied | Cut::Experts => [tensor.rows, tensor.cols],
            };
            products.push(matrix(tensor, shape, [1.0, load.on_gpu], bytes));
        } else {
            beside += bytes;
        }
    }
    (products, beside)
}

fn expert(layer: Layer, settings: &Settings, spec: &ModelSpec, load: &Load) -> (Vec<Product>, f64) {
    let (mut products, mut beside) = (Vec::new(), 0.0);
    let pairs = load.tokens * spec.experts_per_token as f64 / load.ep;
    let each = if load.touched > 0.0 { pairs / load.touched } else { 0.0 };
    for tensor in tensors::block(spec, layer) {
        let one = tensor.bytes(settings.dtypes) / tensor.copies.max(1.0);
        let shape = [tensor.rows, tensor.cols];
        match (tensor.part, tensor.role) {
            (Part::Routed, _) => products.push(matrix(&tensor, shape, [load.touched, each], one)),
            (Part::Shared | Part::Router, Role::Matrix) => {
                products.push(matrix(&tensor, shape, [tensor.copies, load.on_gpu], one));
            }
            // Of a table a step reads single rows.
            (Part::Router, Role::Vector) => beside += one,
            _ => {}
        }
    }
    (products, beside)
}

fn attention(layer: Layer, settings: &Settings, spec: &ModelSpec, load: &Load) -> Product {
    let rows = Rows::of(spec, layer.attention, settings.context).attended;
    let (heads, depth) = (spec.heads as f64, spec.head_dim as f64);
    let columns = heads / load.tp * load.per_request;
    Product {
        name: "kv",
        rows,
        depth,
        operands: load.requests,
        bytes: rows * RowBytes::of(spec, settings.kv_rows).main,
        columns,
        // The score, and the sum.
        flops: load.on_gpu * rows * 4.0 * heads * depth / load.tp,
        taken: columns * depth * ACTIVATION,
        written: columns * depth * ACTIVATION,
        whole_rows: true,
    }
}

fn indexer(layer: Layer, settings: &Settings, spec: &ModelSpec, load: &Load) -> Product {
    let keys = Rows::of(spec, layer.attention, settings.context).keys;
    let (heads, depth) = (spec.indexer_heads as f64, spec.indexer_head_dim as f64);
    let columns = heads / load.tp * load.per_request;
    Product {
        name: "keys",
        rows: keys,
        depth,
        operands: load.requests,
        bytes: keys * RowBytes::of(spec, settings.kv_rows).key,
        columns,
        flops: load.on_gpu * keys * 2.0 * heads * depth / load.tp,
        taken: columns * depth * ACTIVATION,
        // One score for a key, summed over the heads.
        written: keys * load.per_request * ACTIVATION,
        whole_rows: true,
    }
}

/// Bytes of a layer that stay in a GPU's memory: its weights, and its rows of the batch's caches.
#[must_use]
pub fn resident(layer: Layer, settings: &Settings, spec: &ModelSpec) -> [f64; 2] {
    let load = Load::of(settings, spec);
    let weights = tensors::block(spec, layer)
        .iter()
        .map(|tensor| tensor.bytes_on_gpu(settings.dtypes, load.tp, load.ep))
        .sum();
    let bytes = RowBytes::of(spec, settings.kv_rows);
    let rows = Rows::of(spec, layer.attention, settings.context);
    [weights, load.requests * (rows.kept * bytes.main + rows.keys * bytes.key)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::figure::Ledger;
    use crate::ledger::report;
    use crate::scenario::{Key, Scenario};
    use crate::spec;

    type Measure = fn(&Kernel) -> f64;

    fn close(a: f64, b: f64) -> bool {
        (a - b).abs() <= 1e-9 * a.abs().max(b.abs())
    }

    /// The kernels of all layers, summed, are the exact ledger's stages.
    #[test]
    fn kernels_add_up_to_the_ledgers_stages() {
        let cases: [&[(Key, &str)]; 7] = [
            &[],
            &[(Key::Context, "1M"), (Key::Batch, "32")],
            &[(Key::Layout, "dp_attention_ep"), (Key::Ep, "16"), (Key::Batch, "100")],
            &[(Key::Tp, "1"), (Key::Context, "1"), (Key::Batch, "1")],
            &[(Key::KvPlacement, "split"), (Key::Mtp, "true"), (Key::DraftDepth, "3")],
            &[
                (Key::Model, "v4-flash"),
                (Key::Tp, "4"),
                (Key::Dtypes, "reference"),
                (Key::KvRows, "reference"),
            ],
            &[(Key::Draw, "with_replacement"), (Key::KvRows, "fp8_fp4idx"), (Key::Pp, "2"), (Key::Tp, "8")],
        ];
        for choices in cases {
            let mut scenario = Scenario::default();
            for (key, text) in choices {
                scenario.choose_text(*key, text).unwrap();
            }
            let settings = scenario.resolve(Ledger::Exact);
            let spec = spec::of(settings.model);
            let report = report(Ledger::Exact, &scenario, &spec);
            let total = |kinds: &[KernelKind], of: Measure| -> f64 {
                let layers = spec.main_layers().iter();
                layers
                    .flat_map(|layer| kinds.iter().map(|kind| (*kind, *layer)))
                    .map(|(kind, layer)| of(&Kernel::of(kind, layer, &settings, &spec)))
                    .sum()
            };
            let stages: [(&str, &[KernelKind]); 3] = [
                ("proj", &[KernelKind::Projection]),
                ("attn", &[KernelKind::Attention, KernelKind::Indexer]),
                ("moe", &[KernelKind::Expert]),
            ];
            for (stage, kinds) in stages {
                let measures: [(&str, Measure); 2] = [("bytes", Kernel::read), ("flops", Kernel::flops)];
                for (measure, of) in measures {
                    let figure = report.number(&format!("decode.{stage}.{measure}_per_gpu")).unwrap();
                    let sum = total(kinds, of);
                    assert!(close(sum, figure), "{stage} {measure} {choices:?}: {sum} and {figure}");
                }
            }
        }
    }

    /// Tiles cover what is read: tiles times their bytes, and what lies beside them.
    #[test]
    fn tiles_cover_what_is_read() {
        let spec = spec::v4_pro();
        for side in ["16", "100", "256"] {
            let mut scenario = Scenario::default();
            scenario.choose_text(Key::Tile, side).unwrap();
            let settings = scenario.resolve(Ledger::Exact);
            for kind in KernelKind::ALL {
                let kernel = Kernel::of(*kind, spec.main_layers()[4], &settings, &spec);
                // The last tile of a row or column may be cut short, never the other way round.
                let covered = kernel.beside + kernel.sum(|_, tiling| tiling.tiles * tiling.tile_bytes);
                assert!(covered >= kernel.read() * (1.0 - 1e-12), "{kind:?} {side}");
                assert!(kernel.to_chip() >= kernel.read() - kernel.beside, "{kind:?} {side}");
            }
        }
    }

    #[test]
    fn a_batch_brings_each_expert_few_tokens() {
        let spec = spec::v4_pro();
        let settings = Scenario::default().resolve(Ledger::Exact);
        let load = Load::of(&settings, &spec);
        assert_eq!(load.local, 48.0);
        assert!((5.6..6.0).contains(&load.touched), "{}", load.touched);
        let kernel = Kernel::of(KernelKind::Expert, spec.main_layers()[4], &settings, &spec);
        let (product, tiling) = kernel.largest().unwrap();
        assert!((1.0..1.1).contains(&product.columns));
        assert_eq!((tiling.columns, tiling.passes), (8.0, 1.0));
    }
}
