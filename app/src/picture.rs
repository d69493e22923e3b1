//! Keeps a drawing as SVG nodes: one node for each mark, changed only where the mark changed. No node is made or
//! removed while a scene plays. A mark that nobody can see costs nothing but its node: it is neither laid out nor
//! written until it is seen again.

use js_sys::JsString;
use model_core::draw::align::{Kinship, aligned};
use model_core::draw::svg::{anchor_name, number, path_data, pattern_name, rounded};
use model_core::draw::{Drawing, FigureTag, Fill, Mark, Paint, Shape};
use wasm_bindgen::JsCast;
use wasm_bindgen::prelude::wasm_bindgen;
use web_sys::{Element, SvgElement};

use crate::browser::document;

const SVG: &str = "http://www.w3.org/2000/svg";

/// The node of a mark.
struct Node {
    element: Element,
    tag: &'static str,
    /// The mark as it was written last; nothing where it never was.
    written: Option<Mark>,
    hidden: bool,
    figure: Option<FigureTag>,
}

impl Node {
    /// A node that shows nothing yet.
    fn new(tag: &'static str) -> Option<Self> {
        let element = make(tag)?;
        let _ = element.set_attribute("display", "none");
        Some(Self { element, tag, written: None, hidden: true, figure: None })
    }

    /// What it has in common with a mark: the same element, in the same colours.
    fn kinship(&self, mark: &Mark) -> Kinship {
        let stroke = |mark: &Mark| mark.stroke.map(|stroke| stroke.paint);
        let alike = |written: &Mark| written.fill == mark.fill && stroke(written) == stroke(mark);
        if self.tag != tag(&mark.shape) {
            Kinship::None
        } else if self.written.as_ref().is_none_or(alike) {
            Kinship::Kind
        } else {
            Kinship::Form
        }
    }

    /// Whether it shows that mark already.
    fn shows(&self, mark: &Mark) -> bool {
        if hidden(mark) {
            self.hidden && self.tag == tag(&mark.shape) && self.figure == mark.figure
        } else {
            !self.hidden && self.written.as_ref() == Some(mark)
        }
    }
}

/// A picture on the page.
pub(crate) struct Picture {
    root: SvgElement,
    title: Element,
    defs: Element,
    group: Element,
    nodes: Vec<Node>,
    patterns: Vec<Fill>,
    name: &'static str,
    view_box: (f64, f64),
    label: String,
    names: Names,
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
        Some(Self {
            root,
            title,
            defs,
            group,
            nodes,
            patterns,
            name,
            view_box: (0.0, 0.0),
            label: String::new(),
            names: Names::new(),
        })
    }

    /// Shows a drawing.
    pub(crate) fn show(&mut self, drawing: &Drawing) {
        if self.view_box != (drawing.width, drawing.height) {
            self.view_box = (drawing.width, drawing.height);
            let view_box = format!("0 0 {} {}", number(drawing.width), number(drawing.height));
            let _ = self.root.set_attribute("viewBox", &view_box);
        }
        let label = format!("{} — {}", drawing.title, drawing.description);
        if self.label != label {
            self.title.set_text_content(Some(&drawing.title));
            let _ = self.root.set_attribute("aria-label", &label);
            self.label = label;
        }
        for mark in &drawing.marks {
            self.define(mark.fill);
        }
        self.make_room(&drawing.marks);
        for (index, mark) in drawing.marks.iter().enumerate() {
            match self.nodes.get_mut(index) {
                Some(node) if node.shows(mark) => {}
                Some(node) if node.tag == tag(&mark.shape) => self.names.show(node, mark, self.name),
                Some(node) => {
                    if let Some(mut fresh) = Node::new(tag(&mark.shape)) {
                        self.names.show(&mut fresh, mark, self.name);
                        let _ = self.group.replace_child(&fresh.element, &node.element);
                        *node = fresh;
                    }
                }
                None => {
                    if let Some(mut fresh) = Node::new(tag(&mark.shape)) {
                        self.names.show(&mut fresh, mark, self.name);
                        let _ = self.group.append_child(&fresh.element);
                        self.nodes.push(fresh);
                    }
                }
            }
        }
    }

    /// Takes out and puts in nodes where the picture has fewer or more marks than before, so that every mark finds the
    /// node of one of its kind: what only moved up or down the list is not made anew.
    fn make_room(&mut self, marks: &[Mark]) {
        let tags = self.nodes.iter().zip(marks).all(|(node, mark)| node.tag == tag(&mark.shape));
        if tags && self.nodes.len() == marks.len() {
            return;
        }
        let old = std::mem::take(&mut self.nodes);
        let kept = aligned(old.len(), marks.len(), |node, mark| old[node].kinship(&marks[mark]));
        let mut old: Vec<Option<Node>> = old.into_iter().map(Some).collect();
        let mut next: Option<Element> = None;
        for (kept, mark) in kept.into_iter().zip(marks).rev() {
            let taken = kept.and_then(|place| old.get_mut(place)).and_then(Option::take);
            let Some(node) = taken.or_else(|| Node::new(tag(&mark.shape))) else { continue };
            if kept.is_none() {
                let _ = self.group.insert_before(&node.element, next.as_deref());
            }
            next = Some(node.element.clone());
            self.nodes.push(node);
        }
        self.nodes.reverse();
        old.into_iter().flatten().for_each(|left| left.element.remove());
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

/// Whether nobody can see a mark.
fn hidden(mark: &Mark) -> bool {
    rounded(mark.opacity) <= 0.0
}

const fn tag(shape: &Shape) -> &'static str {
    match shape {
        Shape::Rect { .. } => "rect",
        Shape::Circle { .. } => "circle",
        Shape::Path { .. } | Shape::Lines { .. } | Shape::Cells { .. } | Shape::Bars { .. } => "path",
        Shape::Text { .. } => "text",
    }
}

