//! The order of layers: from compression ratios, or from named kinds of layer.

use super::fields::{Document, Style, bounded, field, unmodelled, wrong_type};
use super::{ImportError, Reason};
use crate::json::{self, Json};
use crate::spec::{AttentionKind, Layer, Routing};

/// The schedule and what its entries cover.
pub(super) struct Layers {
    /// Main layers, then draft blocks.
    pub(super) schedule: Vec<Layer>,
    /// How many are main layers.
    pub(super) main: usize,
    /// Tokens of one CSA entry.
    pub(super) csa_ratio: u64,
    /// Tokens of one HCA entry.
    pub(super) hca_ratio: u64,
}

/// The ratios of published models.
const CSA_RATIO: u64 = 4;
const HCA_RATIO: u64 = 128;

pub(super) fn read(document: &mut Document) -> Result<Layers, ImportError> {
    let main = document.whole(&field::LAYERS)? as usize;
    let by_ratio = ratios(document, main)?;
    let by_name = layer_types(document, main)?;
    let draft_entries = by_ratio.as_ref().map_or(0, |kinds| kinds.len() - main);
    let mut kinds = match (by_name, by_ratio) {
        (Some(named), Some(counted)) => {
            if let Some(index) = named.iter().zip(&counted).position(|(a, b)| a != b) {
                let text = [
                    format!("compress_ratios 里第 {index} 层是另一种"),
                    format!("compress_ratios has another kind for layer {index}"),
                ];
                return Err(ImportError::new(format!("layer_types[{index}]"), Reason::Contradiction(text)));
            }
            named
        }
        (Some(kinds), None) | (None, Some(kinds)) => kinds,
        (None, None) => {
            let (name, others): (_, &'static [&'static str]) = match document.style() {
                Style::LayerTypes => ("layer_types", &[]),
                Style::Published | Style::Reference => ("compress_ratios", &["layer_types"]),
            };
            return Err(ImportError::new(name, Reason::Missing(others)));
        }
    };
    kinds.truncate(main);
    let routing = routing(document, main)?;
    let mut schedule: Vec<Layer> =
        kinds.into_iter().zip(routing).map(|(attention, routing)| Layer { attention, routing }).collect();
    let drafts = drafts(document, draft_entries)?;
    schedule
        .extend((0..drafts).map(|_| Layer { attention: AttentionKind::Window, routing: Routing::Learned }));
    let (csa_ratio, hca_ratio) = rates(document)?;
    Ok(Layers { schedule, main, csa_ratio, hca_ratio })
}

/// Kinds by `compress_ratios`: one for each main layer, and perhaps zeros for draft blocks after them.
fn ratios(document: &Document, main: usize) -> Result<Option<Vec<AttentionKind>>, ImportError> {
    let Some(items) = document.list("compress_ratios")? else { return Ok(None) };
    if items.len() < main {
        let text = entries_for(items.len(), main);
        return Err(ImportError::new("compress_ratios", Reason::Contradiction(text)));
    }
    let mut kinds = Vec::with_capacity(items.len());
    for (index, item) in items.iter().enumerate() {
        let place = format!("compress_ratios[{index}]");
        let Json::Whole(ratio) = *item else { return Err(wrong_type(&place, json::WHOLE, item)) };
        let kind = AttentionKind::from_ratio(ratio)
            .ok_or_else(|| ImportError::new(&place, Reason::UnknownRatio(ratio)))?;
        if index >= main && kind != AttentionKind::Window {
            return Err(unmodelled(&place, item, ["不压缩的草稿块", "draft blocks without compression"]));
        }
        kinds.push(kind);
    }
    Ok(Some(kinds))
}

/// Kinds by their names.
fn layer_types(document: &Document, main: usize) -> Result<Option<Vec<AttentionKind>>, ImportError> {
    names(document, "layer_types", main, |name| match name {
        "sliding_attention" => Some(AttentionKind::Window),
        "compressed_sparse_attention" => Some(AttentionKind::Csa),
        "heavily_compressed_attention" => Some(AttentionKind::Hca),
        _ => None,
    })
}

