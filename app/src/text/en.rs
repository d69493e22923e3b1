//! The page's text in English.

use model_core::figure::{Kind, Ledger, Scope, Source};
use model_core::format::count;
use model_core::scenario::{Key, Reason, Refusal};

use super::Text;

pub(super) const TEXT: Text = Text {
    title: "One Token, Eight GPUs",
    other_language: "中",
    switch_language: "切换到中文",
    switch_theme: "Light or dark",
    units: "Units of size",
    ledger: "Ledger",
    ledger_name,

    chapter: |number| format!("Chapter {number}"),
    chapters: "Chapters",
    takeaways_heading: "Three things to keep",
    details: "Engineering details",
    details_note: "Computed live from the sliders. Press any of them for its derivation.",

    stage_keys: "Arrow keys step, Space plays, digits jump",
    play: "Play this step",
    pause: "Pause",
    previous: "Previous step",
    next: "Next step",
    steps: "Steps",
    reduced_motion: "Your system asks for less motion: steps switch at once",
    save_still: "SVG ↓",
    scrub: "Scrub",
    speed: "Speed",
    zoom: "Zoom",
    present: "Present",
    ask: "Question (Q), answer (A)",
    leave: "Leave (Esc)",
    open_page: "Open the whole page ↗",
    worked: "Worked through",
    exercise: "Guess first",
    next_line: "Next line",
    from_start: "From the start",
    right: "Right.",
    wrong: "No.",
    reveal: "Show the answer",
    fresh_numbers: "Fresh numbers",
    pace: "Pace",
    pace_equal: "equal steps",
    pace_true: "true proportions",
    slowed: |factor| format!("slowed {factor}×"),

    key_figures: "Key figures",
    of: "of",
    fits: "It fits",
    does_not_fit: "Does not fit",
    short_by: "short by",
    left: "left:",
    smallest_cut: "Fewest GPUs that fit",
    no_cut: "No legal cut fits",
    gpus: "GPUs",
    take_cut: "Use it",

    controls: "Load and cut",
    key_name,
    key_unit,
    key_word,
    typed: "type a value",
    reset: "Back to defaults",

    capacity_heading: "Memory of one GPU",
    capacity_columns: ["Part", "Placed", "Per GPU", "Share of memory"],
    total: "Total",
    memory: "Memory",
    free: "Free",
    short: "Short by",
    not_counted,
    contexts_heading: "At other context lengths",
    contexts_columns: ["Context", "Cache of a request", "All caches / GPU", "Fits"],
    yes_no: ["yes", "no"],

    chart_heading: "Cache of one request",
    chart_note: "Both axes are logarithmic and the vertical one does not begin at zero; bands are stacked by part.",
    charts: "Charts",
    chart_keys: "Chart: left and right read values, Esc stops",
    enlarge: "Show this chart large",
    as_table: "As a table",
    save_svg: "SVG",
    rooms: "Rooms",
    room_names: ["Walk", "Calculate", "Compare", "Reality", "Workbench"],
    inputs: "Inputs",
    groups: ["Model and hardware", "Plan", "Load", "Conventions", "More"],
    presets: "Cases by name",
    copy: "Copy",
    copy_link: "Copy link",
    copy_embed: "Copy embed code",
    print: "Print a one-page report",
    hand_on: "Take it with you",
    opened: "Opened",
    open_file: "Open a file…",
    paste: "Paste JSON",
    paste_hint: "A scenario saved here, or a model’s config.json; a file can be dropped on the page too",
    take: "Open",
    own_model: "Using a model of your own:",
    leave_own_model: "Back to the built-in one",
    copied: "Copied",
    not_copied: "The browser does not allow copying",
    save_tsv: "TSV",
    choose_row: "Take this row",
    save_csv: "CSV",

    derivation: "Derivation",
    derivation_rows: ["Formula", "Values put in", "Speaks of", "Certainty", "Sources", "Id"],
    other_ledgers: "The other two ledgers",
    given: "given, not derived",
    close: "Close",
    figure_name,
    scope,
    kind,
    source,

    refused_heading: "Some values were not taken",
    refused,
    not_fetched: "The other chapters could not be fetched; what is shown stays.",
    fetch_again: "Try again",
    dismiss: "Dismiss",
    footer: "One model in this page computes every number. It works offline and collects nothing.",
};

