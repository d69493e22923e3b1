//! Why ledgers differ, in words of both languages.

use crate::ledger::{Cause, memory};
use crate::scene::{Look, Text};
use crate::spec::tensors::Part;
use crate::words::{Words, fill};

const OF_A_PART: Text = ["{part}：算不算、切开还是复制", "{part}: counted or not, cut or copied"];

/// A cause in a look's language.
pub(super) fn cause(cause: Cause, look: Look) -> String {
    let text: Text = match cause {
        Cause::Part(part) => {
            let name = (Words::of(look.language).part)(of_memory(part));
            return fill(look.say(OF_A_PART), &[("part", name.to_owned())]);
        }
        Cause::PublishedSize => [
            "公布的检查点大小取了整，与张量之和有差",
            "The published size, rounded, against the sum of the tensors",
        ],
        Cause::DraftBlock => ["草稿块装不装", "The draft block, loaded or not"],
        Cause::ReferenceDtypes => ["参考实现运行时换的格式", "Formats of the reference at run time"],
        Cause::IncompleteGroups => {
            ["没满的组算不算一整组", "Groups not complete yet, taken as whole ones or not"]
        }
        Cause::WholeWindow => {
            ["窗口一次留足，还是填多少算多少", "The window, allotted whole or as far as it is filled"]
        }
        Cause::MainRows => ["窗口行与压缩行的字节数", "Bytes of a window or compressed row"],
        Cause::IndexerRows => ["索引键的字节数", "Bytes of an indexer key"],
        Cause::State => ["未满组的 FP32 暂存", "FP32 state of groups not complete yet"],
        Cause::PageRounding => ["按页取整", "Rounding up to pages"],
        Cause::DraftCache => ["草稿块的窗口", "The draft block's window"],
        Cause::CachePlacement => {
            ["缓存每卡一份、按请求分，还是切开", "Caches copied, dealt by request, or split"]
        }
        Cause::Overhead => ["每步的固定时间", "Fixed time of a step"],
        Cause::Efficiencies => ["带宽和算力按几成算", "The shares of the peaks that are reached"],
        Cause::DistinctExperts => ["不同专家数的期望怎么算", "How different experts are counted"],
        Cause::Experts => [
            "专家的缩放、共享专家的格式与副本、路由表",
            "Scales of experts, format and copies of the shared one, the router",
        ],
        Cause::Projections => {
            ["投影的格式、副本和压缩器门控", "Projections: their formats and copies, the compressors' gates"]
        }
        Cause::CacheReads => ["一次查询真正读到的条目", "The entries that a query really reads"],
        Cause::Head => ["输出头的格式和切法", "Format and cut of the head"],
        Cause::Streams => ["残差流和归一化", "Residual streams and norms"],
        Cause::Drafting => ["跑草稿块", "Running the draft block"],
        Cause::Latency => ["字节和运算之外，每层的延迟", "Latency of each layer beside bytes and FLOPs"],
        Cause::Unexplained => ["没有归因的差", "What is left unexplained"],
    };
    look.say(text).to_owned()
}

/// The part as pictures of memory name it.
const fn of_memory(part: Part) -> memory::Part {
    match part {
        Part::Routed => memory::Part::Routed,
        Part::Shared => memory::Part::Shared,
        Part::Attention => memory::Part::Attention,
        Part::Router => memory::Part::Router,
        Part::Streams => memory::Part::Streams,
        Part::Embedding => memory::Part::Embedding,
        Part::Head => memory::Part::Head,
        Part::Draft => memory::Part::Mtp,
    }
}
