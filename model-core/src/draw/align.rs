//! Which old mark's place a new mark takes, where a picture has lost or gained some: what only moved up or down the
//! list is recognised.

/// How far is looked for the place from which both lists go on alike.
const REACH: usize = 24;

/// What an old and a new entry have in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kinship {
    /// Nothing: one cannot become the other.
    None,
    /// One can become the other.
    Form,
    /// It most likely is the other.
    Kind,
}

/// For each of `new` entries the index of the old one that it takes the place of, in rising order; none where it is
/// fresh. `kin` compares an old entry with a new one.
#[must_use]
pub fn aligned(old: usize, new: usize, kin: impl Fn(usize, usize) -> Kinship) -> Vec<Option<usize>> {
    let alike = |a: usize, b: usize| match (a < old, b < new) {
        (true, true) => kin(a, b) == Kinship::Kind,
        (false, false) => true,
        _ => false,
    };
    let mut taken = Vec::with_capacity(new);
    let mut a = 0;
    while taken.len() < new {
        let b = taken.len();
        let fits = a < old && kin(a, b) >= Kinship::Form;
        if alike(a, b) || fits && alike(a + 1, b + 1) {
            // Past the old list's end both are alike only where the new one ends too.
            taken.push(Some(a));
            a += 1;
            continue;
        }
        let meets = (1..=REACH).find_map(|far| {
            let goes_on = |skip: &usize| {
                let (a, b) = (a + skip, b + far - skip);
                a < old && b < new && alike(a, b) && alike(a + 1, b + 1)
            };
            (0..=far).find(goes_on).map(|skip| (skip, far - skip))
        });
        match meets {
            Some((skipped, fresh)) => {
                a += skipped;
                taken.extend((0..fresh).map(|_| None));
            }
            None if fits => {
                taken.push(Some(a));
                a += 1;
            }
            None => {
                taken.push(None);
                a += usize::from(a < old);
            }
        }
    }
    taken
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Letters are kinds, capitals another form.
    fn of(old: &str, new: &str) -> Vec<Option<usize>> {
        let (a, b) = (old.as_bytes(), new.as_bytes());
        aligned(a.len(), b.len(), |one, other| {
            if a[one] == b[other] {
                Kinship::Kind
            } else if a[one].is_ascii_uppercase() == b[other].is_ascii_uppercase() {
                Kinship::Form
            } else {
                Kinship::None
            }
        })
    }

    #[test]
    fn what_is_put_in_or_taken_out_in_the_middle_leaves_the_rest_in_place() {
        assert_eq!(
            of("abcdef", "abXYcdef"),
            [Some(0), Some(1), None, None, Some(2), Some(3), Some(4), Some(5)]
        );
        assert_eq!(of("abXYcdef", "abcdef"), [Some(0), Some(1), Some(4), Some(5), Some(6), Some(7)]);
        assert_eq!(of("abcd", "abcdab"), [Some(0), Some(1), Some(2), Some(3), None, None]);
        assert_eq!(of("", "ab"), [None, None]);
        assert_eq!(of("ab", ""), []);
    }

    #[test]
    fn what_changes_in_place_stays() {
        assert_eq!(of("abcdef", "abxdef"), [0, 1, 2, 3, 4, 5].map(Some));
        assert_eq!(of("abcdef", "abXdef"), [Some(0), Some(1), None, Some(3), Some(4), Some(5)]);
    }

    proptest! {
        #[test]
        fn places_rise_and_forms_fit(old in "[a-cA-B]{0,40}", new in "[a-cA-B]{0,40}") {
            let taken = of(&old, &new);
            prop_assert_eq!(taken.len(), new.len());
            let places: Vec<usize> = taken.iter().flatten().copied().collect();
            prop_assert!(places.windows(2).all(|pair| pair[0] < pair[1]));
            for (b, a) in taken.iter().enumerate() {
                let Some(a) = a else { continue };
                let fits = old.as_bytes()[*a].is_ascii_uppercase() == new.as_bytes()[b].is_ascii_uppercase();
                prop_assert!(fits, "{} takes the place of {}", b, a);
            }
        }
    }
}