fn not_counted(ledger: Ledger) -> &'static str {
    match ledger {
        Ledger::Tutorial => {
            "This ledger counts routed experts, shared experts and caches. Attention, vocabulary, stream parameters, the draft block and workspace are left out, so the total is a lower bound."
        }
        Ledger::Report => {
            "This ledger spreads weights and caches evenly over the GPUs and uses decimal units. The real cache cannot be split, so it is hopeful; switch to the exact ledger to see by how much."
        }
        Ledger::Exact => {
            "Every tensor by its published shape and format, caches in the rows engines use. Activations and workspace are in the reserve alone; engines hold more."
        }
    }
}

fn ledger_name(ledger: Ledger) -> &'static str {
    match ledger {
        Ledger::Tutorial => "Tutorial",
        Ledger::Report => "Report",
        Ledger::Exact => "Exact",
    }
}

fn key_name(key: Key) -> &'static str {
    match key {
        Key::Context => "Context",
        Key::Batch => "Batch",
        Key::Chunk => "Chunk",
        Key::Layer => "Layer opened",
        Key::Position => "Position",
        Key::Fault => "Fault put in",
        Key::Tp => "Cut TP",
        Key::GpuMemoryGib => "GPU memory",
        Key::Kernel => "Kernel",
        Key::Tile => "Tile side",
        Key::L2Mib => "L2 size",
        Key::CommDtype => "Wire format",
        Key::Algorithm => "Algorithm",
        Key::Router => "Routing",
        Key::Skew => "Skew",
        Key::Seed => "Seed",
        Key::Ep => "Experts over EP",
        Key::Model => "Model",
        Key::Gpu => "GPU",
        Key::Layout => "Layout",
        Key::Pp => "Stages PP",
        Key::Dedupe => "Merge per GPU",
        Key::DropRank => "GPU left out",
        Key::ArrivalsPerS => "Arrivals",
        Key::PrefixHits => "Prefix hits",
        Key::Temperature => "Temperature",
        Key::TopP => "top-p",
        Key::DraftDepth => "Draft depth",
        Key::Acceptance => "Acceptance",
        Key::Waves => "Waves",
        Key::MeasuredTpotMs => "TPOT measured",
        Key::MeasuredTtftMs => "TTFT measured",
        Key::MeasuredKvTokens => "KV tokens measured",
        Key::PartAttentionMs => "Attention takes",
        Key::PartExpertsMs => "Experts take",
        Key::PartCommMs => "Exposed links",
        Key::PartCpuMs => "CPU takes",
        Key::Speedup => "Speed-up",
        Key::HiddenMs => "Hide more",
        Key::Link => "Link",
        Key::AlphaUs => "Start-up α",
        Key::PeakTflops => "FP8 rate",
        Key::HbmTbS => "HBM rate",
        Key::Gpus => "GPUs in all",
        Key::GpusPerNode => "GPUs a node",
        Key::Prefix => "Prefix",
        Key::KvRows => "KV rows",
        Key::KvPlacement => "KV placement",
        Key::State => "Count tail state",
        Key::PageRounding => "Round to pages",
        Key::Dtypes => "Weight formats",
        Key::Mtp => "Draft block (MTP)",
        Key::MemoryReading => "Memory as read",
        Key::ReserveGb => "Reserve a GPU",
        Key::Engine => "Engine constants",
        Key::LinkGbS => "Link in a node",
        Key::NetworkGbS => "Network",
        Key::HbmEfficiency => "HBM reached",
        Key::LinkEfficiency => "Link reached",
        Key::ProjEfficiency => "Projections reach",
        Key::AttnEfficiency => "Attention reaches",
        Key::MoeDecodeEfficiency => "Experts reach, decode",
        Key::MoePrefillEfficiency => "Experts reach, prefill",
        Key::OverheadSmallMs => "Fixed, batch ≤ 32",
        Key::OverheadMediumMs => "Fixed, batch ≤ 128",
        Key::OverheadLargeMs => "Fixed, larger",
        Key::OverheadPrefillMs => "Fixed, prefill",
        Key::LatencyUsPerLayer => "Latency a layer",
        Key::QueueMs => "Queue",
        Key::WeightsGb => "Checkpoint",
        Key::Vocab => "Vocabulary",
        Key::Draw => "Experts drawn",
        Key::Kind => "Kind of expert",
        Key::NocTbS => "NoC (L2 → SM)",
        Key::ExpertCacheHit => "Expert cache hits",
        Key::IndexerTbS => "Indexer channel",
        Key::Fp4Tflops => "FP4 rate (experts, index)",
        Key::Bf16Tflops => "BF16 rate (attention, head)",
        Key::PowerCap => "Power cap",
        Key::Overlap => "Exchanges",
        Key::FixedTimes => "Times the fixed time",
        Key::SlowestGpu => "By the slowest GPU",
    }
}