#[wasm_bindgen]
extern "C" {
    /// An element whose attributes are written many times a frame: the browser makes text of a number faster than it
    /// takes over text from here, and the names are handed over once.
    type Written;

    #[wasm_bindgen(method, js_name = setAttribute)]
    fn set_number(this: &Written, name: &JsString, value: f64);

    #[wasm_bindgen(method, js_name = setAttribute)]
    fn set_word(this: &Written, name: &JsString, value: &str);

    #[wasm_bindgen(method, js_name = removeAttribute)]
    fn remove(this: &Written, name: &JsString);
}

/// Declares the names of the attributes that marks have.
macro_rules! names {
    ($($field:ident $name:literal),+ $(,)?) => {
        /// Names of attributes as the browser's own text.
        struct Names { $($field: JsString),+ }

        impl Names {
            fn new() -> Self {
                Self { $($field: JsString::from($name)),+ }
            }
        }
    };
}

names! {
    x "x", y "y", width "width", height "height", rx "rx", cx "cx", cy "cy", r "r", d "d",
    font_size "font-size", font_weight "font-weight", text_anchor "text-anchor",
    fill "fill", stroke "stroke", stroke_width "stroke-width", dashes "stroke-dasharray", opacity "opacity",
    display "display", figure "data-figure", value "data-value",
}

impl Names {
    /// Makes a node show a mark.
    fn show(&self, node: &mut Node, mark: &Mark, picture: &str) {
        let written = node.element.unchecked_ref::<Written>();
        let hides = hidden(mark);
        if node.figure != mark.figure {
            set_or_remove(written, &self.figure, mark.figure.map(|figure| figure.id));
            match mark.figure {
                Some(figure) => written.set_word(&self.value, &figure.value.to_string()),
                None => written.remove(&self.value),
            }
            node.figure = mark.figure;
        }
        if !hides {
            self.change(&node.element, node.written.as_ref(), mark, picture);
            match &mut node.written {
                Some(old) => old.clone_from(mark),
                None => node.written = Some(mark.clone()),
            }
        }
        if node.hidden != hides {
            set_or_remove(written, &self.display, hides.then_some("none"));
            node.hidden = hides;
        }
    }

