//! The page's text in Chinese.

use model_core::figure::{Kind, Ledger, Scope, Source};
use model_core::format::count;
use model_core::scenario::refusal::Dimension;
use model_core::scenario::{Key, Reason, Refusal};

use super::Text;

pub(super) const TEXT: Text = Text {
    title: "一枚 token，八张卡",
    other_language: "EN",
    switch_language: "EN: Switch to English",
    switch_theme: "切换明暗",
    units: "容量单位",
    ledger: "账本",
    ledger_name,

    chapter: |number| format!("第 {number} 章"),
    chapters: "章节",
    takeaways_heading: "记住三件事",
    details: "工程细节",
    details_note: "以下数值随滑块实时计算，点任意一个可看推导。",

    stage_keys: "方向键换步，空格播放，数字键跳转",
    play: "播放这一步",
    pause: "暂停",
    previous: "上一步",
    next: "下一步",
    steps: "步骤",
    reduced_motion: "系统设为减少动态效果，步骤直接切换",
    save_still: "SVG ↓",
    scrub: "拖动进度",
    speed: "播放速度",
    zoom: "放大",
    present: "课堂",
    ask: "提问（Q），答案（A）",
    leave: "退出（Esc）",
    open_page: "打开完整页面 ↗",
    worked: "算一遍",
    exercise: "先猜再看",
    next_line: "下一行",
    from_start: "从头来",
    right: "对。",
    wrong: "不对。",
    reveal: "看答案",
    fresh_numbers: "换一组数",
    pace: "步长",
    pace_equal: "每步等长",
    pace_true: "按真实比例",
    slowed: |factor| format!("放慢 {factor} 倍"),

    key_figures: "关键数值",
    of: "／",
    fits: "放得下",
    does_not_fit: "放不下",
    short_by: "差",
    left: "余",
    smallest_cut: "至少要",
    no_cut: "没有可行划分",
    gpus: "张卡",
    take_cut: "换成它",

    controls: "负载与划分",
    key_name,
    key_unit,
    key_word,
    typed: "输入数值",
    reset: "恢复默认",

    capacity_heading: "每卡显存",
    capacity_columns: ["部分", "放法", "每卡", "占显存"],
    total: "合计",
    memory: "显存",
    free: "空闲",
    short: "缺口",
    not_counted,
    contexts_heading: "换个上下文长度",
    contexts_columns: ["上下文", "每请求缓存", "全部缓存 / 卡", "放得下"],
    yes_no: ["是", "否"],

    chart_heading: "一个请求的缓存",
    chart_note: "两轴都是对数刻度，纵轴不从零起；色带按部分叠放。",
    charts: "图表",
    chart_keys: "图表：左右键读数，Esc 收起",
    enlarge: "放大这张图",
    as_table: "看成表格",
    save_svg: "SVG",
    rooms: "房间",
    room_names: ["走读", "计算", "对比", "实测", "改硬件"],
    inputs: "输入",
    groups: ["模型与硬件", "划分", "负载", "口径", "更多"],
    presets: "现成的例子",
    copy: "复制",
    copy_link: "复制链接",
    copy_embed: "复制嵌入代码",
    print: "打印一页报告",
    hand_on: "带走",
    copied: "已复制",
    not_copied: "浏览器不让复制",
    save_tsv: "TSV",
    choose_row: "换成这一行",
    save_csv: "CSV",

    derivation: "推导",
    derivation_rows: ["公式", "代入", "范围", "性质", "出处", "编号"],
    given: "直接给出，不经推导",
    close: "关闭",
    figure_name,
    scope,
    kind,
    source,

    refused_heading: "有些值没有采用",
    refused,
    not_fetched: "其余章节没有取到，当前内容不受影响。",
    fetch_again: "再取一次",
    dismiss: "知道了",
    footer: "数值都由页面里的同一个模型算出，离线可用，不收集任何信息。",
};

fn not_counted(ledger: Ledger) -> &'static str {
    match ledger {
        Ledger::Tutorial => {
            "这本账只算路由专家、共享专家和缓存；注意力、词表、残差参数、草稿块和工作区不在内，所以合计是下限。"
        }
        Ledger::Report => {
            "这本账把权重和缓存都平均分给各卡，用十进制单位。真实的缓存切不开，所以它偏乐观；换成精确账可见差别。"
        }
        Ledger::Exact => {
            "每个张量按公开形状和精度逐项相加，缓存按引擎的行格式算。激活和工作区只算在预留里，引擎实际占用更多。"
        }
    }
}