fn key_unit(key: Key) -> &'static str {
    match key {
        Key::Context => "tokens",
        Key::Batch => "requests",
        Key::Chunk => "tokens",
        Key::Tp => "GPUs",
        Key::GpuMemoryGib => "GiB",
        Key::L2Mib => "MiB",
        Key::ArrivalsPerS => "per second",
        Key::Pp => "stages",
        Key::Ep => "GPUs",
        Key::AlphaUs => "µs",
        Key::PartAttentionMs | Key::PartExpertsMs | Key::PartCommMs | Key::PartCpuMs | Key::HiddenMs => "ms",
        Key::Speedup | Key::FixedTimes => "×",
        Key::PeakTflops | Key::Fp4Tflops | Key::Bf16Tflops => "TFLOP/s",
        Key::HbmTbS | Key::NocTbS | Key::IndexerTbS => "TB/s",
        Key::MeasuredTpotMs | Key::MeasuredTtftMs => "ms",
        Key::MeasuredKvTokens => "tokens",
        Key::Prefix => "tokens",
        Key::ReserveGb | Key::WeightsGb => "GB",
        Key::LinkGbS | Key::NetworkGbS => "GB/s",
        Key::LatencyUsPerLayer => "µs",
        Key::OverheadSmallMs
        | Key::OverheadMediumMs
        | Key::OverheadLargeMs
        | Key::OverheadPrefillMs
        | Key::QueueMs => "ms",
        Key::Gpus | Key::GpusPerNode => "GPUs",
        _ => "",
    }
}

