//! The lines that show a scene inside somebody else's page: the script of the site and its element, in the state of a
//! link.

use crate::link::Link;
use crate::scene::end_of;

/// The HTML for a link's scene; `site` is the page's address without query. The element is that of `embed.js`.
///
/// ```
/// use model_core::link::Link;
///
/// let (link, _) = Link::read("scene=place&tp=16&lang=en&step=2");
/// assert_eq!(
///     model_core::embed::code(&link, "https://example.org/"),
///     "<script type=\"module\" src=\"https://example.org/embed.js\"></script>\n\
///      <one-token-scene scene=\"place\" scenario=\"tp=16\" step=\"2\" lang=\"en\"></one-token-scene>"
/// );
/// ```
#[must_use]
pub fn code(link: &Link, site: &str) -> String {
    // An address may name the file itself.
    let site = site.rsplit_once('/').map_or("", |(folder, _)| folder);
    let mut element = format!("<one-token-scene scene=\"{}\"", link.scene.name());
    let mut attribute = |name: &str, value: &str| {
        if !value.is_empty() {
            element.push_str(&format!(" {name}=\"{}\"", quoted(value)));
        }
    };
    attribute("scenario", &link.scenario_query());
    if link.moment != end_of(link.scene) {
        attribute("step", &(link.moment.step + 1).to_string());
        if link.moment.t < 1.0 {
            attribute("t", &format!("{:.3}", link.moment.t));
        }
    }
    attribute("lang", link.language.map_or("", crate::language::Language::name));
    attribute("theme", link.theme.map_or("", crate::draw::Theme::name));
    format!(
        "<script type=\"module\" src=\"{}/embed.js\"></script>\n{element}></one-token-scene>",
        quoted(site)
    )
}

/// Text inside a quoted attribute.
fn quoted(text: &str) -> String {
    text.replace('&', "&amp;").replace('"', "&quot;").replace('<', "&lt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn several_choices_are_quoted_and_the_file_of_the_page_is_not_part_of_the_site() {
        let (link, _) = Link::read("scene=kernel&ledger=exact&batch=64&context=131072&theme=dark&t=0.5");
        let code = code(&link, "https://example.org/a/index.html");
        assert!(code.contains("src=\"https://example.org/a/embed.js\""), "{code}");
        assert!(
            code.contains("scenario=\"ledger=exact&amp;context=131072&amp;batch=64\"")
                && code.contains(" t=\"0.500\"")
                && code.contains(" theme=\"dark\"")
                && !code.contains("lang="),
            "{code}"
        );
    }
}