fn ledger_name(ledger: Ledger) -> &'static str {
    match ledger {
        Ledger::Tutorial => "教程账",
        Ledger::Report => "报告账",
        Ledger::Exact => "精确账",
    }
}

fn key_name(key: Key) -> &'static str {
    match key {
        Key::Context => "上下文",
        Key::Batch => "批量",
        Key::Chunk => "块长",
        Key::Layer => "打开第几层",
        Key::Position => "查询位置",
        Key::Fault => "故意出错",
        Key::Tp => "划分 TP",
        Key::GpuMemoryGib => "单卡显存",
        Key::Kernel => "kernel",
        Key::Tile => "分块边长",
        Key::L2Mib => "L2 大小",
        Key::CommDtype => "通信精度",
        Key::Algorithm => "归约算法",
        Key::Router => "路由分布",
        Key::Skew => "偏斜",
        Key::Seed => "随机种子",
        Key::Ep => "专家并行 EP",
        Key::Model => "模型",
        Key::Gpu => "GPU",
        Key::Layout => "划分方式",
        Key::Pp => "流水线 PP",
        Key::Dedupe => "同卡合并",
        Key::DropRank => "漏掉的卡",
        Key::ArrivalsPerS => "到达率",
        Key::PrefixHits => "前缀命中率",
        Key::Temperature => "温度",
        Key::TopP => "top-p",
        Key::DraftDepth => "草稿深度",
        Key::Acceptance => "接受率",
        Key::Waves => "分几波",
        Key::PartAttentionMs => "注意力用时",
        Key::PartExpertsMs => "专家用时",
        Key::PartCommMs => "露出的通信",
        Key::PartCpuMs => "CPU 用时",
        Key::Speedup => "快几倍",
        Key::HiddenMs => "再藏通信",
        Key::Link => "链路",
        Key::AlphaUs => "启动 α",
        Key::PeakTflops => "FP8 算力",
        Key::HbmTbS => "HBM 带宽",
        Key::Gpus => "总卡数",
        Key::GpusPerNode => "每节点卡数",
        Key::Prefix => "已有前缀",
        Key::KvRows => "KV 行格式",
        Key::KvPlacement => "KV 放置",
        Key::State => "计入未满组",
        Key::PageRounding => "按页取整",
        Key::Dtypes => "权重格式",
        Key::Mtp => "草稿块 MTP",
        Key::MemoryReading => "显存标称读法",
        Key::ReserveGb => "每卡预留",
        Key::Engine => "引擎常量",
        Key::LinkGbS => "节点内链路",
        Key::NetworkGbS => "节点间网络",
        Key::HbmEfficiency => "HBM 效率",
        Key::LinkEfficiency => "链路效率",
        Key::ProjEfficiency => "投影效率",
        Key::AttnEfficiency => "注意力效率",
        Key::MoeDecodeEfficiency => "专家效率（decode）",
        Key::MoePrefillEfficiency => "专家效率（prefill）",
        Key::OverheadSmallMs => "固定开销，批 ≤ 32",
        Key::OverheadMediumMs => "固定开销，批 ≤ 128",
        Key::OverheadLargeMs => "固定开销，更大批",
        Key::OverheadPrefillMs => "固定开销，prefill",
        Key::LatencyUsPerLayer => "每层延迟",
        Key::QueueMs => "排队",
        Key::WeightsGb => "检查点大小",
        Key::Vocab => "词表",
        Key::Draw => "抽专家的算法",
        Key::Kind => "专家种类",
    }
}

