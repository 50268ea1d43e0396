//! The place of the cursor in a YAML text, determined from the indentation of the lines above: a text that is being written can
//! rarely be parsed.

use marotte_pcore::types::{Type, TypeKind};

/// A step from a value to a part of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step<'t> {
    /// The value of a key.
    Key(&'t str),
    /// An element of an array.
    Element,
}

/// A place in a YAML text at which a key or a scalar is being written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct YamlPlace<'t> {
    /// The way to the value that is being written, from the root.
    pub(super) path: Vec<Step<'t>>,
    /// The text written so far, without an opening quote.
    pub(super) written: &'t str,
    /// A key may be written here: there is none on the line yet.
    pub(super) may_be_key: bool,
    /// The keys beside the one that is being written.
    pub(super) siblings: Vec<&'t str>,
}

/// A line, taken apart.
struct Line<'t> {
    /// The columns of the dashes that begin it.
    dashes: Vec<usize>,
    /// The column of the rest.
    column: usize,
    rest: &'t str,
}

impl<'t> Line<'t> {
    /// None for blank lines and comments.
    fn read(line: &'t str) -> Option<Line<'t>> {
        let mut dashes = Vec::new();
        let mut column = line.len() - line.trim_start_matches(' ').len();
        while line[column..].starts_with("- ") || &line[column..] == "-" {
            dashes.push(column);
            let rest = &line[column + 1..];
            column += 1 + rest.len() - rest.trim_start_matches(' ').len();
        }
        let rest = line[column..].trim_end();
        let is_blank = rest.is_empty() && dashes.is_empty() || rest.starts_with('#') || rest == "---";
        (!is_blank).then_some(Line { dashes, column, rest })
    }

    /// The key of the line, and the text after its colon.
    fn key(&self) -> Option<(&'t str, &'t str)> {
        let quote = self.rest.chars().next().filter(|it| matches!(it, '\'' | '"'));
        let (key, value) = match quote {
            Some(quote) => {
                let (key, rest) = self.rest[1..].split_once(quote)?;
                (key, rest.strip_prefix(':')?)
            }
            None => match self.rest.split_once(": ") {
                Some((key, value)) => (key, value),
                None => (self.rest.strip_suffix(':')?, ""),
            },
        };
        Some((key, value.trim()))
    }
}

/// Finds the place at the end of a part of a text. `after` is the rest of the text. None in comments and in nested hashes in braces.
pub(super) fn place<'t>(before: &'t str, after: &'t str) -> Option<YamlPlace<'t>> {
    let (above, line) = before.rsplit_once('\n').unwrap_or(("", before));
    if line.trim_start().starts_with('#') || line.contains(" #") {
        return None;
    }
    let cursor = Line::read(line).unwrap_or(Line { dashes: Vec::new(), column: line.len(), rest: "" });
    // From the innermost step to the outermost.
    let mut path = Vec::new();
    let (written, may_be_key) = match line[cursor.column..].split_once(": ").and_then(|_| cursor.key()) {
        Some((key, value)) => {
            let written = match value.strip_prefix('[') {
                Some(elements) => {
                    path.push(Step::Element);
                    elements.rsplit(',').next().unwrap_or_default().trim_start()
                }
                None => value,
            };
            path.push(Step::Key(key));
            (written, false)
        }
        None => (cursor.rest, true),
    };
    if written.contains(['{', ']', '}']) {
        return None;
    }
    path.extend(cursor.dashes.iter().map(|_| Step::Element));
    // The next key around it begins before this column, or at it, because dashes needn't be indented.
    let (mut column, mut is_element) = match cursor.dashes.first() {
        Some(outermost) => (*outermost, true),
        None => (cursor.column, false),
    };
    for line in above.rsplit('\n').filter_map(Line::read) {
        let is_around = line.column < column || is_element && line.column == column && line.dashes.is_empty();
        if let Some((key, "" | "|" | ">" | "|-" | ">-")) = line.key().filter(|_| is_around) {
            path.push(Step::Key(key));
            (column, is_element) = (line.column, false);
        }
        for dash in line.dashes.iter().rev() {
            if *dash < column {
                path.push(Step::Element);
                (column, is_element) = (*dash, true);
            }
        }
        if line.dashes.is_empty() && line.column == 0 {
            break;
        }
    }
    path.reverse();
    let siblings = siblings(above, after, &cursor);
    Some(YamlPlace { path, written: written.trim_start_matches(['\'', '"']), may_be_key, siblings })
}

/// The keys of the hash that the cursor's line belongs to, above and below it.
fn siblings<'t>(above: &'t str, after: &'t str, cursor: &Line<'_>) -> Vec<&'t str> {
    let mut found = Vec::new();
    if cursor.dashes.is_empty() {
        for line in above.rsplit('\n').filter_map(Line::read) {
            if line.column < cursor.column {
                break;
            }
            found.extend(line.key().filter(|_| line.column == cursor.column).map(|(key, _)| key));
            if line.dashes.iter().any(|it| *it < cursor.column) {
                break;
            }
        }
    }
    for line in after.split('\n').skip(1).filter_map(Line::read) {
        if line.column < cursor.column || line.dashes.iter().any(|it| *it < cursor.column) {
            break;
        }
        found.extend(line.key().filter(|_| line.column == cursor.column).map(|(key, _)| key));
    }
    found
}

