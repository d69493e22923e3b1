//! Keeps a drawing as SVG nodes: one node for each mark, changed only where the mark changed. No node is made or
//! removed while a scene plays.

use model_core::draw::svg::{anchor_name, cells_data, number, path_data, pattern_name};
use model_core::draw::{Drawing, Fill, Mark, Paint, Shape};
use wasm_bindgen::JsCast;
use web_sys::{Element, SvgElement};

use crate::browser::document;

const SVG: &str = "http://www.w3.org/2000/svg";

/// A picture on the page.
pub(crate) struct Picture {
    root: SvgElement,
    title: Element,
    defs: Element,
    group: Element,
    nodes: Vec<(Element, Mark)>,
    patterns: Vec<Fill>,
    name: &'static str,
    view_box: (f64, f64),
}

impl Picture {
    /// An empty picture inside `parent`; `name` tells its patterns from those of other pictures on the page.
    pub(crate) fn new(parent: &Element, name: &'static str) -> Option<Self> {
        let root: SvgElement = make("svg")?.dyn_into().ok()?;
        let (title, defs, group) = (make("title")?, make("defs")?, make("g")?);
        let _ = root.set_attribute("role", "img");
        let _ = root.set_attribute("class", "picture");
        for child in [&title, &defs, &group] {
            root.append_child(child).ok()?;
        }
        parent.append_child(&root).ok()?;
        let (nodes, patterns) = (Vec::new(), Vec::new());
        Some(Self { root, title, defs, group, nodes, patterns, name, view_box: (0.0, 0.0) })
    }

    /// Shows a drawing.
    pub(crate) fn show(&mut self, drawing: &Drawing) {
        if self.view_box != (drawing.width, drawing.height) {
            self.view_box = (drawing.width, drawing.height);
            let view_box = format!("0 0 {} {}", number(drawing.width), number(drawing.height));
            let _ = self.root.set_attribute("viewBox", &view_box);
        }
        if self.title.text_content().as_deref() != Some(drawing.title.as_str()) {
            self.title.set_text_content(Some(&drawing.title));
        }
        let label = format!("{} — {}", drawing.title, drawing.description);
        if self.root.get_attribute("aria-label").as_deref() != Some(label.as_str()) {
            let _ = self.root.set_attribute("aria-label", &label);
        }
        for mark in &drawing.marks {
            self.define(mark.fill);
        }
        for (index, mark) in drawing.marks.iter().enumerate() {
            match self.nodes.get_mut(index) {
                Some((_, old)) if old == mark => {}
                Some((node, old)) if tag(&old.shape) == tag(&mark.shape) => {
                    change(node, Some(old), mark, self.name);
                    old.clone_from(mark);
                }
                Some((node, old)) => {
                    if let Some(fresh) = make(tag(&mark.shape)) {
                        change(&fresh, None, mark, self.name);
                        let _ = self.group.replace_child(&fresh, node);
                        *node = fresh;
                        old.clone_from(mark);
                    }
                }
                None => {
                    if let Some(fresh) = make(tag(&mark.shape)) {
                        change(&fresh, None, mark, self.name);
                        let _ = self.group.append_child(&fresh);
                        self.nodes.push((fresh, mark.clone()));
                    }
                }
            }
        }
        for (node, _) in self.nodes.drain(drawing.marks.len().min(self.nodes.len())..) {
            node.remove();
        }
    }

    /// Adds the pattern a fill needs, once.
    fn define(&mut self, fill: Fill) {
        let (Fill::Hatched(paint) | Fill::Dotted(paint)) = fill else { return };
        if self.patterns.contains(&fill) {
            return;
        }
        self.patterns.push(fill);
        let tile = number(model_core::draw::svg::TILE);
        let pattern = [
            ("id", format!("{}-{}", self.name, pattern_name(fill))),
            ("width", tile.clone()),
            ("height", tile.clone()),
            ("patternUnits", "userSpaceOnUse".to_owned()),
        ];
        let Some(node) = make_with("pattern", &pattern) else { return };
        let square = |fill: Paint, width: &str| {
            make_with(
                "rect",
                &[("width", width.to_owned()), ("height", tile.clone()), ("fill", fill.css().to_owned())],
            )
        };
        let parts = if matches!(fill, Fill::Hatched(_)) {
            let _ = node.set_attribute("patternTransform", "rotate(45)");
            [square(paint, "3"), None]
        } else {
            let dot = [("cx", "4"), ("cy", "4"), ("r", "1.4"), ("fill", Paint::Card.css())];
            let dot = dot.map(|(name, value)| (name, value.to_owned()));
            [square(paint, &tile), make_with("circle", &dot)]
        };
        for part in parts.into_iter().flatten() {
            let _ = node.append_child(&part);
        }
        let _ = self.defs.append_child(&node);
    }
}

