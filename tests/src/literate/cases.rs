//! Tables of short cases: one line each if that is readable.

use super::{Expectation, Issue, Notation};

/// The maximum width of a table's line.
const WIDTH: usize = 110;
/// The expectations of wider sources are below them, so that they don't push all others to the right.
const WIDE_SOURCE: usize = 44;

/// One line of a table.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Row {
    /// The source as written, with `⏎` and `⟨…⟩`. Empty for a blank line between groups.
    pub source: String,
    pub expected: Option<Expectation>,
    pub marotte: Option<Expectation>,
}

/// The indentation of continuation lines of a tree.
const INDENT: &str = "       ";

/// Parses a table's body. The error is a line that isn't a row.
pub(super) fn read(body: &str) -> Result<Vec<Row>, String> {
    let mut rows: Vec<Row> = Vec::new();
    // A tree on several lines is one answer.
    let body = body.replace(&format!("\n{INDENT}"), " ");
    for line in body.lines() {
        let below = line.starts_with("    ").then(|| line.trim_start()).filter(|rest| starts_answer(rest));
        if let Some(rest) = below {
            let row = rows.last_mut().ok_or_else(|| line.to_owned())?;
            let (answer, rest) = match rest.strip_prefix("marotte ") {
                Some(rest) => (&mut row.marotte, rest),
                None => (&mut row.expected, rest),
            };
            read_answer(rest, answer.get_or_insert_default()).ok_or_else(|| line.to_owned())?;
            continue;
        }
        let mut row = Row { source: line.trim_end().to_owned(), expected: None, marotte: None };
        let marker = ["  ⇒  ", "  ✗  "].into_iter().filter_map(|marker| line.find(marker)).min();
        if let Some(at) = marker {
            row.source = line[..at].trim_end().to_owned();
            read_answer(&line[at..], row.expected.get_or_insert_default()).ok_or_else(|| line.to_owned())?;
        }
        rows.push(row);
    }
    Ok(rows)
}

/// Formats a table, aligned.
pub(super) fn write(rows: &[Row]) -> String {
    let width = |row: &Row| row.source.chars().count();
    let fits = |row: &Row| row.marotte.is_none() && width(row) <= WIDE_SOURCE;
    let column = rows.iter().filter(|row| fits(row)).map(width).max().unwrap_or_default();
    let mut text = String::new();
    for row in rows {
        text.push_str(&row.source);
        let inline = row.expected.as_ref().map(answer_parts).unwrap_or_default().join("  ");
        if fits(row) && column + 2 + inline.chars().count() <= WIDTH {
            if !inline.is_empty() {
                text.extend(std::iter::repeat_n(' ', column - width(row) + 2));
                text.push_str(&inline);
            }
        } else {
            write_below(&mut text, row.expected.as_ref(), "");
            write_below(&mut text, row.marotte.as_ref(), "marotte ");
        }
        text.push('\n');
    }
    text
}

/// Writes an answer on separate lines, a wide tree on several.
fn write_below(text: &mut String, answer: Option<&Expectation>, by: &str) {
    let Some(answer) = answer else { return };
    for part in answer_parts(answer) {
        let line = format!("    {by}{part}");
        text.push('\n');
        match &answer.tree {
            Some(tree) if part.starts_with('⇒') && line.chars().count() > WIDTH => {
                let layout = tree.layout(WIDTH - INDENT.len()).replace('\n', &format!("\n{INDENT}"));
                text.push_str(&format!("    {by}⇒  {layout}"));
            }
            _ => text.push_str(&line),
        }
    }
}

/// Decodes a source of a table. The error is an invalid text between `⟨` and `⟩`.
pub(super) fn decode(source: &str) -> Result<String, String> {
    let mut text = String::new();
    let mut rest = source;
    while let Some(at) = rest.find(['⏎', '⟨']) {
        text.push_str(&rest[..at]);
        if let Some(after) = rest[at..].strip_prefix('⏎') {
            text.push('\n');
            rest = after;
            continue;
        }
        let number = &rest[at + '⟨'.len_utf8()..];
        let (number, after) = number.split_once('⟩').ok_or_else(|| number.to_owned())?;
        let scalar = u32::from_str_radix(number, 16).ok().and_then(char::from_u32);
        text.push(scalar.ok_or_else(|| number.to_owned())?);
        rest = after;
    }
    text.push_str(rest);
    Ok(text)
}

