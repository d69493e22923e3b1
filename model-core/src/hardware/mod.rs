//! GPUs: published figures of each preset, every number with its source and its convention.

pub mod host;

use crate::figure::{Source, Unit};
use crate::scenario::MemoryReading;
use crate::units::{Bytes, BytesPerSecond, FlopsPerSecond, GIB, MIB};

/// A GPU's published figures. Rates are peaks, computation is dense, links are one way.
#[derive(Clone, Debug, PartialEq)]
pub struct Gpu {
    /// Its name in scenarios.
    pub name: &'static str,
    /// Its name in print.
    pub label: &'static str,
    /// Memory as advertised: a number that can be read as GB or as GiB.
    pub memory_advertised: f64,
    /// Memory as the driver lists it, in MiB, where such a listing is known.
    pub memory_listed_mib: Option<f64>,
    /// Rate of its memory, in bytes per second.
    pub hbm: BytesPerSecond,
    /// Dense FP8.
    pub fp8: FlopsPerSecond,
    /// Dense BF16.
    pub bf16: FlopsPerSecond,
    /// Dense FP4, where the tensor cores know it.
    pub fp4: Option<FlopsPerSecond>,
    /// Scale-up link, one way.
    pub link: BytesPerSecond,
    /// Scale-out network for each GPU, one way.
    pub network: BytesPerSecond,
    /// GPUs that the scale-up link joins.
    pub gpus_per_node: u32,
    /// Latency of a layer beyond bytes and FLOPs, in µs, found from clean batch-1 points under TP; none published
    /// for most.
    pub latency_us_per_layer: Option<f64>,
    /// Its multiprocessors and L2 cache, where they are published.
    pub chip: Option<Chip>,
    /// Where memory, HBM rate, computation and links stand.
    pub sources: &'static [Source],
}

/// How a hardware figure is to be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Convention {
    /// The data sheet's number, read as decimal gigabytes.
    Advertised,
    /// As the driver lists it, in binary units.
    Listed,
    /// A peak that no program reaches.
    Peak,
    /// A peak without sparsity.
    Dense,
    /// Of one direction; data sheets often add both.
    OneWay,
}

impl Convention {
    /// Its name in machine-readable output.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Advertised => "advertised",
            Self::Listed => "listed",
            Self::Peak => "peak",
            Self::Dense => "dense",
            Self::OneWay => "one_way",
        }
    }
}

/// One published number of a GPU.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fact {
    /// What it is, as figures name it.
    pub name: &'static str,
    /// Its value in base units.
    pub value: f64,
    /// The base unit.
    pub unit: Unit,
    /// How it is to be read.
    pub convention: Convention,
    /// Where it stands.
    pub sources: &'static [Source],
}

/// What lies on the chip itself.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Chip {
    /// Multiprocessors in use.
    pub processors: u32,
    /// L2 cache, in MiB.
    pub l2_mib: f64,
    /// Where both stand.
    pub sources: &'static [Source],
}

/// H100 and H200 share one chip.
pub const HOPPER_CHIP: Chip = Chip { processors: 132, l2_mib: 50.0, sources: &[Source::Vendor] };
/// Two dies with 74 multiprocessors each.
const BLACKWELL_CHIP: Chip =
    Chip { processors: 148, l2_mib: 126.0, sources: &[Source::Measured("Chips and Cheese, B200")] };

impl Gpu {
    /// Its memory by one of the three readings.
    #[must_use]
    pub fn memory(&self, reading: MemoryReading) -> Bytes {
        match (reading, self.memory_listed_mib) {
            (MemoryReading::Gib, _) => Bytes(self.memory_advertised * GIB),
            (MemoryReading::Reported, Some(mib)) => Bytes(mib * MIB),
            _ => Bytes::from_gb(self.memory_advertised),
        }
    }
}

