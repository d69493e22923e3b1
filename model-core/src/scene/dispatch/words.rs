//! The words inside the picture of "dispatch", in both languages. `{…}` stand for values.

use super::Step;
use crate::language::Language;

/// Words of the scene.
#[derive(Debug)]
pub(super) struct Words {
    /// Tokens of a GPU.
    pub(super) owns: &'static str,
    /// Above what a GPU sends.
    pub(super) sends: &'static str,
    /// Copies before and after merging.
    pub(super) merges: &'static str,
    /// What leaves a GPU.
    pub(super) leaves: &'static str,
    /// Above what a GPU receives.
    pub(super) receives: &'static str,
    /// What arrives from other GPUs.
    pub(super) copies: &'static str,
    /// How often a GPU runs an expert.
    pub(super) runs: &'static str,
    /// Results that are back.
    pub(super) back: &'static str,
    /// A place without a GPU.
    pub(super) idle: &'static str,
    /// Legend: tokens.
    pub(super) tokens: &'static str,
    /// Legend: copies that are merged away.
    pub(super) duplicate: &'static str,
    /// Legend: copies that travel.
    pub(super) travels: &'static str,
    /// Legend: what stays on its GPU.
    pub(super) stays: &'static str,
    /// Legend: experts at work.
    pub(super) works: &'static str,
    /// Above the columns of the matrix.
    pub(super) to: &'static str,
    /// Above the rows of the matrix.
    pub(super) from: &'static str,
    /// Above the bytes of a row.
    pub(super) out: &'static str,
    /// Heading of the example.
    pub(super) example: &'static str,
    /// One expert on another GPU.
    pub(super) one: &'static str,
    /// Several experts on one GPU.
    pub(super) several: &'static str,
    /// Several experts on one GPU where copies are not merged.
    pub(super) each: &'static str,
    /// Experts on the token's own GPU.
    pub(super) at_home: &'static str,
    /// Heading of the bytes.
    pub(super) counted: &'static str,
    /// Bytes out.
    pub(super) dispatch: &'static str,
    /// Bytes back.
    pub(super) combine: &'static str,
    /// Expectation.
    pub(super) expected: &'static str,
    /// The four ways to count.
    pub(super) ways: [&'static str; 4],
    /// The third way where copies are not merged.
    pub(super) way_unmerged: &'static str,
    /// Both transfers of a way.
    pub(super) both: &'static str,
    /// Caption of each step.
    pub(super) captions: [&'static str; Step::ALL.len()],
    /// Captions of packing, returning and counting where copies are not merged.
    pub(super) unmerged: [&'static str; 3],
    /// The stage's title.
    pub(super) title: &'static str,
}

const ZH: Words = Words {
    owns: "{n} 个 token",
    sends: "发往 GPU",
    merges: "{naive} 份 → {merged} 份",
    leaves: "出卡 {remote} 份",
    receives: "来自 GPU",
    copies: "收到 {remote} 份",
    runs: "专家算 {pairs} 次",
    back: "{n} 个结果归位",
    idle: "未使用",
    tokens: "token",
    duplicate: "合并掉的重复",
    travels: "要发的一份",
    stays: "留在本卡",
    works: "专家计算",
    to: "专家所在 GPU",
    from: "token 所属",
    out: "发出",
    example: "第一个 token 在 {gpu}",
    one: "1 份",
    several: "{n} 个专家，只发 1 份",
    each: "{n} 个专家，发 {n} 份",
    at_home: "就在本卡，不发",
    counted: "一层的一去一回，所有卡合计",
    dispatch: "去 dispatch",
    combine: "回 combine",
    expected: "均匀路由的期望",
    ways: [
        "每个专家发一份，{dtype}",
        "同一张卡只发一份，{dtype}",
        "再扣掉本卡的，{dtype}",
        "报告：不合并，FP8 去、BF16 回",
    ],
    way_unmerged: "不合并，只扣掉本卡的，{dtype}",
    both: "去 {out} · 回 {back}",
    captions: [
        "{batch} 个 token 分给 {ranks} 张卡，每张卡只管自己的 {range} 个",
        "第一个 token 的 {k} 个专家在 {homes} 张卡上：同一张卡合成一份，本卡不用发",
        "dispatch：{remote} 份过链路，每份 {copy}，共 {bytes}",
        "每张卡让收到的 token 过一遍自己的专家，{busiest} 最忙，算 {pairs} 次",
        "combine：同一张卡的结果先加权合一，{remote} 份送回，按编号归位",
        "单程：每个专家一份 {naive}，同卡合并 {merged}，扣掉本卡 {bytes}",
    ],
    unmerged: [
        "第一个 token 的 {k} 个专家在 {homes} 张卡上：每个专家各发一份，同一张卡也不合并，本卡不用发",
        "combine：每个专家的结果各自送回，共 {remote} 份，按编号归位后再加权",
        "单程：每个专家一份 {naive}，扣掉本卡 {bytes}；同卡合并后再扣只要 {least}",
    ],
    title: "token 去找专家，再原路回来",
};

const EN: Words = Words {
    owns: "tokens: {n}",
    sends: "To GPU",
    merges: "{naive} → {merged} copies",
    leaves: "leaving: {remote}",
    receives: "From GPU",
    copies: "arriving: {remote}",
    runs: "expert runs: {pairs}",
    back: "back: {n}",
    idle: "idle",
    tokens: "token",
    duplicate: "merged away",
    travels: "a copy that travels",
    stays: "stays on its GPU",
    works: "experts at work",
    to: "GPU of the experts",
    from: "Owner",
    out: "Sends",
    example: "The first token lies on {gpu}",
    one: "1 copy",
    several: "{n} experts, 1 copy",
    each: "{n} experts, {n} copies",
    at_home: "at home, no copy",
    counted: "One layer, out and back, all GPUs together",
    dispatch: "out: dispatch",
    combine: "back: combine",
    expected: "expected if uniform",
    ways: [
        "A copy for each expert, {dtype}",
        "One for each GPU, {dtype}",
        "Less what stays home, {dtype}",
        "Report: unmerged, FP8 and BF16",
    ],
    way_unmerged: "Unmerged, less home, {dtype}",
    both: "out {out} · back {back}",
    captions: [
        "A batch of {batch} is spread over the GPUs, {ranks} in all; each looks after its own {range}",
        "The first token's {k} experts lie on {homes} GPUs: one copy to each, none to its own",
        "Dispatch: {remote} copies cross a link, {copy} each, {bytes} in all",
        "Each GPU runs its own experts on what it received; {busiest} is busiest with {pairs} runs",
        "Combine: a GPU's results are weighted and merged, {remote} go back to their old places",
        "One way: {naive} by expert, {merged} merged by GPU, {bytes} without what stays home",
    ],
    unmerged: [
        "The first token's {k} experts lie on {homes} GPUs: a copy for each expert, even on one GPU, none at home",
        "Combine: each expert's result goes back by itself, {remote} in all, and is weighted at its old place",
        "One way: {naive} by expert, {bytes} without what stays home; merged by GPU it would be {least}",
    ],
    title: "Tokens travel to their experts and back",
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