/// The types that a part of a value of a type may have.
pub(super) fn parts(whole: &Type, path: &[Step<'_>]) -> Vec<Type> {
    let mut open = vec![whole.clone()];
    for step in path {
        let mut inner = Vec::new();
        for it in alternatives(&open) {
            match (it.resolved().kind(), step) {
                (TypeKind::Struct(all), Step::Key(key)) => {
                    inner.extend(all.iter().filter(|it| it.name == *key).map(|it| it.value.clone()));
                }
                (TypeKind::Hash(_, value, _), Step::Key(_)) => inner.push(value.clone()),
                (TypeKind::Array(element, _), Step::Element) => inner.push(element.clone()),
                (TypeKind::Tuple(it), Step::Element) => inner.extend(it.types.iter().cloned()),
                _ => {}
            }
        }
        open = inner;
    }
    alternatives(&open)
}

/// The types, with those of their values that may also be something else.
fn alternatives(all: &[Type]) -> Vec<Type> {
    /// Types of data are never that large.
    const MOST: usize = 1000;
    let mut open = all.to_vec();
    let mut found = Vec::new();
    while let Some(it) = open.pop().filter(|_| found.len() < MOST) {
        match it.resolved().kind() {
            TypeKind::Variant(all) => open.extend(all.iter().cloned()),
            TypeKind::Optional(Some(it)) | TypeKind::NotUndef(Some(it)) => open.push(it.clone()),
            _ => found.push(it),
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> Option<(String, String, bool, Vec<&str>)> {
        let (before, after) = text.split_once('|').expect("a cursor");
        let found = place(before, after)?;
        let path: Vec<&str> = found
            .path
            .iter()
            .map(|it| match it {
                Step::Key(key) => key,
                Step::Element => "*",
            })
            .collect();
        Some((path.join("."), found.written.to_owned(), found.may_be_key, found.siblings))
    }

    #[test]
    fn places_follow_from_indentation() {
        for (text, path, written, may_be_key, siblings) in [
            ("a|", "", "a", true, vec![]),
            ("x: 1\ny|\nz: 2\n", "", "y", true, vec!["x", "z"]),
            ("x: tr|", "x", "tr", false, vec![]),
            ("x:\n  y: 1\n  z|\n  w: 1\nv: 1", "x", "z", true, vec!["y", "w"]),
            ("x:\n  - |", "x.*", "", true, vec![]),
            ("x:\n- a|", "x.*", "a", true, vec![]),
            ("x:\n- b\n- a: 1\n  c|", "x.*", "c", true, vec!["a"]),
            ("x:\n  - name: z\n  - name: a\n    pa|", "x.*", "pa", true, vec!["name"]),
            ("x:\n  - name: a\n    pa|\n    glob: 1\n  - name: b", "x.*", "pa", true, vec!["name", "glob"]),
            ("x:\n  - name: a\n    path: b|", "x.*.path", "b", false, vec!["name"]),
            ("x:\n  y:\n    - - 'a|", "x.y.*.*", "a", true, vec![]),
            ("x: 1\ny:\n  # no\n\n  z: [a, 'b|", "y.z.*", "b", false, vec![]),
            ("x:\n  'y::z':\n    mer|", "x.y::z", "mer", true, vec![]),
        ] {
            let found = at(text).expect(text);
            assert_eq!(found, (path.to_owned(), written.to_owned(), may_be_key, siblings), "{text}");
        }
        assert_eq!(at("# x|"), None);
        assert_eq!(at("x: {a|"), None);
    }
}
