//! The page's text in Chinese.

use model_core::figure::{Kind, Ledger, Scope, Source};
use model_core::format::count;
use model_core::scenario::refusal::Dimension;
use model_core::scenario::{Key, Reason, Refusal};

use super::Text;

pub(super) const TEXT: Text = Text {
    title: "一枚 token，八张卡",
    other_language: "EN",
    switch_language: "Switch to English",
    switch_theme: "切换明暗",
    units: "容量单位",
    ledger: "账本",
    ledger_name,

    eyebrow: "第 1 章 · 摆放",
    heading: "万亿参数的模型，怎样摆进八张卡",
    lead: "答一个 token 之前，权重要先住进显存。有的部分切开，每张卡只拿一段；有的部分谁都要用，只好每张卡放一整份。看清哪些切、哪些不切，放不放得下就是一道加法。",
    takeaways: [
        "专家占了绝大部分，而专家可以按号分，卡越多每张越轻。",
        "缓存不跟着卡数变小：只有一个 KV 头，切不开，每张卡都得存。",
        "参数总量除以卡数并不等于每卡用量，复制的部分要原样加上。",
    ],
    takeaways_heading: "记住三件事",
    step_names: ["空卡", "复制", "分专家", "切头", "缓存", "结论"],
    step_texts: [
        "八张空卡，虚线是显存上限",
        "每个 token 都会用到的部分，每张卡放一整份",
        "每层的路由专家按编号平均分，{layers} 层分法相同",
        "Q 头、输出组按编号切开，算完再把部分和加起来",
        "上下文越长、请求越多，缓存越高，每张卡一样高",
        "把各部分加起来，和上限比一比",
    ],
    details: "工程细节",
    details_note: "以下数值随滑块实时计算，点任意一个可看推导。",

    stage: "八张卡的显存",
    stage_keys: "方向键换步，空格播放，数字键跳转",
    play: "播放这一步",
    pause: "暂停",
    previous: "上一步",
    next: "下一步",
    steps: "步骤",
    reduced_motion: "系统设为减少动态效果，步骤直接切换",
    save_still: "存为 SVG",

    key_figures: "关键数值",
    of: "／",
    fits: "放得下",
    does_not_fit: "放不下",
    short_by: "差",
    left: "余",
    smallest_cut: "最小可行划分",
    no_cut: "没有可行划分",
    take_cut: "换成它",

    controls: "负载与划分",
    key_name,
    key_unit,
    typed: "输入数值",
    reset: "恢复默认",

    capacity_heading: "每卡显存",
    capacity_columns: ["部分", "放法", "每卡", "占显存"],
    total: "合计",
    memory: "显存",
    free: "空闲",
    short: "缺口",
    cut: "切分",
    copied: "每卡一份",
    not_counted: "这本账只算路由专家、共享专家和缓存；注意力、词表、残差参数、草稿块和工作区不在内，所以合计是下限。",
    contexts_heading: "换个上下文长度",
    contexts_columns: ["上下文", "每请求缓存", "全部缓存 / 卡", "放得下"],
    yes_no: ["是", "否"],

    chart_heading: "一个请求的缓存",
    chart_note: "两轴都是对数刻度，纵轴不从零起；色带按部分叠放。",
    save_svg: "SVG",
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
    dismiss: "知道了",
    footer: "数值都由页面里的同一个模型算出，离线可用，不收集任何信息。",
};

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
        Key::Tp => "划分 TP",
        Key::GpuMemoryGib => "单卡显存",
        other => other.name(),
    }
}

fn key_unit(key: Key) -> &'static str {
    match key {
        Key::Context => "token",
        Key::Batch => "请求",
        Key::Tp => "卡",
        Key::GpuMemoryGib => "GiB",
        _ => "",
    }
}

fn figure_name(id: &str) -> &'static str {
    match id {
        "memory.partial.bytes_per_gpu" => "每卡需要",
        "gpu.memory.bytes" => "每卡显存",
        "memory.free.bytes_per_gpu" => "每卡空闲",
        "memory.short.bytes_per_gpu" => "每卡缺口",
        "weights.routed.bytes_per_gpu" => "路由专家（每卡）",
        "weights.routed.bytes" => "路由专家（全部）",
        "weights.routed.params" => "路由专家参数",
        "weights.routed.bytes_per_param" => "每个专家参数的字节",
        "weights.shared.bytes_per_gpu" => "共享专家（每卡）",
        "cache.batch.bytes_per_gpu" => "全部请求的缓存（每卡）",
        "cache.request.bytes" => "一个请求的缓存",
        "cache.window.bytes" => "窗口环",
        "cache.compressed.bytes" => "压缩条目",
        "cache.main.bytes" => "主缓存",
        "cache.indexer.bytes" => "索引键",
        "cache.state.bytes" => "未满组暂存",
        "plan.min_tp_partial" => "放得下的最小划分",
        "plan.min_tp" => "只看路由专家的最小划分",
        "plan.min_gpus_by_bytes" => "只按字节的卡数下界",
        "moe.distinct_experts" => "每层读到的不同专家",
        "allreduce.message.bytes" => "一次归约的消息",
        "allreduce.sent.bytes_per_gpu" => "一次归约每卡发送",
        "prefill.index_scores.bytes_per_gpu" => "预填充时的临时索引分数",
        "shard.query_heads_per_gpu" => "每卡 Q 头",
        "shard.output_groups_per_gpu" => "每卡输出组",
        "shard.indexer_heads_per_gpu" => "每卡索引头",
        "shard.routed_experts_per_gpu" => "每卡路由专家",
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
    match refusal.reason {
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
    }
}
