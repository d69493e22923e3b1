//! Links that are out in the world read the same for ever: each link of `links/first-form.txt` with what it says. Lines
//! are added to that file and never changed.

#![cfg(not(target_arch = "wasm32"))]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

use model_core::link::Link;

/// What a link says, in words of its own: whatever the form of links becomes, this stays.
fn said(link: &Link) -> Vec<String> {
    let mut said = vec![format!("ledger {}", link.ledger.name()), format!("units {}", link.base.name())];
    said.extend(link.scenario.choices().map(|(key, setting)| format!("{} {setting}", key.name())));
    for compared in &link.compared {
        let values: Vec<String> =
            compared.scenario.choices().map(|(key, setting)| format!(", {} {setting}", key.name())).collect();
        said.push(format!("beside {}, {}{}", compared.ledger.name(), compared.base.name(), values.concat()));
    }
    said.extend(link.language.map(|language| format!("language {}", language.name())));
    said.extend(link.theme.map(|theme| format!("theme {}", theme.name())));
    said.push(format!("view {}, room {}", link.view.name(), link.room.name()));
    said.push(format!("scene {}, step {}, at {}", link.scene.name(), link.moment.step + 1, link.moment.t));
    said
}

#[test]
fn links_of_the_first_form_read_as_ever() {
    let blocks = include_str!("links/first-form.txt").split("\n\n");
    let mut read = 0;
    for block in blocks {
        let mut lines = block.lines().filter(|line| !line.starts_with('#'));
        let Some(query) = lines.next() else { continue };
        let (link, refusals) = Link::read(query);
        assert_eq!(refusals, [], "{query}");
        assert_eq!(said(&link), lines.collect::<Vec<_>>(), "{query}");
        // Written anew it still says the same.
        assert_eq!(said(&Link::read(&link.write()).0), said(&link), "{query}");
        read += 1;
    }
    assert!(read >= 8, "the file is whole");
}
