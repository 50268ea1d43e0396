//! Assists: code changes that are available at a place without a finding.

pub(crate) mod dependency;
mod extract;
mod fact;
mod include;
mod json;
mod key;
mod missing;
mod quotes;
mod remedies;
mod sample;
mod sort;

pub use remedies::remedies;

use marotte_db::{mode, source_text};
use marotte_hir::parse;
use marotte_syntax::ast::{Expr, ExprKind, Program};
use marotte_text::{TextRange, TextSize};

use crate::token::is_code;
use crate::{Db, FileRange, TextEdit};

/// A code change that the user may want.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Assist {
    /// The name of the assist, for settings and tests: `convert-quotes`.
    pub id: &'static str,
    /// The title, as shown to the user.
    pub title: String,
    /// The replacements, in order of position.
    pub edits: Vec<TextEdit>,
}

/// The assists for a cursor position or a selection, which don't change what the code does: convert the quotes of a string,
/// extract a variable, sort attributes; add the required parameters of a class or resource type; and include the class that a
/// name belongs to; and add the parameters to data that a declared class lacks.
pub fn assists(db: &dyn Db, at: FileRange) -> Vec<Assist> {
    if !is_code(db, at.file) {
        return Vec::new();
    }
    let parsed = parse(db, at.file);
    let tree = parsed.program();
    let text = source_text(db, at.file).text();
    let spot = Spot { db, at, text, program: &tree };
    let quotes = quotes::convert(&spot, mode(db, at.file));
    let comments: Vec<TextRange> = parsed.comments().iter().map(|it| it.range).collect();
    let one =
        [quotes, extract::variable(&spot), sort::attributes(&spot, &comments), missing::parameters(&spot)];
    one.into_iter().flatten().chain(include::classes(&spot)).chain(key::of_parameters(db, at)).collect()
}

/// The cursor or selection, with its file.
struct Spot<'a> {
    db: &'a dyn Db,
    at: FileRange,
    text: &'a str,
    program: &'a Program,
}

impl<'a> Spot<'a> {
    /// The expressions around the selection, outermost first.
    fn path(&self) -> Vec<&'a Expr> {
        let mut path: Vec<&Expr> = Vec::new();
        loop {
            let mut next: Option<&Expr> = None;
            let mut look = |it: &'a Expr| {
                if it.range.contains_range(self.at.range) {
                    next = Some(it);
                }
            };
            match path.last() {
                Some(last) => last.for_each_child(&mut look),
                None => self.program.for_each_child(&mut look),
            }
            match next {
                Some(it) => path.push(it),
                None => return path,
            }
        }
    }

    fn edit(&self, range: TextRange, text: impl Into<String>) -> TextEdit {
        TextEdit { place: FileRange { file: self.at.file, range }, text: text.into() }
    }

    /// The indentation of the line on which a range starts.
    fn indent(&self, range: TextRange) -> &'a str {
        let before = self.text.get(..usize::from(range.start())).unwrap_or_default();
        let line = &self.text[before.rfind('\n').map_or(0, |it| it + 1)..];
        &line[..line.len() - line.trim_start_matches([' ', '\t']).len()]
    }
}

/// Whether an expression contains a heredoc. Its text is on the lines after the one with its tag, so that neither can be moved.
fn has_heredoc(expr: &Expr) -> bool {
    let mut found = matches!(expr.kind, ExprKind::Heredoc(_));
    expr.for_each_child(&mut |it| found = found || has_heredoc(it));
    found
}

/// Whether a heredoc's tag is before a place on the same line: a line break there would become a part of its text.
fn follows_heredoc(spot: &Spot<'_>, at: TextSize) -> bool {
    let line = spot.text[..usize::from(at)].rfind('\n').map_or(0, |it| it + 1);
    let is_before = |it: &Expr| it.range.end() <= at && usize::from(it.range.start()) >= line;
    let mut open: Vec<&Expr> = Vec::new();
    spot.program.for_each_child(&mut |it| open.push(it));
    while let Some(expr) = open.pop() {
        if matches!(expr.kind, ExprKind::Heredoc(_)) && is_before(expr) {
            return true;
        }
        expr.for_each_child(&mut |it| open.push(it));
    }
    false
}

