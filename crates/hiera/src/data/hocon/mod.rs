//! HOCON, as read by the library `hocon`, which the reference uses. Features that reach outside of the document are
//! left out: `include` is rejected, and substitutions don't use the environment of the process.

mod object;
mod parse;
mod resolve;
mod token;
mod tree;

use std::rc::Rc;

use super::{DataError, DataErrorKind, Document};
use parse::Parser;
use resolve::{Resolver, value};
use token::Lexer;
use tree::TreeKind;

/// Reads a text.
///
/// # Errors
/// If it isn't valid HOCON, if a substitution can't be resolved, or if it reaches outside of the document.
pub fn parse_hocon(text: &str) -> Result<Document, DataError> {
    let tree = Rc::new(Parser::new(Lexer::new(text).tokens()?).document()?);
    let TreeKind::Object(root) = &tree.kind else {
        let message = "a document is an object, and no list".to_owned();
        return Err(DataError { kind: DataErrorKind::Syntax(message), range: tree.range });
    };
    let resolved = Resolver::new(root).resolve(&tree, Some(&[]))?;
    let (value, places) = value(resolved.as_ref().unwrap_or(&tree), 0)?;
    Ok(Document { value, places, repeated: Box::default() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{DEPTH_LIMIT, Inner, Step};
    use marotte_text::TextSize;

    #[test]
    fn places_are_kept() {
        let text = "é.b = x y\nc = [1, ${é.b}]\n";
        let document = parse_hocon(text).unwrap();
        let Inner::Entries(entries) = &document.places.inner else { panic!("a hash") };
        let texts: Vec<_> = entries.iter().map(|(key, it)| (&text[*key], &text[it.range])).collect();
        assert_eq!(texts, [("é.b", "x y"), ("c", "[1, ${é.b}]")]);
    }

    #[test]
    fn what_a_substitution_stands_for_stands_at_the_substitution() {
        let text = "far = [1]\nlist = ${far} [2]\ntext = x ${word}y\nfar += 3\nsame = ${far}\nword = w\n";
        let places = |key: &str| {
            let document = parse_hocon(text).unwrap_or_else(|error| panic!("{key}: {error}"));
            text[document.range_at(&[Step::Key(key.into())])].to_owned()
        };
        assert_eq!(["list", "text", "far", "same"].map(places), ["${far} [2]", "x ${word}y", "3", "${far}"]);
    }

    #[test]
    fn what_stands_there_itself_is_not_limited() {
        let many = |count: usize, line: &dyn Fn(usize) -> String| (0..count).map(line).collect::<String>();
        let found = |text: &str, steps: &[Step]| {
            parse_hocon(text).unwrap_or_else(|error| panic!("{error}")).range_at(steps)
        };
        let last = |text: &str| &text[found(text, &[Step::Key("a".into()), Step::Index(19_999)])] == "19999";
        // Each of these took time or depth that grew with the square of their number.
        assert!(last(&many(20_000, &|it| format!("a += {it}\n"))));
        assert!(last(&format!("b = 0\na = [${{b}}]\n{}", many(20_000, &|it| format!("a += {}\n", it + 1)))));
        let keys = many(20_000, &|it| format!("a.k{it} = {it}\n"));
        assert_eq!(&keys[found(&keys, &[Step::Key("a".into()), Step::Key("k7".into())])], "7");
        let words = format!("a = {}", many(200_000, &|_| "x ".to_owned()));
        assert_eq!(found(&words, &[Step::Key("a".into())]).len(), TextSize::new(399_999));
        let elements = format!("a = [{}]", many(200_000, &|it| format!("{it},")));
        assert!(last(&elements));
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
        let large = format!("a = [{}]\nb = [{}]", "1,".repeat(10_000), "${a},".repeat(10_000));
        assert_eq!(parse_hocon(&large).unwrap_err().kind, DataErrorKind::Aliases);
        let nested: String = (1..50).map(|it| format!("a{it} = [${{a{}}}]\n", it - 1)).collect();
        let inner = format!("a0 = {}{}\n", "[".repeat(100), "]".repeat(100));
        assert_eq!(parse_hocon(&(inner + &nested)).unwrap_err().kind, DataErrorKind::Depth);
        // Each value doubles the text of the one before.
        let mut texts = "a0 = xxxxxxxxxx\n".to_owned();
        for level in 1..40 {
            texts.push_str(&format!("a{level} = ${{a{0}}}${{a{0}}}\n", level - 1));
        }
        assert_eq!(parse_hocon(&texts).unwrap_err().kind, DataErrorKind::Aliases);
    }
}
