use marotte_catalog::{Catalog, Gap, Line, Site};
use marotte_eval::Place;
use marotte_eval::catalog::{self, Places};

use super::Findings;

/// The catalog with files and lines in place of the evaluation's places.
pub fn rendered(catalog: Catalog<Place>, findings: &mut Findings<'_>) -> Catalog {
    catalog.map_places(|place| line(&place, findings))
}

/// The reasons why a catalog is incomplete, with files and lines.
pub fn rendered_gaps(gaps: &[catalog::Gap], findings: &mut Findings<'_>) -> Vec<Gap> {
    let mut gap = |it: &catalog::Gap| Gap {
        cause: it.cause.to_string().into(),
        reason: it.reason.as_deref().map(Into::into),
        asked: sites(&it.asked, findings),
        skipped: sites(&it.skipped, findings),
    };
    gaps.iter().map(&mut gap).collect()
}

/// Converts places to lines, without duplicates.
fn sites(places: &Places, findings: &mut Findings<'_>) -> Vec<Site> {
    let mut sites: Vec<Site> = Vec::new();
    let more = (places.more > 0).then_some((None, places.more));
    let known = places.places.iter().map(|(place, count)| (line(place, findings), *count));
    for (line, count) in known.chain(more) {
        match sites.iter_mut().find(|it| it.line == line) {
            Some(it) => it.count += count,
            None => sites.push(Site { line, count }),
        }
    }
    sites
}

fn line(place: &Place, findings: &mut Findings<'_>) -> Option<Line> {
    findings.line(place).map(|(file, line)| Line { file, line })
}