    /// Writes what differs between the old mark and the new one.
    fn change(&self, node: &Element, old: Option<&Mark>, mark: &Mark, picture: &str) {
        let written = node.unchecked_ref::<Written>();
        if old.is_none_or(|old| old.shape != mark.shape) {
            self.reshape(node, old.map(|old| &old.shape), &mark.shape);
        }
        if old.is_none_or(|old| old.fill != mark.fill) {
            match mark.fill {
                Fill::Empty => written.set_word(&self.fill, "none"),
                Fill::Solid(paint) => written.set_word(&self.fill, paint.css()),
                pattern => {
                    written.set_word(&self.fill, &format!("url(#{picture}-{})", pattern_name(pattern)));
                }
            }
        }
        let stroke = |mark: &Mark| mark.stroke;
        if old.and_then(stroke) != mark.stroke {
            set_or_remove(written, &self.stroke, mark.stroke.map(|stroke| stroke.paint.css()));
            set_or_remove(written, &self.dashes, mark.stroke.and_then(|s| s.dashed.then_some("6 5")));
            match mark.stroke {
                Some(stroke) => written.set_number(&self.stroke_width, rounded(stroke.width)),
                None => written.remove(&self.stroke_width),
            }
        }
        let opacity = |mark: &Mark| (mark.opacity < 1.0).then(|| rounded(mark.opacity));
        if old.and_then(opacity) != opacity(mark) {
            match opacity(mark) {
                Some(opacity) => written.set_number(&self.opacity, opacity),
                None => written.remove(&self.opacity),
            }
        }
    }

    /// Writes the numbers and words of a shape that differ from the old one's.
    fn reshape(&self, node: &Element, old: Option<&Shape>, shape: &Shape) {
        let written = node.unchecked_ref::<Written>();
        let set = |name: &JsString, old: Option<f64>, value: f64| {
            if old.map(rounded) != Some(rounded(value)) {
                written.set_number(name, rounded(value));
            }
        };
        match shape {
            Shape::Rect { x, y, width, height, radius } => {
                let old = match old {
                    Some(Shape::Rect { x, y, width, height, radius }) => {
                        [x, y, width, height, radius].map(|number| Some(*number))
                    }
                    _ => [None; 5],
                };
                let names = [&self.x, &self.y, &self.width, &self.height, &self.rx];
                for ((name, old), value) in names.into_iter().zip(old).zip([x, y, width, height, radius]) {
                    set(name, old, *value);
                }
            }
            Shape::Circle { x, y, r } => {
                let old = match old {
                    Some(Shape::Circle { x, y, r }) => [x, y, r].map(|number| Some(*number)),
                    _ => [None; 3],
                };
                for ((name, old), value) in [&self.cx, &self.cy, &self.r].into_iter().zip(old).zip([x, y, r])
                {
                    set(name, old, *value);
                }
            }
            Shape::Path { .. } | Shape::Lines { .. } | Shape::Cells { .. } | Shape::Bars { .. } => {
                written.set_word(&self.d, &path_data(shape));
            }
            Shape::Text { x, y, text, size, anchor, bold } => {
                let (place, words) = match old {
                    Some(Shape::Text { x, y, text, size, anchor, bold }) => {
                        ([x, y, size].map(|number| Some(*number)), Some((text, *anchor, *bold)))
                    }
                    _ => ([None; 3], None),
                };
                let names = [&self.x, &self.y, &self.font_size];
                for ((name, old), value) in names.into_iter().zip(place).zip([x, y, size]) {
                    set(name, old, *value);
                }
                if words.is_none_or(|(_, old, _)| old != *anchor) {
                    set_or_remove(written, &self.text_anchor, anchor_name(*anchor));
                }
                if words.is_none_or(|(_, _, old)| old != *bold) {
                    set_or_remove(written, &self.font_weight, bold.then_some("700"));
                }
                if words.is_none_or(|(old, ..)| old != text) {
                    // Changing a text in place costs the browser less than another one.
                    match node.first_child() {
                        Some(words) => words.set_node_value(Some(text)),
                        None => node.set_text_content(Some(text)),
                    }
                }
            }
        }
    }
}

fn set_or_remove(node: &Written, name: &JsString, value: Option<&str>) {
    match value {
        Some(value) => node.set_word(name, value),
        None => node.remove(name),
    }
}