fn key_word(word: &'static str) -> &'static str {
    match word {
        "projection" => "Projection",
        "expert" => "Expert GEMM",
        "attention" => "Sparse attention",
        "indexer" => "Indexer scan",
        "fp32" => "FP32",
        "bf16" => "BF16",
        "uniform" => "uniform",
        "zipf" => "Zipf",
        "hot" => "hot experts",
        "hash" => "hash table",
        "engine" => "small model, run",
        "true" => "on",
        "false" => "off",
        "v4-pro" => "V4-Pro",
        "v4-flash" => "V4-Flash",
        "ring" => "ring",
        "tree" => "tree",
        "in_switch" => "in the switch",
        "skip_rank" => "a GPU left out",
        "reset_tail" => "tail forgotten",
        "late_entry" => "entry one token late",
        "early_overwrite" => "slot overwritten early",
        "none" => "none",
        "tp" => "TP: each layer cut",
        "gpu" => "GPU's own, one way",
        "gpu_two_way" => "GPU's own, both ways",
        "nvlink_900" => "NVLink 4, both ways",
        "nvlink_450" => "NVLink 4, one way",
        "ib_400g" => "Network, 400 Gbit/s",
        "dp_attention_ep" => "DP + EP: attention by request",
        "gb" => "in GB",
        "gib" => "in GiB",
        "reported" => "as the driver says",
        "reference" => "reference",
        "fp8" => "engine's FP8",
        "fp8_fp4idx" => "FP8, FP4 index",
        "by_plan" => "by plan",
        "copied" => "a copy each",
        "split" => "split",
        "stored" => "as stored",
        "distinct_top6" => "without replacement",
        "with_replacement" => "with replacement",
        "routed" => "routed",
        "shared" => "shared",
        "sglang_h20" => "SGLang · H20",
        "sglang_h20_online_hca" => "SGLang · H20, online HCA",
        "sglang_h200_tp8" => "SGLang · H200 TP8",
        "ledger" => "as the ledger counts",
        "waves" => "overlapped in waves",
        "serial" => "one after the other",
        term => term,
    }
}

fn figure_name(id: &str) -> &'static str {
    match id {
        "memory.partial.bytes_per_gpu" => "Needed per GPU",
        "gpu.memory.bytes" => "Memory per GPU",
        "memory.bytes_per_gpu" => "Needed per GPU",
        "memory.reserve.bytes_per_gpu" => "Reserve per GPU",
        "weights.bytes_per_gpu" => "All weights, per GPU",
        "plan.min_gpus" => "Fewest GPUs that fit",
        "decode.step_s" => "One decode step",
        "decode.floor_s" => "Floor of a decode step",
        "decode.tokens_per_s" => "Throughput",
        "capacity.max_batch_reserved" => "Largest batch",
        "checkpoint.params" => "Parameters in all",
        "checkpoint.bytes" => "Size of the checkpoint",
        "active.params" => "Parameters active per token",
        "expert.bytes" => "Bytes of an expert",
        "collectives.allreduce_per_forward" => "All-reduces in a forward pass",
        "memory.free.bytes_per_gpu" => "Free per GPU",
        "memory.short.bytes_per_gpu" => "Short per GPU",
        "weights.routed.bytes_per_gpu" => "Routed experts, per GPU",
        "weights.routed.bytes" => "Routed experts, all",
        "weights.routed.params" => "Parameters of routed experts",
        "weights.routed.bytes_per_param" => "Bytes of an expert parameter",
        "weights.shared.bytes_per_gpu" => "Shared experts, per GPU",
        "cache.batch.bytes_per_gpu" => "All caches, per GPU",
        "cache.request.bytes" => "Cache of one request",
        "cache.window.bytes" => "Window rings",
        "cache.compressed.bytes" => "Compressed entries",
        "cache.main.bytes" => "Main cache",
        "cache.indexer.bytes" => "Indexer keys",
        "cache.state.bytes" => "Tail state",
        "weights.router.bytes_per_gpu" => "Routers, per GPU",
        "weights.streams.bytes_per_gpu" => "Stream mixing, per GPU",
        "weights.attention.bytes_per_gpu" => "Attention, per GPU",
        "weights.embedding.bytes_per_gpu" => "Embedding, per GPU",
        "weights.head.bytes_per_gpu" => "Output head, per GPU",
        "weights.mtp.bytes_per_gpu" => "Draft block, per GPU",
        "cache.window.bytes_per_gpu" => "Window rings, per GPU",
        "cache.csa.bytes_per_gpu" => "CSA entries, per GPU",
        "cache.hca.bytes_per_gpu" => "HCA entries, per GPU",
        "cache.indexer.bytes_per_gpu" => "Indexer keys, per GPU",
        "cache.state.bytes_per_gpu" => "Tail state, per GPU",
        "cache.mtp.bytes_per_gpu" => "Draft cache, per GPU",
        "cache.page_rounding.bytes_per_gpu" => "Page rounding, per GPU",
        "cache.csa.bytes" => "CSA entries",
        "cache.hca.bytes" => "HCA entries",
        "cache.mtp.bytes" => "Draft cache",
        "cache.page_rounding.bytes" => "Page rounding",
        "plan.min_tp_partial" => "Fewest GPUs that fit",
        "plan.min_tp" => "Smallest cut by routed experts alone",
        "plan.min_gpus_by_bytes" => "GPUs by bytes alone",
        "moe.distinct_experts" => "Distinct experts read in a layer",
        "allreduce.message.bytes" => "Message of one all-reduce",
        "allreduce.sent.bytes_per_gpu" => "Sent per GPU in one all-reduce",
        "prefill.index_scores.bytes_per_gpu" => "Temporary index scores of a prefill",
        "prefill.index_product.bytes_per_gpu" => "Weighted copy of the scores",
        "prefill.index_scores_summed.bytes" => "Scores summed over heads",
        "prefill.index_peak.bytes_per_gpu" => "Indexer temporaries, prompt at once",
        "prefill.index_peak_chunked.bytes_per_gpu" => "Indexer temporaries, in chunks",
        "prefill.index_peak_fused.bytes_per_gpu" => "Indexer temporaries, fused",
        "shard.query_heads_per_gpu" => "Query heads per GPU",
        "shard.output_groups_per_gpu" => "Output groups per GPU",
        "shard.indexer_heads_per_gpu" => "Indexer heads per GPU",
        "shard.routed_experts_per_gpu" => "Routed experts per GPU",
        "cache.row.bytes" => "One cache row",
        "decode.attn.bytes_per_gpu" => "Dynamic attention reads, per GPU",
        "decode.attn.flops_per_gpu" => "Dynamic attention FLOPs, per GPU",
        "allreduce.worked_sum" => "The sum worked by hand",
        "decode.exchange.startup_s" => "Start-up of exchanges",
        "decode.exchange.transfer_s" => "Transfer of exchanges",
        "decode.exchange_s" => "Exchanges of a step",
        "decode.layer.csa.flops_per_gpu" => "A CSA layer's FLOPs, per GPU",
        "decode.layer.csa.kv_bytes_per_gpu" => "A CSA layer's cache reads, per GPU",
        "decode.layer.csa.proj_bytes_per_gpu" => "A CSA layer's projections, per GPU",
        "decode.layer.ep.bytes_per_gpu" => "Dispatch and combine of a layer, per GPU",
        "decode.layer.moe.bytes" => "Experts read in a layer",
        "decode.layer.moe.bytes_per_gpu" => "Experts read in a layer, per GPU",
        "decode.layer.moe.flops_per_gpu" => "Expert FLOPs of a layer, per GPU",
        "decode.moe.bound" => "Experts are bound by",
        "decode.moe.bytes_per_gpu" => "Expert reads, per GPU",
        "decode.moe.flops_per_gpu" => "Expert FLOPs, per GPU",
        "decode.proj.bytes_per_gpu" => "Projection reads, per GPU",
        "decode.proj.flops_per_gpu" => "Projection FLOPs, per GPU",
        "ep.dispatch.bytes" => "Payload of a naive dispatch",
        "ep.pair.bytes" => "Payload of a token and expert pair",
        "moe.layer.flops_per_token" => "Expert FLOPs of a token and layer",
        "prefill.kv_read.bytes" => "Cache reads of a prefill",
        "prefill.step_s" => "One chunk of prefill",
        "prefill.tokens_per_s" => "Prefill rate",
        "ttft_s" => "Time to first token",
        _ => "",
    }
}

