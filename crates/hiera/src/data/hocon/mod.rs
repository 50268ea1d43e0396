//! HOCON, as the library `hocon` reads it, which the reference uses. What leads out of the document is left out: `include`
//! is refused, and the environment of the process has no values for substitutions.

mod parse;
mod resolve;
mod token;

use super::{DataError, DataErrorKind, Document};
use parse::{Parser, TreeKind};
use resolve::{Resolver, value};
use token::Lexer;

/// Reads a text.
///
/// # Errors
/// If it is no HOCON, if a substitution means nothing, or if it leads out of the document.
pub fn parse_hocon(text: &str) -> Result<Document, DataError> {
    let tree = Parser::new(Lexer::new(text).tokens()?).document()?;
    let TreeKind::Object(root) = &tree.kind else {
        let message = "a document is an object, and no list".to_owned();
        return Err(DataError { kind: DataErrorKind::Syntax(message), range: tree.range });
    };
    let resolved = Resolver::new(root).resolve(&tree, Some(&[]))?;
    let (value, places) = value(resolved.as_ref().unwrap_or(&tree));
    Ok(Document { value, places })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{DEPTH_LIMIT, Inner};

    #[test]
    fn places_are_kept() {
        let text = "é.b = x y\nc = [1, ${é.b}]\n";
        let document = parse_hocon(text).unwrap();
        let Inner::Entries(entries) = &document.places.inner else { panic!("a hash") };
        let texts: Vec<_> = entries.iter().map(|(key, it)| (&text[*key], &text[it.range])).collect();
        assert_eq!(texts, [("é.b", "x y"), ("c", "[1, ${é.b}]")]);
    }

    #[test]
    fn bombs_are_refused() {
        let deep = "[".repeat(DEPTH_LIMIT + 1);
        assert_eq!(parse_hocon(&format!("a = {deep}")).unwrap_err().kind, DataErrorKind::Depth);
        for keys in ["a.".repeat(100_000), "a.b.c { ".repeat(DEPTH_LIMIT / 2)] {
            assert_eq!(parse_hocon(&format!("{keys}a = 1")).unwrap_err().kind, DataErrorKind::Depth);
        }
        let mut bomb = "a0 = [1, 1, 1, 1, 1, 1, 1, 1, 1, 1]\n".to_owned();
        for level in 1..10 {
            let before = format!("${{a{}}}, ", level - 1).repeat(10);
            bomb.push_str(&format!("a{level} = [{before}]\n"));
        }
        assert_eq!(parse_hocon(&bomb).unwrap_err().kind, DataErrorKind::Aliases);
        // Each value stands for a longer text.
        let mut texts = "a0 = xxxxxxxxxx\n".to_owned();
        for level in 1..40 {
            texts.push_str(&format!("a{level} = ${{a{0}}}${{a{0}}}\n", level - 1));
        }
        assert_eq!(parse_hocon(&texts).unwrap_err().kind, DataErrorKind::Aliases);
    }
}
