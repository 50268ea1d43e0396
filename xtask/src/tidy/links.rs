//! Checks that links in documents lead to existing files and headings.

use std::collections::BTreeSet;
use std::path::{Component, Path, PathBuf};

use pulldown_cmark::{Event, Parser, Tag, TagEnd};

use crate::{Result, files};

/// Returns the errors in the links of the repository's documents.
pub(super) fn broken(repository: &Path) -> Result<Vec<String>> {
    let mut complaints = Vec::new();
    for path in files::own_files(repository, &["md"])? {
        let text = files::read(&repository.join(&path))?;
        for link in links(&text) {
            // Links to other sites aren't checked.
            if link.contains("://") || link.starts_with("mailto:") {
                continue;
            }
            let (file, heading) = link.split_once('#').unwrap_or((&link, ""));
            let target = match file {
                "" => path.clone(),
                _ => resolved(path.parent().unwrap_or(Path::new("")), file),
            };
            if !repository.join(&target).exists() {
                complaints.push(format!("{}: the link `{link}` leads nowhere", path.display()));
            } else if !heading.is_empty()
                && !headings(&files::read(&repository.join(&target))?).contains(heading)
            {
                complaints.push(format!("{}: the link `{link}` leads to no heading", path.display()));
            }
        }
    }
    Ok(complaints)
}

/// Resolves a relative path from a folder, without `.` and `..`.
fn resolved(folder: &Path, link: &str) -> PathBuf {
    let mut path = PathBuf::new();
    for component in folder.join(link).components() {
        match component {
            Component::ParentDir => {
                path.pop();
            }
            Component::CurDir => {}
            other => path.push(other),
        }
    }
    path
}

fn links(text: &str) -> Vec<String> {
    let targets = Parser::new(text).filter_map(|event| match event {
        Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) => Some(dest_url.to_string()),
        _ => None,
    });
    targets.collect()
}

/// Returns the anchors of a document's headings: lower case, words joined by `-`.
fn headings(text: &str) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    let mut heading: Option<String> = None;
    for event in Parser::new(text) {
        match (event, &mut heading) {
            (Event::Start(Tag::Heading { .. }), _) => heading = Some(String::new()),
            (Event::End(TagEnd::Heading(_)), _) => {
                names.extend(heading.take().map(|it| slug(&it)));
            }
            (Event::Text(text) | Event::Code(text), Some(heading)) => heading.push_str(&text),
            _ => {}
        }
    }
    names
}

fn slug(heading: &str) -> String {
    let kept = heading.chars().filter(|it| it.is_alphanumeric() || matches!(it, ' ' | '-' | '_'));
    kept.flat_map(char::to_lowercase).map(|it| if it == ' ' { '-' } else { it }).collect()
}

#[cfg(test)]
mod tests {
    use super::{headings, links, resolved};

    #[test]
    fn links_and_headings_are_read_as_markdown() {
        let text = "# What `check` does\n\n[a](b.md#c) `[no](link.md)` ![i](p.png)\n";
        assert_eq!(links(text), ["b.md#c", "p.png"]);
        assert!(headings(text).contains("what-check-does"));
    }

    #[test]
    fn links_are_relative_to_their_document() {
        assert_eq!(resolved("docs/tutorials".as_ref(), "../../examples/./a").to_str(), Some("examples/a"));
    }
}
