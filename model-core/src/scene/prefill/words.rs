//! The words inside the picture of "prefill", in both languages. `{…}` stand for values.

use super::Step;
use crate::language::Language;
use crate::spec::AttentionKind;

/// Words of the scene.
#[derive(Debug)]
pub(super) struct Words {
    /// The stage's title.
    pub(super) title: &'static str,
    /// Caption of each step.
    pub(super) captions: [&'static str; Step::ALL.len()],
    /// Caption where no border cuts a group.
    pub(super) aligned: &'static str,
    /// Caption where one chunk takes the whole prompt.
    pub(super) one_chunk: &'static str,
    /// Caption of the peak where all of it fits.
    pub(super) peak_fits: &'static str,
    /// Caption of the peak where not even weights and caches fit.
    pub(super) peak_hopeless: &'static str,
    /// Over the bar of the prompt.
    pub(super) prompt: &'static str,
    /// Under it, once it is cut.
    pub(super) cut: &'static str,
    /// The same where there are too many chunks to draw.
    pub(super) cut_many: &'static str,
    /// Over the layers' caches.
    pub(super) own_caches: &'static str,
    /// Legend and table: tokens.
    pub(super) tokens: &'static str,
    /// Names of the four caches of a layer: ring, entries, keys, tail.
    pub(super) caches: [&'static str; 4],
    /// How many tokens a cell stands for.
    pub(super) cell: &'static str,
    /// The same where it does not come out even.
    pub(super) about_cell: &'static str,
    /// That only some requests are drawn.
    pub(super) some_requests: &'static str,
    /// What an id becomes.
    pub(super) embed: &'static str,
    /// The residual streams of the whole block.
    pub(super) residual: &'static str,
    /// The same of a chunk.
    pub(super) residual_chunk: &'static str,
    /// Heading of the example mask.
    pub(super) mask: &'static str,
    /// Under the columns of the mask.
    pub(super) mask_columns: [&'static str; 2],
    /// What its colours mean: seen, hidden, entries.
    pub(super) mask_notes: [&'static str; 3],
    /// What the last token of the prompt sees.
    pub(super) last_query: &'static str,
    /// Heading of what each kind of layer keeps.
    pub(super) kept: &'static str,
    /// A kind of layer with what it keeps.
    pub(super) kinds: [&'static str; AttentionKind::ALL.len()],
    /// Heading of the parts of a layer.
    pub(super) within: &'static str,
    /// The parts of a layer.
    pub(super) parts: [&'static str; 5],
    /// Heading of the opened layer.
    pub(super) opened: &'static str,
    /// Details of its ring, of entries, of the tail.
    pub(super) ring: &'static str,
    /// Rows with their bytes.
    pub(super) rows: &'static str,
    /// Rows with bytes where a cell stands for several.
    pub(super) rows_by: &'static str,
    /// A cache this layer lacks.
    pub(super) lacks: &'static str,
    /// Tokens waiting in the tail.
    pub(super) tail: &'static str,
    /// All layers and all requests.
    pub(super) totals: [&'static str; 2],
    /// Headings of the two traps.
    pub(super) traps: [&'static str; 2],
    /// What the colours of the first trap mean.
    pub(super) first_notes: [&'static str; 3],
    /// What the example of the second trap shows.
    pub(super) second_notes: [&'static str; 2],
    /// The scenario's own border.
    pub(super) own_border: &'static str,
    /// An entry's name before its number.
    pub(super) entry: &'static str,
    /// What stands before the score tensor's size.
    pub(super) scores: &'static str,
    /// Memory of a GPU.
    pub(super) memory: &'static str,
    /// Ways to run the pass.
    pub(super) ways: [&'static str; 3],
    /// What is held, from bottom to top.
    pub(super) held: [&'static str; 6],
    /// All of it.
    pub(super) peak: &'static str,
    /// What the fused way assumes.
    pub(super) fused: &'static str,
}

const ZH: Words = Words {
    title: "预填充：一块提示词穿过所有层",
    captions: [
        "{batch} 个请求、每个 {context} token 一起进来，展开成残差要 {residual}",
        "一起算不等于互相看：每个 token 只看自己和前面，压缩条目凑满一组才可见",
        "同一块依次穿过 {layers} 层，{kinds}，每过一层就写满那一层的缓存",
        "第 {layer} 层（{kind}）为一个请求留下 {layer_bytes}；{layers} 层各存各的，共 {request}",
        "切成 {chunks} 块。头一条边界上 CSA 余 {csa_left} 个 token、HCA 余 {hca_left} 个，要连同上一组带过去",
        "一次读完要 {peak}，显存只有 {capacity}；分块降到 {chunked}，若再用融合算子，降到 {fused}",
    ],
    aligned: "切成 {chunks} 块，边界都落在组末：CSA、HCA 没有余数，只要把 CSA 的上一组带过去",
    one_chunk: "一块就装下整段。读完时 CSA 余 {csa_left} 个 token、HCA 余 {hca_left} 个，留给生成的第一个 token 接着凑",
    peak_fits: "一次读完峰值 {peak}，显存 {capacity}，放得下；分块只要 {chunked}，若再用融合算子，{fused}",
    peak_hopeless: "一次读完要 {peak}。融合能去掉临时张量，去不掉权重和缓存：这两项就有 {resident}，显存 {capacity}",
    prompt: "提示词：{batch} 个请求 × {context} token",
    cut: "{chunks} 块，每块 {chunk} token",
    cut_many: "{chunks} 块，每块 {chunk} token（合并成 {drawn} 段画）",
    own_caches: "每层一份缓存，按字节画 · 一个请求 {request}",
    tokens: "token",
    caches: ["窗口环", "压缩条目", "索引键", "未满组暂存"],
    cell: "一行一个请求，每格 {n} 个 token",
    about_cell: "一行一个请求，每格约 {n} 个 token",
    some_requests: "；只画前 {n} 个",
    embed: "查词嵌入表：一个编号变成 {streams} 路、每路 {hidden} 个数",
    residual: "整块残差 [B, S, {streams}, {hidden}]，BF16：{residual}",
    residual_chunk: "每次只进 {chunk} token 的话：{residual_chunk}",
    mask: "小例子：{n} 个 token 同时算，行是 query",
    mask_columns: ["token 的 KV", "CSA 条目"],
    mask_notes: ["可见：自己和前面", "遮住：还在后面", "每 {m} 个一组，组内最后一个起才可见"],
    last_query: "真实提示词的最后一个 token：窗口 {window} 条；CSA 层从 {csa} 条里挑 {picked} 条；HCA 层 {hca} 条全读",
    kept: "同样 {n} 个 token，各种层留下多少",
    kinds: [
        "{count} 层只有窗口：更早的都不留",
        "{count} 层 CSA：每 {m} 个 token 一条，另配一把索引键，查询时挑 {k} 条",
        "{count} 层 HCA：每 {n} 个 token 一条，查询时全部读",
    ],
    within: "一层之内的顺序，{layers} 层都走一遍",
    parts: ["合流", "注意力", "归约", "专家", "归约"],
    opened: "打开第 {layer} 层 · {kind} · 一个请求 {layer_bytes}",
    ring: "{slots} 槽，已写 {used}，下一个写槽 {slot} · {bytes}",
    rows: "{rows} 条 · {bytes}",
    rows_by: "{rows} 条 · {bytes} · 每格 {n} 条",
    lacks: "这种层没有",
    tail: "等着凑组的 token：{left} / {group} · {bytes}",
    totals: ["{layers} 层加起来：一个请求 {request}", "每卡要放 {batch} 个请求的份：{all}"],
    traps: ["陷阱一：块内照样要遮", "陷阱二：没凑满的组要带过边界"],
    first_notes: ["前一块：读缓存，全可见", "本块：到自己为止", "忘了遮：看到将来"],
    second_notes: [
        "例：每块 {chunk} 个，第 1 组被切成 {left}+{rest}",
        "CSA 条目 1 还要用到第 0 组，也得留着",
    ],
    own_border: "本例第 {at} 个 token 处：CSA 余 {csa_left} / {m}，HCA 余 {hca_left} / {n}",
    entry: "条目 {n}",
    scores: "一个 CSA 层的临时分数 [B, S, 头/TP, S/{m}]，BF16",
    memory: "显存 {capacity}",
    ways: ["一次读完", "分块", "若再融合"],
    held: ["权重", "缓存", "残差", "各头分数", "加权再一份", "各头之和"],
    peak: "峰值",
    fused: "融合：在片上把头加完，每次只留 {tile} 个 query 的分数。其余激活没有画",
};

const EN: Words = Words {
    title: "Prefill: a block of prompt tokens through all layers",
    captions: [
        "A batch of {batch} enters, {context} tokens each; as residual streams they take {residual}",
        "Computed together, not seen together: a token sees itself and what came before, entries once complete",
        "The same block passes {layers} layers, {kinds}, and fills each one's own caches",
        "Layer {layer} ({kind}) keeps {layer_bytes} of a request; {layers} layers, each its own, keep {request}",
        "{chunks} chunks. At the first border {csa_left} CSA and {hca_left} HCA tokens are left over and carried on",
        "At once it takes {peak}, memory is {capacity}; chunks bring it to {chunked}, a fused kernel to {fused}",
    ],
    aligned: "{chunks} chunks whose borders end whole groups: nothing is left over, only CSA's last group is carried",
    one_chunk: "One chunk takes it all; {csa_left} CSA and {hca_left} HCA tokens are left for the first generated token",
    peak_fits: "At once it peaks at {peak} of {capacity} and fits; chunks take {chunked}, a fused kernel {fused}",
    peak_hopeless: "{peak} at once. Fusing removes temporaries, not weights and caches: {resident} of them, memory {capacity}",
    prompt: "Prompts: {batch} × {context} tokens",
    cut: "Chunks of {chunk} tokens: {chunks}",
    cut_many: "Chunks of {chunk} tokens: {chunks}, drawn as {drawn} pieces",
    own_caches: "Caches by layer, by bytes · a request {request}",
    tokens: "Tokens",
    caches: ["Window ring", "Entries", "Indexer keys", "Tail state"],
    cell: "A request a row, {n} tokens a cell",
    about_cell: "A request a row, about {n} tokens a cell",
    some_requests: "; first {n} drawn",
    embed: "Embedding: an id becomes {streams} streams of {hidden} values",
    residual: "All streams [B, S, {streams}, {hidden}], BF16: {residual}",
    residual_chunk: "Only {chunk} tokens at a time: {residual_chunk}",
    mask: "Small example: {n} tokens at once, a query a row",
    mask_columns: ["Tokens' KV", "CSA entries"],
    mask_notes: [
        "Seen: itself and before",
        "Hidden: still to come",
        "{m} to a group, seen from its last token on",
    ],
    last_query: "The real prompt's last token: {window} of the window; {picked} of {csa} entries picked in CSA layers; all {hca} in HCA layers",
    kept: "What layers keep of the same {n} tokens",
    kinds: [
        "{count} window layers: nothing older is kept",
        "{count} CSA layers: an entry and a key for {m} tokens, {k} picked",
        "{count} HCA layers: an entry for {n} tokens, all read",
    ],
    within: "Within a layer, the same order in all {layers}",
    parts: ["Mix", "Attention", "Reduce", "Experts", "Reduce"],
    opened: "Layer {layer} · {kind} · {layer_bytes} a request",
    ring: "{slots} slots, {used} written, next is {slot} · {bytes}",
    rows: "{rows} · {bytes}",
    rows_by: "{rows} · {bytes} · {n} a cell",
    lacks: "none in such a layer",
    tail: "{left} / {group} tokens waiting · {bytes}",
    totals: ["{layers} layers together: {request} a request", "On each GPU, for a batch of {batch}: {all}"],
    traps: ["Trap 1: mask within the chunk, too", "Trap 2: carry unfinished groups over"],
    first_notes: ["Last chunk: cached, all seen", "This chunk: up to itself", "No mask: the future leaks"],
    second_notes: [
        "Chunks of {chunk}: group 1 is cut into {left}+{rest}",
        "CSA entry 1 also needs group 0: keep it",
    ],
    own_border: "Here, after token {at}: CSA {csa_left} / {m} left, HCA {hca_left} / {n}",
    entry: "Entry {n}",
    scores: "Temporary scores of a CSA layer [B, S, heads/TP, S/{m}]",
    memory: "Memory {capacity}",
    ways: ["At once", "Chunked", "If fused"],
    held: ["Weights", "Caches", "Streams", "Head scores", "Weighted copy", "Sum of heads"],
    peak: "Peak",
    fused: "Fused: heads are summed on the chip, {tile} queries at a time. Other activations are not drawn",
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

/// The name of a kind of layer, the same in both languages.
pub(super) const fn kind_name(kind: AttentionKind) -> &'static str {
    match kind {
        AttentionKind::Window => "SWA",
        AttentionKind::Csa => "CSA",
        AttentionKind::Hca => "HCA",
    }
}