fn key_unit(key: Key) -> &'static str {
    match key {
        Key::Context => "token",
        Key::Batch => "请求",
        Key::Chunk => "token",
        Key::Tp => "卡",
        Key::GpuMemoryGib => "GiB",
        Key::L2Mib => "MiB",
        Key::ArrivalsPerS => "条/秒",
        Key::Pp => "段",
        Key::Ep => "卡",
        Key::Waves => "波",
        Key::AlphaUs => "µs",
        Key::PartAttentionMs | Key::PartExpertsMs | Key::PartCommMs | Key::PartCpuMs | Key::HiddenMs => "ms",
        Key::Speedup => "×",
        Key::PeakTflops => "TFLOP/s",
        Key::HbmTbS => "TB/s",
        Key::Prefix => "token",
        Key::ReserveGb | Key::WeightsGb => "GB",
        Key::LinkGbS | Key::NetworkGbS => "GB/s",
        Key::LatencyUsPerLayer => "µs",
        Key::OverheadSmallMs
        | Key::OverheadMediumMs
        | Key::OverheadLargeMs
        | Key::OverheadPrefillMs
        | Key::QueueMs => "ms",
        Key::Gpus | Key::GpusPerNode => "卡",
        _ => "",
    }
}

fn key_word(word: &'static str) -> &'static str {
    match word {
        "projection" => "投影矩阵乘",
        "expert" => "专家矩阵乘",
        "attention" => "稀疏注意力",
        "indexer" => "索引扫描",
        "fp32" => "FP32",
        "bf16" => "BF16",
        "uniform" => "均匀",
        "zipf" => "Zipf",
        "hot" => "热点专家",
        "hash" => "查表（前几层）",
        "engine" => "小模型真跑",
        "true" => "开",
        "false" => "关",
        "v4-pro" => "V4-Pro",
        "v4-flash" => "V4-Flash",
        "ring" => "环",
        "tree" => "树",
        "in_switch" => "交换机内归约",
        "skip_rank" => "漏掉一张卡",
        "reset_tail" => "忘掉未满组",
        "late_entry" => "条目晚一步可见",
        "early_overwrite" => "提前覆盖一格",
        "none" => "无",
        "tp" => "TP：每层切开",
        "gpu" => "本卡，单向",
        "gpu_two_way" => "本卡，双向",
        "nvlink_900" => "NVLink 4，双向",
        "nvlink_450" => "NVLink 4，单向",
        "ib_400g" => "400 Gbit/s 网络",
        "dp_attention_ep" => "DP + EP：注意力按请求分",
        "gb" => "按 GB",
        "gib" => "按 GiB",
        "reported" => "按驱动报告",
        "reference" => "参考实现",
        "fp8" => "引擎 FP8",
        "fp8_fp4idx" => "FP8，索引 FP4",
        "by_plan" => "随划分",
        "copied" => "每卡一份",
        "split" => "分到各卡",
        "stored" => "检查点原样",
        "distinct_top6" => "不放回",
        "with_replacement" => "放回",
        "routed" => "路由",
        "shared" => "共享",
        "sglang_h20" => "SGLang · H20",
        "sglang_h20_online_hca" => "SGLang · H20，在线 HCA",
        "sglang_h200_tp8" => "SGLang · H200 TP8",
        term => term,
    }
}

fn figure_name(id: &str) -> &'static str {
    match id {
        "memory.partial.bytes_per_gpu" => "每卡需要",
        "gpu.memory.bytes" => "每卡显存",
        "memory.bytes_per_gpu" => "每卡需要",
        "memory.reserve.bytes_per_gpu" => "每卡预留",
        "weights.bytes_per_gpu" => "全部权重（每卡）",
        "plan.min_gpus" => "放得下的最少卡数",
        "decode.step_s" => "一步 decode",
        "decode.floor_s" => "一步 decode 的下限",
        "decode.tokens_per_s" => "吞吐",
        "capacity.max_batch_reserved" => "最大批量",
        "checkpoint.params" => "参数总数",
        "checkpoint.bytes" => "检查点大小",
        "active.params" => "每 token 激活参数",
        "expert.bytes" => "一个专家的字节",
        "collectives.allreduce_per_forward" => "一次前向的归约次数",
        "memory.free.bytes_per_gpu" => "每卡空闲",
        "memory.short.bytes_per_gpu" => "每卡缺口",
        "weights.routed.bytes_per_gpu" => "路由专家（每卡）",
        "weights.routed.bytes" => "路由专家（全部）",
        "weights.routed.params" => "路由专家参数",
        "weights.routed.bytes_per_param" => "每个专家参数的字节",
        "weights.shared.bytes_per_gpu" => "共享专家（每卡）",
        "cache.batch.bytes_per_gpu" => "全部缓存（每卡）",
        "cache.request.bytes" => "一个请求的缓存",
        "cache.window.bytes" => "窗口环",
        "cache.compressed.bytes" => "压缩条目",
        "cache.main.bytes" => "主缓存",
        "cache.indexer.bytes" => "索引键",
        "cache.state.bytes" => "未满组暂存",
        "weights.router.bytes_per_gpu" => "路由表（每卡）",
        "weights.streams.bytes_per_gpu" => "残差混合（每卡）",
        "weights.attention.bytes_per_gpu" => "注意力（每卡）",
        "weights.embedding.bytes_per_gpu" => "词嵌入（每卡）",
        "weights.head.bytes_per_gpu" => "输出头（每卡）",
        "weights.mtp.bytes_per_gpu" => "草稿块（每卡）",
        "cache.window.bytes_per_gpu" => "窗口环（每卡）",
        "cache.csa.bytes_per_gpu" => "CSA 条目（每卡）",
        "cache.hca.bytes_per_gpu" => "HCA 条目（每卡）",
        "cache.indexer.bytes_per_gpu" => "索引键（每卡）",
        "cache.state.bytes_per_gpu" => "未满组暂存（每卡）",
        "cache.mtp.bytes_per_gpu" => "草稿块缓存（每卡）",
        "cache.page_rounding.bytes_per_gpu" => "整页留空（每卡）",
        "cache.csa.bytes" => "CSA 条目",
        "cache.hca.bytes" => "HCA 条目",
        "cache.mtp.bytes" => "草稿块缓存",
        "cache.page_rounding.bytes" => "整页留空",
        "plan.min_tp_partial" => "放得下的最少卡数",
        "plan.min_tp" => "只看路由专家的最小划分",
        "plan.min_gpus_by_bytes" => "只按字节的卡数下界",
        "moe.distinct_experts" => "每层读到的不同专家",
        "allreduce.message.bytes" => "一次归约的消息",
        "allreduce.sent.bytes_per_gpu" => "一次归约每卡发送",
        "prefill.index_scores.bytes_per_gpu" => "预填充时的临时索引分数",
        "prefill.index_product.bytes_per_gpu" => "加权后的第二份分数",
        "prefill.index_scores_summed.bytes" => "各头相加后的分数",
        "prefill.index_peak.bytes_per_gpu" => "一次读完的索引临时量",
        "prefill.index_peak_chunked.bytes_per_gpu" => "分块后的索引临时量",
        "prefill.index_peak_fused.bytes_per_gpu" => "融合后的索引临时量",
        "shard.query_heads_per_gpu" => "每卡 Q 头",
        "shard.output_groups_per_gpu" => "每卡输出组",
        "shard.indexer_heads_per_gpu" => "每卡索引头",
        "shard.routed_experts_per_gpu" => "每卡路由专家",
        "cache.row.bytes" => "一行缓存",
        "decode.attn.bytes_per_gpu" => "动态注意力读取（每卡）",
        "decode.attn.flops_per_gpu" => "动态注意力计算（每卡）",
        "allreduce.worked_sum" => "手算的那个和",
        "decode.exchange.startup_s" => "通信的启动时间",
        "decode.exchange.transfer_s" => "通信的传输时间",
        "decode.exchange_s" => "一步里的通信时间",
        "decode.layer.csa.flops_per_gpu" => "CSA 层计算（每卡）",
        "decode.layer.csa.kv_bytes_per_gpu" => "CSA 层读缓存（每卡）",
        "decode.layer.csa.proj_bytes_per_gpu" => "CSA 层读投影（每卡）",
        "decode.layer.ep.bytes_per_gpu" => "一层派发与合并（每卡）",
        "decode.layer.moe.bytes" => "一层读专家",
        "decode.layer.moe.bytes_per_gpu" => "一层读专家（每卡）",
        "decode.layer.moe.flops_per_gpu" => "一层专家计算（每卡）",
        "decode.moe.bound" => "专家阶段卡在",
        "decode.moe.bytes_per_gpu" => "专家读取（每卡）",
        "decode.moe.flops_per_gpu" => "专家计算（每卡）",
        "decode.proj.bytes_per_gpu" => "注意力投影读取（每卡）",
        "decode.proj.flops_per_gpu" => "注意力投影计算（每卡）",
        "ep.dispatch.bytes" => "朴素派发的载荷",
        "ep.pair.bytes" => "每对 token 与专家的载荷",
        "moe.layer.flops_per_token" => "每 token 每层专家计算",
        "prefill.kv_read.bytes" => "预填充读缓存",
        "prefill.step_s" => "一块预填充",
        "prefill.tokens_per_s" => "预填充吞吐",
        "ttft_s" => "首 token 延迟",
        _ => "",
    }
}

