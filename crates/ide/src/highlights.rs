//! The occurrences of a symbol in its own file.

use marotte_text::TextRange;

use crate::references::symbol_at;
use crate::symbol::Symbol;
use crate::token::tokens;
use crate::{Access, Db, FilePosition};

/// An occurrence of the symbol at the cursor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Highlight {
    /// The range of the name.
    pub range: TextRange,
    /// The kind of access.
    pub access: Access,
}

/// The places in the same file that refer to the symbol at a place, in order.
///
/// For `$x` in `$x = 1` and `notice($x)`, these are both places, the first as [`Access::Write`].
pub fn highlights(db: &dyn Db, at: FilePosition) -> Vec<Highlight> {
    let Some(symbol) = symbol_at(db, at) else { return Vec::new() };
    let all = tokens(db, at.file).into_iter();
    let mut found: Vec<Highlight> = all
        .filter(|it| Symbol::of(db, at.file, it).as_ref() == Some(&symbol))
        .map(|it| Highlight { range: it.range, access: it.access })
        .collect();
    found.dedup_by_key(|it| it.range);
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::FileRange;
    use crate::fixture::Fixture;

    #[test]
    fn a_variable_where_it_is_set_and_read() {
        let fixture = Fixture::new(
            r#"
            //- /manifests/site.pp
            $x$0 = 1
             ^ Write
            notice("$x ${x} ${::x}")
                     ^ Read
                         ^ Read
                                ^ Read
            "#,
        );
        let at = fixture.cursor();
        let found = highlights(fixture.db(), at);
        let place = |it: &Highlight| FileRange { file: at.file, range: it.range };
        let found: Vec<_> =
            found.iter().map(|it| fixture.mark(place(it), &format!("{:?}", it.access))).collect();
        assert_eq!(found, fixture.marks());
    }
}