impl Gpu {
    /// Every published number with its convention and source; what is not published is left out.
    pub fn facts(&self) -> impl Iterator<Item = Fact> {
        let fact = |name, value, unit, convention, sources| Fact { name, value, unit, convention, sources };
        let own = self.sources;
        let rate = Unit::BytesPerSecond;
        let flops = Unit::FlopsPerSecond;
        let memory = self.memory(MemoryReading::Gb).get();
        let listed = self.memory_listed_mib.map(|mib| mib * MIB);
        [
            Some(fact("memory", memory, Unit::Bytes, Convention::Advertised, own)),
            listed.map(|bytes| fact("memory", bytes, Unit::Bytes, Convention::Listed, DRIVER)),
            Some(fact("hbm", self.hbm.get(), rate, Convention::Peak, own)),
            Some(fact("fp8", self.fp8.get(), flops, Convention::Dense, own)),
            Some(fact("bf16", self.bf16.get(), flops, Convention::Dense, own)),
            self.fp4.map(|fp4| fact("fp4", fp4.get(), flops, Convention::Dense, own)),
            Some(fact("link", self.link.get(), rate, Convention::OneWay, own)),
            Some(fact("network", self.network.get(), rate, Convention::OneWay, PORT)),
            self.chip
                .map(|chip| fact("l2", chip.l2_mib * MIB, Unit::Bytes, Convention::Listed, chip.sources)),
        ]
        .into_iter()
        .flatten()
    }
}

/// The names of all presets, in the order in which they are offered.
pub const NAMES: &[&str] =
    &["h100", "h200", "h20-96", "h20-141", "b200", "b300", "gb200", "gb300", "mi355x", "custom"];

/// The preset of that name; an unknown name gives the custom one, which starts as an H200.
#[must_use]
pub fn preset(name: &str) -> &'static Gpu {
    GPUS.iter().find(|gpu| gpu.name == name).unwrap_or(&CUSTOM)
}

/// Every preset, in the order of [`NAMES`].
pub fn presets() -> impl Iterator<Item = &'static Gpu> {
    GPUS.iter().chain([&CUSTOM])
}

const VENDOR: &[Source] = &[Source::Vendor];
const COMPARED: &[Source] = &[Source::HardwareTable];
const H20: &[Source] = &[Source::Vendor, Source::Measured("LMSYS, H20")];
const DRIVER: &[Source] = &[Source::Driver];
/// A common fitting, not a property of the GPU.
const PORT: &[Source] = &[Source::Scenario];
const CHOICE: &[Source] = &[Source::Scenario];

/// One port of 400 Gbit/s for each GPU.
const NETWORK: BytesPerSecond = BytesPerSecond(50e9);

const fn tb_s(rate: f64) -> BytesPerSecond {
    BytesPerSecond(rate * 1e12)
}

const fn gb_s(rate: f64) -> BytesPerSecond {
    BytesPerSecond(rate * 1e9)
}

const fn tflops(rate: f64) -> FlopsPerSecond {
    FlopsPerSecond(rate * 1e12)
}

const H200: Gpu = Gpu {
    name: "h200",
    label: "H200 SXM",
    memory_advertised: 141.0,
    memory_listed_mib: Some(143_771.0),
    hbm: tb_s(4.8),
    fp8: tflops(1979.0),
    bf16: tflops(989.0),
    fp4: None,
    link: gb_s(450.0),
    network: NETWORK,
    gpus_per_node: 8,
    latency_us_per_layer: None,
    chip: Some(HOPPER_CHIP),
    sources: COMPARED,
};

