//! The colours by their meaning. On the page a paint is a custom property; in an exported file it is its value.

/// Light or dark.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Theme {
    /// Dark ink on light paper.
    #[default]
    Light,
    /// Light ink on dark paper.
    Dark,
}

impl Theme {
    /// Its name in links.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Light => "light",
            Self::Dark => "dark",
        }
    }

    /// Reads such a name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        [Self::Light, Self::Dark].into_iter().find(|theme| theme.name() == name)
    }
}

macro_rules! paints {
    ($($(#[$doc:meta])* $name:ident = $property:literal $light:literal $dark:literal),* $(,)?) => {
        /// A colour by what it means.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Paint {
            $($(#[$doc])* $name),*
        }

        impl Paint {
            /// Every paint.
            pub const ALL: &[Self] = &[$(Self::$name),*];

            /// The custom property that holds it on the page, without the leading dashes.
            #[must_use]
            pub const fn property(self) -> &'static str {
                match self { $(Self::$name => $property),* }
            }

            /// Its value as a fill or stroke on the page.
            #[must_use]
            pub const fn css(self) -> &'static str {
                match self { $(Self::$name => concat!("var(--", $property, ")")),* }
            }

            /// Its value in a theme.
            #[must_use]
            pub const fn hex(self, theme: Theme) -> &'static str {
                match (self, theme) {
                    $((Self::$name, Theme::Light) => $light, (Self::$name, Theme::Dark) => $dark),*
                }
            }
        }
    };
}

paints! {
    /// Behind everything.
    Paper = "paper" "#faf8f3" "#12161b",
    /// Behind one thing that belongs together.
    Card = "card" "#ffffff" "#1a2027",
    /// A band between cards.
    Band = "band" "#f1ede3" "#20272f",
    /// What is not there yet, or free.
    Sunk = "sunk" "#ece8dd" "#28313b",
    /// Hairlines.
    Line = "line" "#ddd7ca" "#2e3742",
    /// Words and figures.
    Ink = "ink" "#1d232b" "#e8e6e1",
    /// Words of less weight.
    Mute = "mute" "#5f6872" "#98a2ad",
    /// Words on a strong colour.
    OnColour = "on-colour" "#ffffff" "#0d1115",
    /// Tokens and activations.
    Token = "token" "#e69f00" "#f0b429",
    /// Weights that are cut over the GPUs.
    Weight = "weight" "#0072b2" "#4ba3db",
    /// Weights that each GPU holds whole.
    WeightSoft = "weight-soft" "#5fa8d3" "#2f6f9b",
    /// Weights beside the experts.
    WeightDeep = "weight-deep" "#00456e" "#a3d3f2",
    /// Caches.
    Cache = "cache" "#009e73" "#2cc296",
    /// A second kind of cache.
    CacheSoft = "cache-soft" "#7ccbb2" "#1b7a60",
    /// A third kind of cache.
    CacheFaint = "cache-faint" "#c4e6da" "#14533f",
    /// A fourth kind of cache.
    CacheDeep = "cache-deep" "#005c44" "#93e6c9",
    /// Communication, and what is over a limit.
    Comm = "comm" "#d55e00" "#f07c2e",
    /// Computation.
    Compute = "compute" "#8f5bb5" "#b689d9",
    /// Computation of less weight.
    ComputeSoft = "compute-soft" "#c3a6db" "#6f4f8a",
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The page's stylesheet names the same colours: it must, or picture and page would part.
    #[test]
    fn the_stylesheet_holds_the_same_colours() {
        let css = include_str!("../../../assets/tokens.css");
        let (light, dark) = css.split_once("[data-theme=\"dark\"]").unwrap();
        for paint in Paint::ALL {
            for (block, theme) in [(light, Theme::Light), (dark, Theme::Dark)] {
                let line = format!("--{}: {};", paint.property(), paint.hex(theme));
                assert!(block.contains(&line), "{line} stands in the stylesheet's {} block", theme.name());
            }
        }
    }
}
