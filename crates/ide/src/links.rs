//! Links from file names to the files.

use marotte_db::File;
use marotte_text::TextRange;

use crate::Db;
use crate::data_paths::data_paths;
use crate::symbol::Symbol;
use crate::token::{Named, tokens};

/// A part of a text that refers to a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Link {
    /// The range of the name, without quotes.
    pub range: TextRange,
    /// The file that it refers to.
    pub target: File,
}

/// The names of templates and module files in a file, if these exist: in `epp`, `template`, `file`, and in `source =>
/// 'puppet:///modules/…'`; and the data paths in a `hiera.yaml` that are the same for all nodes.
pub fn links(db: &dyn Db, file: File) -> Vec<Link> {
    let all = tokens(db, file).into_iter().filter(|it| matches!(it.named, Named::ModuleFile { .. }));
    let target = |it: crate::token::Token<'_>| match Symbol::of(db, file, &it) {
        Some(Symbol::File(target)) => Some(Link { range: it.range, target }),
        _ => None,
    };
    let data = data_paths(db, file).into_iter().filter_map(|it| match it.files[..] {
        [target] => Some(Link { range: it.range, target }),
        _ => None,
    });
    all.filter_map(target).chain(data).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::FileRange;
    use crate::fixture::Fixture;

    #[test]
    fn templates_and_files() {
        let fixture = Fixture::new(
            "
            //- /manifests/site.pp
            $a = epp('m/a')
                      ^^^ a.epp
            file { '/x': source => 'puppet:///modules/m/b.txt' }
                                    ^^^^^^^^^^^^^^^^^^^^^^^^^ b.txt
            $c = template('m/none.erb')
            //- /modules/m/templates/a.epp
            a
            //- /modules/m/files/b.txt
            b
            ",
        );
        let file = fixture.file("/manifests/site.pp");
        let found = links(fixture.db(), file).into_iter();
        let name = |it: &Link| it.target.path(fixture.db()).file_name().unwrap_or_default().to_owned();
        let found: Vec<_> =
            found.map(|it| fixture.mark(FileRange { file, range: it.range }, &name(&it))).collect();
        assert_eq!(found, fixture.marks());
    }
}