/// How each main layer routes: the first so many by token id, or as named.
fn routing(document: &Document, main: usize) -> Result<Vec<Routing>, ImportError> {
    let named = names(document, "mlp_layer_types", main, |name| match name {
        "hash_moe" => Some(Routing::Hash),
        "moe" => Some(Routing::Learned),
        _ => None,
    })?;
    let count = document.optional(&field::HASH_LAYERS)?;
    let counted = count.map(|count| {
        let kind = |index: usize| if (index as u64) < count { Routing::Hash } else { Routing::Learned };
        (0..main).map(kind).collect::<Vec<_>>()
    });
    if count.is_some_and(|count| count > main as u64) {
        let text = [format!("比层数 {main} 还多"), format!("more than the {main} layers")];
        let reason = Reason::Contradiction(text);
        return Err(document.error(&field::HASH_LAYERS, reason));
    }
    match (named, counted) {
        (Some(named), Some(counted)) if named != counted => {
            let text = ["与 mlp_layer_types 不一致", "mlp_layer_types says otherwise"];
            let reason = Reason::Contradiction(text.map(ToOwned::to_owned));
            Err(document.error(&field::HASH_LAYERS, reason))
        }
        (Some(routing), _) | (None, Some(routing)) => Ok(routing),
        (None, None) => {
            let others: &'static [&'static str] = &["n_hash_layers", "mlp_layer_types"];
            Err(ImportError::new(field::HASH_LAYERS.name(), Reason::Missing(others)))
        }
    }
}

/// How many draft blocks there are; where entries are given for them, so many.
fn drafts(document: &mut Document, entries: usize) -> Result<usize, ImportError> {
    let Some(count) = document.optional(&field::DRAFT_BLOCKS)? else {
        document.assume(field::DRAFT_BLOCKS.name());
        bounded("compress_ratios", &Json::Whole(entries as u64), &field::DRAFT_BLOCKS)?;
        return Ok(entries);
    };
    if entries > 0 && entries as u64 != count {
        let text = [
            format!("这里是 {count}，compress_ratios 却比层数多 {entries} 项"),
            format!("{count}, but compress_ratios has {entries} entries beyond the layers"),
        ];
        return Err(document.error(&field::DRAFT_BLOCKS, Reason::Contradiction(text)));
    }
    Ok(count as usize)
}

/// Tokens of one CSA and one HCA entry, where the file gives them; else the published ones. Ratios in a list are those.
fn rates(document: &mut Document) -> Result<(u64, u64), ImportError> {
    match document.get("compress_rates") {
        None => {
            if document.get("compress_ratios").is_none() {
                document.assume("compress_rates");
            }
            return Ok((CSA_RATIO, HCA_RATIO));
        }
        Some(Json::Object(_)) => {}
        Some(other) => return Err(wrong_type("compress_rates", json::OBJECT, other)),
    }
    let mut rates = [CSA_RATIO, HCA_RATIO];
    for (rate, kind) in rates.iter_mut().zip(["compressed_sparse_attention", "heavily_compressed_attention"])
    {
        let place = format!("compress_rates.{kind}");
        let Some(json) = document.get(&place) else {
            return Err(ImportError::new(place, Reason::Missing(&[])));
        };
        let published = *rate;
        *rate = bounded(&place, json, &field::RATE)?;
        if document.get("compress_ratios").is_some() && *rate != published {
            let text = [
                format!("这里是 {rate}，compress_ratios 里却是 {published}"),
                format!("{rate}, but compress_ratios has {published}"),
            ];
            return Err(ImportError::new(place, Reason::Contradiction(text)));
        }
    }
    let [csa, hca] = rates;
    Ok((csa, hca))
}

/// A list of names, one for each main layer.
fn names<T>(
    document: &Document,
    key: &str,
    main: usize,
    read: impl Fn(&str) -> Option<T>,
) -> Result<Option<Vec<T>>, ImportError> {
    let Some(items) = document.list(key)? else { return Ok(None) };
    if items.len() != main {
        let text = entries_for(items.len(), main);
        return Err(ImportError::new(key, Reason::Contradiction(text)));
    }
    let mut kinds = Vec::with_capacity(main);
    for (index, item) in items.iter().enumerate() {
        let place = format!("{key}[{index}]");
        let Json::Text(name) = item else { return Err(wrong_type(&place, json::TEXT, item)) };
        match read(name) {
            Some(kind) => kinds.push(kind),
            None => return Err(ImportError::new(place, Reason::UnknownLayerType(name.clone()))),
        }
    }
    Ok(Some(kinds))
}

fn entries_for(entries: usize, main: usize) -> [String; 2] {
    [format!("有 {entries} 项，层数却是 {main}"), format!("{entries} entries for {main} layers")]
}
