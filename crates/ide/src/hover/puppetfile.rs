//! Hover texts of a `Puppetfile`.

use std::ops::Range;

use marotte_db::source_text;
use marotte_resolve::puppetfile::PUPPETFILE;
use marotte_ruby::puppetfile::statements;
use marotte_text::{TextRange, TextSize};

use super::Hover;
use crate::puppetfile_options::OPTIONS;
use crate::{Db, FilePosition};

/// Returns the hover text of the declaration, option or version at a place.
pub(super) fn hover(db: &dyn Db, at: FilePosition) -> Option<Hover> {
    if at.file.path(db).file_name() != Some(PUPPETFILE) {
        return None;
    }
    let text = source_text(db, at.file).text();
    let offset = usize::from(at.offset);
    let is_here = |range: &Range<usize>| range.start <= offset && offset <= range.end;
    for statement in statements(text)? {
        let name = &statement.name;
        let declaration = match &*name.text {
            "mod" => {
                Some("Installs a module: from the Forge with a version, or from elsewhere with options.")
            }
            "forge" => Some("The address of the Forge."),
            "moduledir" => Some("The folder that modules are installed into, in place of `modules`."),
            _ => None,
        };
        let options = statement.options.iter().filter_map(|it| {
            let known = OPTIONS.iter().find(|known| known.name == it.text.as_str())?;
            Some((&it.range, known.doc))
        });
        let latest = statement.version.iter().filter(|it| it.text == "latest");
        let latest = latest
            .map(|it| (&it.range, "The newest version on the Forge when the module is installed first."));
        let mut all = declaration.map(|it| (&name.range, it)).into_iter().chain(options).chain(latest);
        if let Some((range, doc)) = all.find(|it| is_here(it.0)) {
            let range =
                TextRange::at(TextSize::of(text.get(..range.start)?), TextSize::of(text.get(range.clone())?));
            return Some(Hover { range, markdown: doc.to_owned(), fact: None });
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use crate::fixture::Fixture;
    use crate::hover;

    #[test]
    fn declarations_options_and_versions() {
        for (text, expected) in [
            ("m$0od 'a/b', '1.0.0'", Some("Installs a module")),
            ("mod 'a/b', :la$0test", Some("The newest version")),
            ("mod 'a', :gi$0t => 'https://a'", Some("The address of the git repository")),
            ("mod 'a', git: 'https://a', ta$0g: 'v1'", Some("The tag")),
            ("mod 'a/$0b', '1.0.0'", None),
            ("mod 'a', tga$0: 'v1'", None),
        ] {
            let fixture = Fixture::new(&format!("//- /Puppetfile\n{text}\n"));
            let found = hover(fixture.db(), fixture.cursor()).map(|it| it.markdown);
            match expected {
                Some(start) => {
                    assert!(found.as_ref().is_some_and(|it| it.starts_with(start)), "{text}: {found:?}")
                }
                None => assert_eq!(found, None, "{text}"),
            }
        }
    }
}
