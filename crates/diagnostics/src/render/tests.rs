use insta::assert_snapshot;
use marotte_text::{TextRange, TextSize};

use super::*;
use crate::testing::Texts;
use crate::{Edit, Related};

const A: FileId = FileId(0);
const B: FileId = FileId(1);

fn drawn(diagnostic: &Diagnostic, sources: &Texts, color: Color) -> String {
    let mut out = Vec::new();
    render(diagnostic, sources, color, &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

fn plain(diagnostic: &Diagnostic, sources: &Texts) -> String {
    let picture = drawn(diagnostic, sources, Color::Never);
    // codespan-reporting leaves blanks at line ends.
    picture.lines().map(|line| format!("{}\n", line.trim_end())).collect()
}

fn duplicate_key(sources: &Texts) -> Diagnostic {
    let mut finding = sources.finding("duplicate-key", A, "a => 2", "the key `a` appears twice in one hash");
    finding.label = Some("the second one".to_owned());
    finding.related.push(Related {
        file: A,
        range: sources.range(A, "a => 1"),
        message: "the first one".to_owned(),
    });
    finding.notes.push("the second value would hide the first".to_owned());
    finding.fix = Some(Fix {
        title: "remove it".to_owned(),
        safe: false,
        edits: vec![Edit { range: finding.range, text: String::new() }],
    });
    finding
}

#[test]
fn a_picture_shows_both_places_notes_and_the_fix() {
    let sources = Texts::new(&[("manifests/init.pp", "$h = {\n  a => 1,\n\tb => 0,\n\ta => 2,\n}\n")]);
    assert_snapshot!(plain(&duplicate_key(&sources), &sources), @r"
    error[duplicate-key]: the key `a` appears twice in one hash
      ┌─ manifests/init.pp:4:2
      │
    2 │   a => 1,
      │   ------ the first one
    3 │     b => 0,
    4 │     a => 2,
      │     ^^^^^^ the second one
      │
      = the second value would hide the first
      = help: remove it, if that is what you mean
    ");
}

#[test]
fn colours_are_ansi_sequences() {
    let sources = Texts::new(&[("a.pp", "$a = 08\n")]);
    let finding = sources.finding("invalid-octal-number", A, "08", "`08` is not an octal number");
    let colored = drawn(&finding, &sources, Color::Always);
    assert!(colored.contains("\x1b[0m\x1b[1m\x1b[38;5;9merror[invalid-octal-number]"), "{colored:?}");
    assert!(!plain(&finding, &sources).contains('\x1b'));
}

#[test]
fn places_in_other_files_have_their_own_excerpt() {
    let sources = Texts::new(&[("a.pp", "include b\n"), ("b.pp", "# b\n\n\nclass b { }\n")]);
    let mut finding = sources.finding("not-rvalue", A, "include b", "found this");
    finding.related.push(Related {
        file: B,
        range: sources.range(B, "class b"),
        message: "defined here".to_owned(),
    });
    assert_snapshot!(plain(&finding, &sources), @r"
    error[not-rvalue]: found this
      ┌─ a.pp:1:1
      │
    1 │ include b
      │ ^^^^^^^^^
      │
      ┌─ b.pp:4:1
      │
    4 │ class b { }
      │ ------- defined here
    ");
}

#[test]
fn a_long_line_is_cut_around_the_place() {
    let line = format!("$a = [{}'here'{}]\n", "'é', ".repeat(100_000), ", 'b'".repeat(100_000));
    let sources = Texts::new(&[("a.pp", &line)]);
    let mut finding = sources.finding("syntax-error", A, "'here'", "this");
    finding.related.push(Related {
        file: A,
        range: TextRange::at(TextSize::new(0), TextSize::new(2)),
        message: "far before".to_owned(),
    });
    assert_snapshot!(plain(&finding, &sources), @r"
    error[syntax-error]: this
      ┌─ a.pp:1:500007
      │
    1 │ …'é', 'é', 'é', 'é', 'é', 'é', 'é', 'é', 'here', 'b', 'b', 'b', 'b', 'b', 'b', 'b', 'b', 'b', 'b', 'b', 'b', 'b', 'b', 'b…
      │ -                                        ^^^^^^
      │ │
      │ far before
    ");
}

#[test]
fn a_token_longer_than_the_window_is_cut_too() {
    let sources = Texts::new(&[("a.pp", &format!("$a = '{}'\n", "x".repeat(1_000_000)))]);
    let range = TextRange::new(TextSize::new(5), TextSize::new(1_000_007));
    let finding = Diagnostic::new(crate::rules::SYNTAX_ERROR, Level::Warning, A, range, "long".to_owned());
    let picture = plain(&finding, &sources);
    assert!(picture.len() < 1_000, "{picture}");
    assert!(picture.contains("^^^^^"), "{picture}");
}

#[test]
fn control_characters_become_visible() {
    let sources = Texts::new(&[("\x1b[2Ja.pp", "$a = \x1b[31m\u{202e} $b \u{9b}0m\n")]);
    let finding = sources.finding("syntax-error", A, "$b", "found \x1b[31m");
    let picture = plain(&finding, &sources);
    assert!(picture.chars().all(|it| it == '\n' || !it.is_control()), "{picture:?}");
    assert_snapshot!(picture, @r"
    error[syntax-error]: found ␛[31m
      ┌─ ␛[2Ja.pp:1:13
      │
    1 │ $a = ␛[31m<U+202E> $b <U+009B>0m
      │                    ^^
    ");
}

#[test]
fn several_lines_are_framed_and_many_are_cut() {
    let sources = Texts::new(&[("a.pp", "if true {\n  $a\n}\n")]);
    let range = TextRange::new(TextSize::new(0), TextSize::of("if true {\n  $a\n}"));
    let finding = Diagnostic::new(crate::rules::SYNTAX_ERROR, Level::Warning, A, range, "block".to_owned());
    assert_snapshot!(plain(&finding, &sources), @r"
    warning[syntax-error]: block
      ┌─ a.pp:1:1
      │
    1 │ ╭ if true {
    2 │ │   $a
    3 │ │ }
      │ ╰─^
    ");

    let sources = Texts::new(&[("a.pp", &format!("begin\n{}", "line\n".repeat(100_000)))]);
    let range = TextRange::up_to(TextSize::of(sources.text(A)));
    let finding = Diagnostic::new(crate::rules::SYNTAX_ERROR, Level::Error, A, range, "all".to_owned());
    assert_snapshot!(plain(&finding, &sources), @r"
    error[syntax-error]: all
      ┌─ a.pp:1:1
      │
    1 │ begin
      │ ^^^^^
    ");
}

#[test]
fn the_end_of_a_text_can_be_shown() {
    for text in ["", "\n", "$a = ", "$a = \r\n"] {
        let sources = Texts::new(&[("a.pp", text)]);
        let range = TextRange::empty(TextSize::of(text));
        let finding = Diagnostic::new(crate::rules::SYNTAX_ERROR, Level::Error, A, range, "end".to_owned());
        assert!(plain(&finding, &sources).contains('^'), "{text:?}");
    }
}

#[test]
fn ranges_that_do_not_fit_the_text_do_no_harm() {
    let sources = Texts::new(&[("a.pp", "é")]);
    let range = TextRange::new(TextSize::new(1), TextSize::new(99));
    let finding = Diagnostic::new(crate::rules::SYNTAX_ERROR, Level::Error, A, range, "odd".to_owned());
    assert!(plain(&finding, &sources).contains("a.pp:1:"));
}