fn scope(scope: Scope) -> &'static str {
    match scope {
        Scope::Total => "整个部署或模型",
        Scope::PerGpu => "每张卡",
        Scope::PerRequest => "每个请求",
        Scope::PerLayer => "每层",
        Scope::PerToken => "每个 token",
    }
}

fn kind(kind: Kind) -> &'static str {
    match kind {
        Kind::Exact => "精确：由公开的形状和规则推出",
        Kind::Assumed => "假设：依赖模型或教学假定",
        Kind::Measured => "实测：来自公开测量",
    }
}

fn source(source: Source) -> String {
    match source {
        Source::Tutorial(place) => format!("推理走读，{}", place.replace("exercise", "练习")),
        Source::Report(place) => format!("H200 硬件报告，第 {place} 节"),
        Source::TechnicalReport(place) => format!("技术报告 {place}"),
        Source::Engine(name) => format!("推理引擎：{name}"),
        Source::Measured(name) => format!("公开测量：{name}"),
        Source::Config => "模型公开配置".to_owned(),
        Source::Reference => "公开参考实现".to_owned(),
        Source::Scenario => "你的设定".to_owned(),
        Source::Checkpoint => "检查点文件头".to_owned(),
        Source::Vendor => "厂商规格".to_owned(),
        Source::HardwareTable => "公开硬件对照表".to_owned(),
        Source::Driver => "驱动报告的容量".to_owned(),
    }
}

