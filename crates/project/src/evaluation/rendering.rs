use marotte_catalog::{Catalog, Line};
use marotte_eval::Place;

use super::Findings;

/// The catalog with files and lines for what evaluation knows of places.
pub fn rendered(catalog: Catalog<Place>, findings: &mut Findings<'_>) -> Catalog {
    catalog.map_places(|place| {
        let shown = findings.shown(&place)?;
        Some(Line { file: shown.absolute.as_str().into(), line: shown.line })
    })
}
