//! Hover texts of the paths in a `hiera.yaml`.

use camino::Utf8Path;
use marotte_db::{FileStatus, environment_of, source_text};

use super::{Hover, shown_path};
use crate::data_paths::data_paths;
use crate::{Db, FilePosition};

/// Returns the hover text of the path at a place: the files that it may match, or that there are none.
pub(super) fn hover(db: &dyn Db, at: FilePosition) -> Option<Hover> {
    const MOST: usize = 8;
    let found = data_paths(db, at.file).into_iter().find(|it| it.range.contains_inclusive(at.offset))?;
    let environment = environment_of(db, at.file);
    let shown: Vec<String> =
        found.files.iter().map(|it| format!("`{}`", shown_path(db, environment, *it))).collect();
    let only = found.only.as_deref().map(|it| db.files().file(db, Utf8Path::new(it)));
    let problem = only.and_then(|file| {
        let shown = shown_path(db, environment, file);
        if file.status(db) == FileStatus::Missing {
            return Some(format!("There is no file `{shown}`."));
        }
        source_text(db, file).error().map(|error| format!("`{shown}` cannot be read: {error}."))
    });
    if let Some(markdown) = problem {
        return Some(Hover { range: found.range, markdown, fact: None });
    }
    let markdown = match (&shown[..], only) {
        ([], _) => "No file here matches this path.".to_owned(),
        ([only], Some(_)) => format!("Reads {only}."),
        (all, _) if all.len() > MOST + 1 => {
            let more = all.len() - MOST;
            format!("Reads {} or one of {more} more, depending on the node.", all[..MOST].join(", "))
        }
        (all, _) => format!("Reads {}, depending on the node.", all.join(" or ")),
    };
    Some(Hover { range: found.range, markdown, fact: None })
}

#[cfg(test)]
mod tests {
    use crate::fixture::Fixture;
    use crate::hover;

    #[track_caller]
    fn check(level: &str, expected: Option<&str>) {
        let tree = format!(
            "//- /hiera.yaml\nversion: 5\nhierarchy: [{{name: a, {level}}}]\n\
             //- /data/a.yaml\nx: 1\n//- /data/nodes/b.yaml\nx: 1\n//- /data/nodes/c.yaml\nx: 1\n"
        );
        let fixture = Fixture::new(&tree);
        let found = hover(fixture.db(), fixture.cursor()).map(|it| it.markdown);
        assert_eq!(found.as_deref(), expected);
    }

    #[test]
    fn paths_and_their_files() {
        check("path: a.y$0aml", Some("Reads `data/a.yaml`."));
        check("paths: ['a.yaml', 'no$0.yaml']", Some("There is no file `data/no.yaml`."));
        let both = "Reads `data/nodes/b.yaml` or `data/nodes/c.yaml`, depending on the node.";
        check("path: \"nodes/$0%{trusted.certname}.yaml\"", Some(both));
        check("path: \"x/$0%{trusted.certname}.yaml\"", Some("No file here matches this path."));
        check("path: nod$0es", Some("`data/nodes` cannot be read: it is not a regular file."));
        check("pa$0th: a.yaml", None);
    }
}