fn dimension(dimension: Dimension) -> &'static str {
    match dimension {
        Dimension::OutputGroups => "输出组",
        Dimension::QueryHeads => "Q 头",
        Dimension::IndexerHeads => "索引头",
        Dimension::Experts => "路由专家",
        Dimension::Vocabulary => "词表",
    }
}

fn refused(refusal: &Refusal) -> String {
    let name = match Key::from_name(&refusal.key) {
        Some(key) => key_name(key),
        None => refusal.key.as_str(),
    };
    let given = &refusal.given;
    let what = match refusal.reason {
        Reason::Empty => format!("{name}：没有填数，沿用原值"),
        Reason::NotANumber => format!("{name}：“{given}”不是数字，沿用原值"),
        Reason::NotWhole => format!("{name}：“{given}”不是整数，沿用原值"),
        Reason::Below(min) => format!("{name}：“{given}”低于下限 {}，沿用原值", count(min)),
        Reason::Above(max) => format!("{name}：“{given}”超过上限 {}，沿用原值", count(max)),
        Reason::NotOneOf(words) => format!("{name}：“{given}”不在可选值里（{}）", words.join("、")),
        Reason::Repeated => format!("{name}：出现了不止一次，只用第一个"),
        Reason::UnknownKey => format!("{name}：没有这个参数"),
        Reason::CannotCut(what, size) => {
            format!("{name}：不能切成 {given} 份，{} {} 除不尽", dimension(what), count(size as f64))
        }
        Reason::TooManyStages(layers) => format!("{name}：{given} 段比层数 {layers} 还多"),
        Reason::MustEqual(number) => format!("{name}：这种划分下必须等于 {number}"),
        Reason::MustDivide(number) => format!("{name}：{given} 不能整除 {number}"),
        Reason::TooMany(most) => format!("{name}：最多并排 {most} 个，“{given}”没有放进来"),
        Reason::NewerForm(known) => {
            format!("这个链接是第 {given} 版写法，这里只认到第 {known} 版；能读的都读了")
        }
    };
    match refusal.compared {
        Some(place) => format!("链接里并排的第 {place} 个方案没有放进来。{what}"),
        None => what,
    }
}
