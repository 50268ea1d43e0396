//! Linked editing: places that change together while the user types.

use marotte_text::TextRange;

use crate::references::symbol_at;
use crate::symbol::Symbol;
use crate::token::tokens;
use crate::{Db, FilePosition};

/// The places of the variable at a place, if it cannot be accessed from outside of a function, lambda or template: typing in
/// one may change all of them. Empty for everything else, which [`rename`](crate::rename()) is for.
pub fn linked_editing(db: &dyn Db, at: FilePosition) -> Vec<TextRange> {
    let Some(symbol @ Symbol::Variable(item, Some(_), _)) = symbol_at(db, at) else { return Vec::new() };
    if crate::symbol::is_parameter_of_item(db, &symbol) {
        return Vec::new();
    }
    let all = tokens(db, at.file).into_iter().filter(|it| it.within == Some(item));
    let mut found: Vec<TextRange> =
        all.filter(|it| Symbol::of(db, at.file, it).as_ref() == Some(&symbol)).map(|it| it.range).collect();
    found.dedup();
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::Fixture;

    #[test]
    fn variables_of_lambdas() {
        let fixture = Fixture::new("[1].each |$x$0| { notice($x) }\n$x = 2\n");
        assert_eq!(linked_editing(fixture.db(), fixture.cursor()).len(), 2);
        let fixture = Fixture::new("$x$0 = 2\nnotice($x)\n");
        assert!(linked_editing(fixture.db(), fixture.cursor()).is_empty());
    }
}
