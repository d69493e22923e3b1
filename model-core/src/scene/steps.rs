//! Declares the steps of a scene: each with its name for links, tests and descriptions, in order.

macro_rules! steps {
    ($($(#[$doc:meta])* $step:ident $name:literal),+ $(,)?) => {
        /// The steps of the scene.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Step { $($(#[$doc])* $step),+ }

        impl Step {
            /// Every step in order.
            pub const ALL: [Self; STEP_NAMES.len()] = [$(Self::$step),+];

            /// Its name for tests, text and descriptions.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $(Self::$step => $name),+ }
            }
        }

        /// Names of the steps, in order.
        pub const STEP_NAMES: [&str; [$($name),+].len()] = [$($name),+];
    };
}
