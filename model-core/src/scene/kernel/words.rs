//! The words inside the picture of "kernel", in both languages. `{…}` stand for values.

use super::Step;
use crate::language::Language;
use crate::scenario::KernelKind;

/// Words of the scene.
#[derive(Debug)]
pub(super) struct Words {
    /// The stage's title.
    pub(super) title: &'static str,
    /// What is opened, for each kernel.
    pub(super) kernels: [&'static str; KernelKind::ALL.len()],
    /// What each kernel reads, in a sentence.
    pub(super) operands: [&'static str; KernelKind::ALL.len()],
    /// A tile of it, in a box.
    pub(super) operand_tiles: [&'static str; KernelKind::ALL.len()],
    /// A block of activations, in a box.
    pub(super) token_tiles: [&'static str; KernelKind::ALL.len()],
    /// What each kernel picks out, under its block of memory.
    pub(super) picks: [&'static str; KernelKind::ALL.len()],
    /// Heading of the memory.
    pub(super) hbm: &'static str,
    /// Heading of the L2 cache.
    pub(super) l2: &'static str,
    /// Heading of the chip where its multiprocessors are published.
    pub(super) processors: &'static str,
    /// Heading of the chip where they are not.
    pub(super) chip: &'static str,
    /// The layer's weights.
    pub(super) weights: &'static str,
    /// The layer's caches.
    pub(super) cache: &'static str,
    /// Activations.
    pub(super) temporary: &'static str,
    /// A tile in L2.
    pub(super) tile: &'static str,
    /// Above what lies on chip.
    pub(super) shared_memory: &'static str,
    /// The tensor cores.
    pub(super) tensor_core: &'static str,
    /// How far a block of results has come.
    pub(super) sum: &'static str,
    /// Above the results.
    pub(super) registers: &'static str,
    /// On the way back.
    pub(super) write: &'static str,
    /// Under L2: what should stay.
    pub(super) held: &'static str,
    /// Under L2: what does not fit.
    pub(super) again: &'static str,
    /// Under the chip: what came from L2.
    pub(super) to_chip: &'static str,
    /// Counter of bytes.
    pub(super) read: &'static str,
    /// Counter of FLOPs.
    pub(super) computed: &'static str,
    /// FLOPs for a byte.
    pub(super) intensity: &'static str,
    /// The roofline's slope.
    pub(super) slope: &'static str,
    /// Its flat part.
    pub(super) flat: &'static str,
    /// Its ridge.
    pub(super) ridge: &'static str,
    /// Time of reading.
    pub(super) read_time: &'static str,
    /// Time of computing.
    pub(super) compute_time: &'static str,
    /// What waits, where reading takes longer.
    pub(super) waits_hbm: &'static str,
    /// What waits, where computing takes longer.
    pub(super) waits_compute: &'static str,
    /// Before the caches' bar.
    pub(super) caches: &'static str,
    /// What is set aside.
    pub(super) reserved: &'static str,
    /// For how much.
    pub(super) reserved_for: &'static str,
    /// What is used.
    pub(super) used: &'static str,
    /// The GPU's memory.
    pub(super) capacity: &'static str,
    /// Legend: weights, caches, activations, computation.
    pub(super) legend: [&'static str; 4],
    /// Caption of each step.
    pub(super) captions: [&'static str; Step::ALL.len()],
    /// Caption of the roofline where computing takes longer.
    pub(super) past_ridge: &'static str,
    /// Caption of tiles where there is nothing to read.
    pub(super) nothing: &'static str,
    /// Caption of the caches where all that is set aside is used.
    pub(super) full: &'static str,
}

const ZH: Words = Words {
    title: "放大一张卡：一个 kernel 的数据怎样走",
    kernels: [
        "投影 GEMM · {products} 个矩阵 · M = {m} token",
        "专家 GEMM · 每个专家 M = {m} token",
        "稀疏注意力 · 每请求 {picked} 行 × {m} 个头",
        "索引扫描 · 每请求 {picked} 个键 × {m} 个索引头",
    ],
    operands: ["权重", "专家权重", "KV 行", "索引键"],
    operand_tiles: ["W 块", "W 块", "KV 块", "键块"],
    token_tiles: ["x 块", "x 块", "q 块", "q 块"],
    picks: ["投影矩阵全部读一遍", "{picked} / {all} 个 + 共享", "{all} 行里取 {picked}", "{all} 个键全部扫"],
    hbm: "HBM · {rate}",
    l2: "L2 · {size}",
    processors: "片上 · {n} 个 SM",
    chip: "片上 · SM",
    weights: "本层权重 · 常驻",
    cache: "本层 KV · 常驻",
    temporary: "激活 · 临时",
    tile: "块 {n}",
    shared_memory: "共享内存",
    tensor_core: "Tensor Core",
    sum: "累加 {done} / {deep}",
    registers: "寄存器：{columns} 列用了 {m}",
    write: "写回 {bytes}",
    held: "L2 要留住 {bytes}",
    again: "L2 留不住，多读 {bytes}",
    to_chip: "L2 送上片 {bytes}",
    read: "已读 HBM",
    computed: "已算",
    intensity: "每字节 FLOP",
    slope: "带宽",
    flat: "算力",
    ridge: "屋脊 {ridge} FLOP/B",
    read_time: "读 HBM",
    compute_time: "计算",
    waits_hbm: "{share} 的时间在等 HBM",
    waits_compute: "{share} 的时间在等计算",
    caches: "KV 缓存",
    reserved: "预留 {bytes}",
    reserved_for: "预留 {bytes} = {max} token × {batch} 请求",
    used: "用到 {bytes}",
    capacity: "- - 显存 {bytes}",
    legend: ["权重", "缓存", "激活", "计算"],
    captions: [
        "第 {layer} 层在这张卡上常驻权重 {weights}、KV {cache}；激活只占 {temporary}，用完就腾出来",
        "{operand}切成 {rows} × {depth} 的块，每块 {tile}，一块接一块经 L2 送到片上",
        "{tiles} 块依次乘加，每 {deep} 块凑成一组输出：共读 {read}，算 {flops}",
        "写回的只有结果 {written}；{operand}读过以后还在原处，下一步再读一遍",
        "每读 1 字节只算 {intensity} FLOP，屋脊在 {ridge}：{share} 的时间在等 HBM",
        "按 {max} × {batch} 请求预留要 {reserved}，{context} 的上下文只用到 {used}",
    ],
    past_ridge: "每读 1 字节算 {intensity} FLOP，过了屋脊 {ridge}：{share} 的时间在等计算",
    nothing: "上下文还没凑满一组，没有索引键可扫，这个 kernel 无事可做",
    full: "上下文已到上限：预留的 {reserved} 正好用满",
};

const EN: Words = Words {
    title: "One GPU opened: where a kernel's data goes",
    kernels: [
        "Projection GEMMs · {products} matrices · tokens M = {m}",
        "Expert GEMMs · tokens per expert M = {m}",
        "Sparse attention · rows {picked} × heads {m} per request",
        "Indexer scan · keys {picked} × index heads {m} per request",
    ],
    operands: ["weights", "expert weights", "KV rows", "index keys"],
    operand_tiles: ["W tile", "W tile", "KV tile", "Key tile"],
    token_tiles: ["x tile", "x tile", "q tile", "q tile"],
    picks: [
        "every projection, once",
        "{picked} of {all} + shared",
        "{picked} of {all} rows",
        "all {all} keys",
    ],
    hbm: "HBM · {rate}",
    l2: "L2 · {size}",
    processors: "On chip · {n} SMs",
    chip: "On chip · SMs",
    weights: "Layer weights · stay",
    cache: "Layer KV · stays",
    temporary: "Activations · passing",
    tile: "tile {n}",
    shared_memory: "Shared memory",
    tensor_core: "Tensor Core",
    sum: "sum {done} / {deep}",
    registers: "Registers: {m} of {columns} columns",
    write: "back: {bytes}",
    held: "L2 to hold: {bytes}",
    again: "L2 too small, reread: {bytes}",
    to_chip: "L2 to chip: {bytes}",
    read: "Read from HBM",
    computed: "Computed",
    intensity: "FLOPs a byte",
    slope: "bandwidth",
    flat: "compute",
    ridge: "Ridge {ridge} FLOP/B",
    read_time: "Read HBM",
    compute_time: "Compute",
    waits_hbm: "{share} waiting for HBM",
    waits_compute: "{share} waiting for compute",
    caches: "KV cache",
    reserved: "Reserved {bytes}",
    reserved_for: "Reserved {bytes} = {max} tokens × batch {batch}",
    used: "Used {bytes}",
    capacity: "- - Memory {bytes}",
    legend: ["Weights", "Caches", "Activations", "Compute"],
    captions: [
        "Layer {layer} keeps {weights} of weights and {cache} of KV here; activations take {temporary} and move on",
        "The {operand} are cut into tiles of {rows} × {depth}, {tile} each, brought on chip through L2 one by one",
        "{tiles} tiles, multiplied in turn, {deep} to each block of results: {read} read, {flops} computed",
        "Only results go back, {written}; the {operand} stay where they are, to be read again next step",
        "{intensity} FLOPs for each byte read, the ridge is at {ridge}: {share} of the time waits for HBM",
        "A limit of {max} tokens at batch {batch} sets {reserved} aside; a context of {context} uses {used}",
    ],
    past_ridge: "{intensity} FLOPs for each byte read, past the ridge at {ridge}: {share} of the time waits for compute",
    nothing: "The context has not completed one group: no index keys to scan, nothing for this kernel to do",
    full: "The context is at its limit: all of the {reserved} set aside is used",
};

impl Words {
    /// The words of a language.
    pub(super) const fn of(language: Language) -> &'static Self {
        match language {
            Language::Chinese => &ZH,
            Language::English => &EN,
        }
    }
}