const GPUS: [Gpu; 9] = [
    Gpu {
        name: "h100",
        label: "H100 SXM",
        memory_advertised: 80.0,
        memory_listed_mib: Some(81_559.0),
        hbm: tb_s(3.35),
        ..H200
    },
    H200,
    Gpu {
        name: "h20-96",
        label: "H20 96 GB",
        memory_advertised: 96.0,
        memory_listed_mib: Some(97_871.0),
        hbm: tb_s(4.0),
        fp8: tflops(296.0),
        bf16: tflops(148.0),
        latency_us_per_layer: Some(394.0),
        sources: VENDOR,
        chip: None,
        ..H200
    },
    Gpu {
        name: "h20-141",
        label: "H20 141 GB",
        fp8: tflops(296.0),
        bf16: tflops(148.0),
        latency_us_per_layer: Some(394.0),
        sources: H20,
        chip: None,
        ..H200
    },
    Gpu {
        name: "b200",
        label: "B200",
        memory_advertised: 180.0,
        memory_listed_mib: Some(183_359.0),
        hbm: tb_s(8.0),
        fp8: tflops(4500.0),
        bf16: tflops(2250.0),
        fp4: Some(tflops(9000.0)),
        link: gb_s(900.0),
        chip: Some(BLACKWELL_CHIP),
        ..H200
    },
    Gpu {
        name: "b300",
        label: "B300",
        memory_advertised: 288.0,
        memory_listed_mib: Some(275_040.0),
        hbm: tb_s(8.0),
        fp8: tflops(4500.0),
        bf16: tflops(2250.0),
        fp4: Some(tflops(13_500.0)),
        link: gb_s(900.0),
        latency_us_per_layer: Some(136.0),
        sources: VENDOR,
        chip: None,
        ..H200
    },
    Gpu {
        name: "gb200",
        label: "GB200 NVL72",
        memory_advertised: 192.0,
        memory_listed_mib: Some(189_471.0),
        hbm: tb_s(8.0),
        fp8: tflops(5000.0),
        bf16: tflops(2500.0),
        fp4: Some(tflops(10_000.0)),
        link: gb_s(900.0),
        gpus_per_node: 72,
        latency_us_per_layer: Some(194.0),
        chip: Some(BLACKWELL_CHIP),
        ..H200
    },
    Gpu {
        name: "gb300",
        label: "GB300 NVL72",
        memory_advertised: 288.0,
        memory_listed_mib: Some(284_208.0),
        hbm: tb_s(8.0),
        fp8: tflops(5000.0),
        bf16: tflops(2500.0),
        fp4: Some(tflops(15_000.0)),
        link: gb_s(900.0),
        gpus_per_node: 72,
        chip: None,
        ..H200
    },
    Gpu {
        name: "mi355x",
        label: "MI355X",
        memory_advertised: 288.0,
        memory_listed_mib: None,
        hbm: tb_s(8.0),
        fp8: tflops(5033.0),
        bf16: tflops(2516.0),
        fp4: Some(tflops(10_066.0)),
        link: gb_s(576.0),
        latency_us_per_layer: Some(264.0),
        chip: None,
        ..H200
    },
];

const CUSTOM: Gpu = Gpu { name: "custom", label: "Custom", sources: CHOICE, ..H200 };

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_presets_are_the_same_list() {
        let names: Vec<_> = presets().map(|gpu| gpu.name).collect();
        assert_eq!(names, NAMES);
        assert_eq!(preset("nonsense").name, "custom");
    }

    #[test]
    fn every_number_has_a_source_and_a_convention() {
        for gpu in presets() {
            let facts: Vec<_> = gpu.facts().collect();
            assert!(facts.len() >= 6, "{}", gpu.name);
            for fact in facts {
                assert!(fact.value > 0.0 && !fact.sources.is_empty(), "{} {}", gpu.name, fact.name);
            }
        }
        let link = preset("h200").facts().find(|fact| fact.name == "link").unwrap();
        assert_eq!((link.value, link.convention), (450e9, Convention::OneWay));
    }

    #[test]
    fn an_h200_has_three_memories() {
        let h200 = preset("h200");
        assert_eq!(h200.memory(MemoryReading::Gb), Bytes(141e9));
        assert_eq!(h200.memory(MemoryReading::Gib), Bytes(151_397_597_184.0));
        assert_eq!(h200.memory(MemoryReading::Reported), Bytes(150_754_820_096.0));
    }
}
