//! The examples of the documentation page about the layout have that layout.

use marotte_format::{Options, format};

use crate::support::{TEMPLATE, mode, repository};

#[test]
#[expect(clippy::disallowed_methods, reason = "the page is read from disk")]
fn examples_are_formatted() {
    let page = std::fs::read_to_string(repository().join("docs/format.md")).unwrap();
    let mut count = 0;
    for (language, mode) in [("puppet", mode(false, false)), ("epp", TEMPLATE)] {
        for part in page.split(&format!("```{language}\n")).skip(1) {
            let example = part.split("```").next().unwrap_or_default();
            assert_eq!(format(example, mode, &Options::default()).as_deref(), Ok(example));
            count += 1;
        }
    }
    assert!(count > 8, "{count}");
}