/// The blocks of statements in an expression.
fn blocks(expr: &Expr) -> Vec<&[Expr]> {
    match &expr.kind {
        ExprKind::Class(it) => vec![&it.body],
        ExprKind::Define(it) => vec![&it.body],
        ExprKind::Function(it) => vec![&it.body],
        ExprKind::Plan(it) => vec![&it.body],
        ExprKind::Node(it) => vec![&it.body],
        ExprKind::If(it) => it.arms.iter().map(|it| &*it.body).chain(it.otherwise.as_deref()).collect(),
        ExprKind::Unless(it) => [&*it.body].into_iter().chain(it.otherwise.as_deref()).collect(),
        ExprKind::Case(it) => it.options.iter().map(|it| &*it.body).collect(),
        ExprKind::Call(it) => it.lambda.iter().map(|it| &*it.body).collect(),
        ExprKind::MethodCall(it) => it.lambda.iter().map(|it| &*it.body).collect(),
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::Fixture;

    /// The code with an assist applied, at the cursor.
    #[track_caller]
    fn check(id: &str, code: &str, expected: &str) {
        assert_eq!(applied(id, code, "").as_deref(), Some(expected));
    }

    /// Like [`check`], but selects the last occurrence of a text, unless it is empty, and returns the result.
    fn applied(id: &str, code: &str, selected: &str) -> Option<String> {
        let fixture = Fixture::new(code);
        let cursor = fixture.cursor();
        let mut text = source_text(fixture.db(), cursor.file).text().to_owned();
        let start = text.rfind(selected).filter(|_| !selected.is_empty());
        let start = start.map_or(cursor.offset, |it| TextSize::try_from(it).expect("a small file"));
        let range = TextRange::at(start, TextSize::of(selected));
        let found = assists(fixture.db(), FileRange { file: cursor.file, range });
        let assist = found.into_iter().find(|it| it.id == id)?;
        for edit in assist.edits.iter().rev() {
            text.replace_range(std::ops::Range::<usize>::from(edit.place.range), &edit.text);
        }
        Some(text)
    }

    #[test]
    fn quotes() {
        check("convert-quotes", "$x = 'a$0b'", "$x = \"ab\"\n");
        check("convert-quotes", "$x = \"a$0b\"", "$x = 'ab'\n");
        assert_eq!(applied("convert-quotes", "$x = 'a$0\"b'", ""), None);
        assert_eq!(applied("convert-quotes", "$x = 'a$0\\\\b'", ""), None);
    }

    #[test]
    fn variables() {
        let found = applied("extract-variable", "if $a {\n  notice(f(1), 1 + 2)$0\n}", "1 + 2");
        let expected = "if $a {\n  $extracted = 1 + 2\n  notice(f(1), $extracted)\n}\n";
        assert_eq!(found.as_deref(), Some(expected));
        assert_eq!(applied("extract-variable", "$x = $a and f()$0", "f()"), None, "it may not be evaluated");
        assert_eq!(applied("extract-variable", "f()$0", "f()"), None, "it is all of the statement");
    }

    #[test]
    fn attributes_in_order() {
        check(
            "sort-attributes",
            "file { 'a':\n  mo$0de   => '1',\n  ensure => file,\n  backup => true,\n}",
            "file { 'a':\n  ensure => file,\n  backup => true,\n  mode   => '1',\n}\n",
        );
        assert_eq!(
            applied("sort-attributes", "file { 'a':\n  mo$0de => '1', # x\n  ensure => file,\n}", ""),
            None
        );
    }

    #[test]
    fn heredocs_are_not_moved() {
        let code = "file { 'a':\n  con$0tent => @(X),\n    hello\n    | X\n  ensure => file,\n}";
        assert_eq!(applied("sort-attributes", code, ""), None);
        let code = "if true {\n  notice(f(@(X)), 1)$0\n    hello\n    | X\n}";
        assert_eq!(applied("extract-variable", code, "f(@(X))"), None);
    }

    #[test]
    fn parameters_that_are_missing() {
        let define = "\n//- /modules/m/manifests/d.pp\ndefine m::d(String $a, Enum['x'] $b, $c = 1) {}\n";
        check(
            "add-parameters",
            &format!("m::d {{ 't':$0\n  c => 2\n}}{define}"),
            "m::d { 't':\n  c => 2,\n  a => '',\n  b => 'x',\n}\n",
        );
        check(
            "add-parameters",
            &format!("m::d {{ 't':$0 }}{define}"),
            "m::d { 't':\n  a => '',\n  b => 'x',\n}\n",
        );
    }

    #[test]
    fn parameters_are_not_added_to_heredocs() {
        let define = "\n//- /modules/m/manifests/d.pp\ndefine m::d(String $a, Enum['x'] $b) {}\n";
        check(
            "add-parameters",
            &format!("m::d {{ 't':$0\n  a => @(X),\n    hi\n    | X\n}}{define}"),
            "m::d { 't':\n  b => 'x',\n  a => @(X),\n    hi\n    | X\n}\n",
        );
        for code in ["m::d { @(X):$0 }\n  hi\n  | X", "[@(X), m::d { 't':$0 }]\n  hi\n  | X"] {
            assert_eq!(applied("add-parameters", &format!("{code}{define}"), ""), None, "{code}");
        }
    }

    #[test]
    fn parameters_that_defaults_set_are_not_missing() {
        let define =
            "\n//- /modules/m/manifests/d.pp\ndefine m::d(String $a, Enum[\"it's\"] $b, Integer[5] $c) {}\n";
        check(
            "add-parameters",
            &format!("m::d {{ default: a => 'q'; 't':$0 }}{define}"),
            "m::d { default: a => 'q'; 't':\n  b => 'it\\'s',\n  c => 5,\n}\n",
        );
        check(
            "add-parameters",
            &format!("M::D {{ b => \"it's\" }}\nm::d {{ 't':$0 }}{define}"),
            "M::D { b => \"it's\" }\nm::d { 't':\n  a => '',\n  c => 5,\n}\n",
        );
        let elsewhere = "\n//- /manifests/nodes.pp\nM::D { * => $all }\n";
        assert_eq!(applied("add-parameters", &format!("m::d {{ 't':$0 }}{elsewhere}{define}"), ""), None);
    }

    #[test]
    fn classes_that_names_belong_to() {
        let ntp =
            "\n//- /modules/ntp/manifests/init.pp\nclass ntp($port = 1, $host = 2) { package { 'ntp': } }\n";
        for (code, expected) in [
            ("notice($ntp::po$0rt)", "include ntp\nnotice($ntp::port)\n"),
            ("notice($nt$0p::port)", "include ntp\nnotice($ntp::port)\n"),
            (
                "class a {\n  if $x {\n    notify { 'x': require => Class['nt$0p'] }\n  }\n}",
                "class a {\n  if $x {\n    include ntp\n    notify { 'x': require => Class['ntp'] }\n  }\n}\n",
            ),
            (
                "notify { 'x': require => Package['nt$0p'] }",
                "include ntp\nnotify { 'x': require => Package['ntp'] }\n",
            ),
            (
                "node a { include ntp }\nnode b { notice($ntp::po$0rt) }",
                "node a { include ntp }\nnode b { include ntp\nnotice($ntp::port) }\n",
            ),
        ] {
            check("include-class", &format!("{code}{ntp}"), expected);
        }
        for code in [
            "include ntp\nnotice($ntp::po$0rt)",
            "class a inherits ntp { notice($ntp::po$0rt) }",
            "class a($p = $ntp::po$0rt) { }",
            "function f() { $ntp::po$0rt }",
            "include nt$0p",
        ] {
            assert_eq!(applied("include-class", &format!("{code}{ntp}"), ""), None, "{code}");
        }
        let code = format!("notice($ntp::po$0rt){ntp}");
        assert_eq!(applied("include-class", &code.replace("$host = 2", "$host"), ""), None);
        let private = code.replace("{ package", "{ assert_private() package");
        assert_eq!(applied("include-class", &private, ""), None);
    }
}