fn starts_answer(text: &str) -> bool {
    ["⇒ ", "✗ ", "⚠ ", "marotte "].into_iter().any(|marker| text.starts_with(marker))
}

/// Reads `⇒ TREE`, `✗ ISSUE, …` and `⚠ ISSUE, …` in a row.
fn read_answer(text: &str, answer: &mut Expectation) -> Option<()> {
    let text = text.trim();
    let (tree, warnings) = match text.split_once("  ⚠  ") {
        Some((tree, warnings)) => (tree, Some(warnings)),
        None => match text.strip_prefix("⚠ ") {
            Some(warnings) => ("", Some(warnings)),
            None => (text, None),
        },
    };
    if let Some(tree) = tree.strip_prefix("⇒ ") {
        answer.tree = Some(Notation::read(tree).ok()?);
    } else if let Some(errors) = tree.strip_prefix("✗ ") {
        for error in errors.split(',') {
            answer.issues.push(Issue::read(error)?);
        }
    } else if !tree.is_empty() {
        return None;
    }
    for warning in warnings.into_iter().flat_map(|warnings| warnings.split(',')) {
        answer.issues.push(Issue { warning: true, ..Issue::read(warning)? });
    }
    Some(())
}

/// Formats the nonempty parts of `⇒  TREE`, `✗  ISSUE, …`, `⚠  ISSUE, …`.
fn answer_parts(answer: &Expectation) -> Vec<String> {
    let list = |warning: bool| {
        let issues = answer.issues.iter().filter(|issue| issue.warning == warning);
        let texts: Vec<_> =
            issues.map(|issue| Issue { warning: false, ..issue.clone() }.to_string()).collect();
        (!texts.is_empty()).then(|| texts.join(", "))
    };
    let tree = answer.tree.as_ref().map(|tree| format!("⇒  {tree}"));
    let errors = list(false).map(|errors| format!("✗  {errors}"));
    let warnings = list(true).map(|warnings| format!("⚠  {warnings}"));
    [tree, errors, warnings].into_iter().flatten().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_reads_as_it_prints() {
        let table = "\
1           ⇒  1
08          ✗  INVALID_OCTAL_NUMBER 1:1
\"\\q\"        ⇒  \"\\\\q\"  ⚠  UNRECOGNIZED_ESCAPE 1:4

f(⏎1        ✗  SYNTAX_ERROR
g(
    ✗  SYNTAX_ERROR
    marotte ✗  SYNTAX_ERROR 1:2, SYNTAX_ERROR 1:3
new source
";
        let rows = read(table).unwrap();
        assert_eq!(rows.len(), 7);
        assert_eq!(rows[5].marotte.as_ref().map(|marotte| marotte.issues.len()), Some(2));
        assert_eq!(rows[6].expected, None);
        assert_eq!(write(&rows), table);
    }

    #[test]
    fn a_row_that_is_too_wide_has_its_answer_below() {
        let source = "x".repeat(60);
        let rows = read(&format!("{source}  ⇒  (qn \"x\")\n")).unwrap();
        assert_eq!(write(&rows), format!("{source}\n    ⇒  (qn \"x\")\n"));
        assert_eq!(read(&write(&rows)), Ok(rows));
    }

    #[test]
    fn a_wide_tree_goes_over_several_lines() {
        let tree = format!("(f {})", [r#"(var "some_name")"#; 9].join(" "));
        let rows = read(&format!("x  ⇒  {tree}\ny  ⇒  1\n")).unwrap();
        let text = write(&rows);
        assert!(text.lines().count() > 10, "{text}");
        assert_eq!(read(&text), Ok(rows));
    }

    #[test]
    fn placeholders_stand_for_characters() {
        assert_eq!(decode("a⏎⟨A0⟩b⟨FEFF⟩").as_deref(), Ok("a\n\u{A0}b\u{FEFF}"));
        assert_eq!(decode("⟨XY⟩"), Err("XY".to_owned()));
        assert_eq!(decode("⟨41"), Err("41".to_owned()));
    }
}