fn make(tag: &str) -> Option<Element> {
    document()?.create_element_ns(Some(SVG), tag).ok()
}

fn make_with(tag: &str, attributes: &[(&str, String)]) -> Option<Element> {
    let node = make(tag)?;
    for (name, value) in attributes {
        let _ = node.set_attribute(name, value);
    }
    Some(node)
}

const fn tag(shape: &Shape) -> &'static str {
    match shape {
        Shape::Rect { .. } => "rect",
        Shape::Circle { .. } => "circle",
        Shape::Path { .. } | Shape::Cells { .. } => "path",
        Shape::Text { .. } => "text",
    }
}

/// Writes what differs between the old mark and the new one.
fn change(node: &Element, old: Option<&Mark>, mark: &Mark, name: &str) {
    if old.is_none_or(|old| old.shape != mark.shape) {
        reshape(node, old.map(|old| &old.shape), &mark.shape);
    }
    if old.is_none_or(|old| old.fill != mark.fill) {
        let fill = match mark.fill {
            Fill::Empty => "none".to_owned(),
            Fill::Solid(paint) => paint.css().to_owned(),
            pattern => format!("url(#{name}-{})", pattern_name(pattern)),
        };
        let _ = node.set_attribute("fill", &fill);
    }
    if old.is_none_or(|old| old.stroke != mark.stroke) {
        if let Some(stroke) = mark.stroke {
            let _ = node.set_attribute("stroke", stroke.paint.css());
            let _ = node.set_attribute("stroke-width", &number(stroke.width));
            set_or_remove(node, "stroke-dasharray", stroke.dashed.then_some("6 5"));
        } else {
            set_or_remove(node, "stroke", None);
        }
    }
    if old.is_none_or(|old| old.opacity != mark.opacity) {
        let opacity = (mark.opacity < 1.0).then(|| number(mark.opacity));
        set_or_remove(node, "opacity", opacity.as_deref());
    }
    if old.is_none_or(|old| old.figure != mark.figure) {
        set_or_remove(node, "data-figure", mark.figure.map(|figure| figure.id));
        let value = mark.figure.map(|figure| figure.value.to_string());
        set_or_remove(node, "data-value", value.as_deref());
    }
}

fn reshape(node: &Element, old: Option<&Shape>, shape: &Shape) {
    let set = |name: &str, value: f64| {
        let _ = node.set_attribute(name, &number(value));
    };
    match shape {
        Shape::Rect { x, y, width, height, radius } => {
            for (name, value) in [("x", x), ("y", y), ("width", width), ("height", height), ("rx", radius)] {
                set(name, *value);
            }
        }
        Shape::Circle { x, y, r } => {
            for (name, value) in [("cx", x), ("cy", y), ("r", r)] {
                set(name, *value);
            }
        }
        Shape::Path { points, closed } => {
            let _ = node.set_attribute("d", &path_data(points, *closed));
        }
        Shape::Cells { .. } => {
            let _ = node.set_attribute("d", &cells_data(shape));
        }
        Shape::Text { x, y, text, size, anchor, bold } => {
            for (name, value) in [("x", x), ("y", y), ("font-size", size)] {
                set(name, *value);
            }
            set_or_remove(node, "text-anchor", anchor_name(*anchor));
            set_or_remove(node, "font-weight", bold.then_some("700"));
            let same = matches!(old, Some(Shape::Text { text: before, .. }) if before == text);
            if !same {
                node.set_text_content(Some(text));
            }
        }
    }
}

fn set_or_remove(node: &Element, name: &str, value: Option<&str>) {
    let _ = match value {
        Some(value) => node.set_attribute(name, value),
        None => node.remove_attribute(name),
    };
}