fn scope(scope: Scope) -> &'static str {
    match scope {
        Scope::Total => "the deployment or the model",
        Scope::PerGpu => "one GPU",
        Scope::PerRequest => "one request",
        Scope::PerLayer => "one layer",
        Scope::PerToken => "one token",
    }
}

fn kind(kind: Kind) -> &'static str {
    match kind {
        Kind::Exact => "exact: follows from published shapes and rules",
        Kind::Assumed => "assumed: rests on a model or a teaching assumption",
        Kind::Measured => "measured: published measurement",
    }
}

fn source(source: Source) -> String {
    match source {
        Source::Tutorial(place) => format!("Inference walkthrough, {place}"),
        Source::Report(place) => format!("H200 hardware report, section {place}"),
        Source::TechnicalReport(place) => format!("Technical report {place}"),
        Source::Engine(name) => format!("Inference engine: {name}"),
        Source::Measured(name) => format!("Published measurement: {name}"),
        Source::Config => "Published configuration".to_owned(),
        Source::Reference => "Published reference implementation".to_owned(),
        Source::Scenario => "Your own setting".to_owned(),
        Source::Checkpoint => "Headers of the checkpoint".to_owned(),
        Source::Vendor => "Vendor's data sheet".to_owned(),
        Source::HardwareTable => "Public hardware table".to_owned(),
        Source::Driver => "Size the driver reports".to_owned(),
    }
}

fn refused(refusal: &Refusal) -> String {
    let name = match Key::from_name(&refusal.key) {
        Some(key) => key_name(key),
        None => refusal.key.as_str(),
    };
    let given = &refusal.given;
    let what = match refusal.reason {
        Reason::Empty => format!("{name}: no value given, the last one stays"),
        Reason::NotANumber => format!("{name}: “{given}” is not a number, the last value stays"),
        Reason::NotWhole => format!("{name}: “{given}” is not a whole number, the last value stays"),
        Reason::Below(min) => format!("{name}: “{given}” is below {}, the last value stays", count(min)),
        Reason::Above(max) => format!("{name}: “{given}” is above {}, the last value stays", count(max)),
        Reason::NotOneOf(words) => format!("{name}: “{given}” is none of {}", words.join(", ")),
        Reason::Repeated => format!("{name}: given more than once, the first counts"),
        Reason::UnknownKey => format!("{name}: no such setting"),
        Reason::CannotCut(what, size) => {
            let size = count(size as f64);
            format!("{name}: cannot be cut into {given}, which does not divide {size} {}", what.name())
        }
        Reason::TooManyStages(layers) => format!("{name}: {given} stages are more than {layers} layers"),
        Reason::MustEqual(number) => format!("{name}: must equal {number} in this plan"),
        Reason::MustDivide(number) => format!("{name}: {given} does not divide {number}"),
        Reason::TooMany(most) => {
            format!("{name}: at most {most} stand beside the first, “{given}” was left out")
        }
        Reason::NewerForm(known) => {
            format!(
                "This link is of form {given}, and {known} is the newest known here; what could be read was"
            )
        }
    };
    match refusal.compared {
        Some(place) => format!("Scenario {place} of those the link compares was left out. {what}"),
        None => what,
    }
}
