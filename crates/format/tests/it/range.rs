//! Edits and ranges.

use marotte_format::{Edit, Options, apply, edits, format, format_range};
use marotte_syntax::{Mode, parse, pn};
use marotte_text::TextRange;

use crate::support::corpus;

#[test]
fn edits_make_the_formatted_text() {
    for (path, text, mode) in corpus().iter().step_by(11) {
        if let Ok(formatted) = format(text, *mode, &Options::default()) {
            let edits = edits(text, &formatted);
            assert_eq!(apply(text, &edits), formatted, "{}", path.display());
            assert!(
                edits.is_empty() == (*text == formatted) && edits.is_sorted_by_key(|it| it.range.start())
            );
        }
    }
}

#[test]
fn only_lines_that_differ_are_edited() {
    let edits = edits("a\nb\nc\nd\n", "a\nx\nc\nd\ne\n");
    let edit = |start: u32, end: u32, text: &str| Edit {
        range: TextRange::new(start.into(), end.into()),
        text: text.to_owned(),
    };
    assert_eq!(edits, [edit(2, 4, "x\n"), edit(8, 8, "e\n")]);
}

#[test]
fn a_range_leaves_the_other_lines_alone() {
    let text = "$a=1\n$b=2\n$c=3\n";
    let of = |lines| {
        let edits = format_range(text, Mode::default(), &Options::default(), lines).unwrap();
        apply(text, &edits)
    };
    assert_eq!(of(2..=2), "$a = 1\n$b = 2\n$c = 3\n".replace("$a = 1", "$a=1").replace("$c = 3", "$c=3"));
    assert_eq!(of(1..=3), "$a = 1\n$b = 2\n$c = 3\n");
    assert_eq!(of(7..=9), text);
}

/// Code after the text of a heredoc is moved before it, or the reverse.
#[test]
fn lines_around_a_heredoc_are_formatted_together_or_not_at_all() {
    let text = "f([@(E), [1, 2, 3\n text\n | E\n], { a => 1,\nbcd => 2 }])\n";
    let options = Options { line_width: 20, ..Options::default() };
    let whole = format(text, Mode::default(), &options).unwrap();
    for (first, last) in (1..=5).flat_map(|it| (it..=5).map(move |last| (it, last))) {
        let edits = format_range(text, Mode::default(), &options, first..=last).unwrap();
        assert_eq!(
            format(&apply(text, &edits), Mode::default(), &options),
            Ok(whole.clone()),
            "{first} {last}"
        );
    }
}

#[test]
fn separators_at_the_edge_of_a_range_are_neither_lost_nor_doubled() {
    let texts = [
        "file {\n  'a':\n    # d\n  ;\n\n  'b':\n    x => 1;\n}\n",
        "file {\n 'a':\n  b => 1\n ;\n 'b':\n  x => 1\n ;\n}\n",
        "$h = {\n  a => 1\n , b => 2\n , c => 3\n}\nfoo($a\n , $b)\n",
        "$a=1\n;\n$b  = 2\nA['x'] ->\n\n# c\n\nB['y']\n",
    ];
    let tree = |text: &str| pn::to_pn(&parse(text, Mode::default()).program).to_string();
    for text in texts {
        let count = text.lines().count();
        for (first, last) in (1..=count).flat_map(|it| (it..=count).map(move |last| (it, last))) {
            let edits = format_range(text, Mode::default(), &Options::default(), first..=last).unwrap();
            let partly = apply(text, &edits);
            assert_eq!(parse(&partly, Mode::default()).errors.len(), 0, "{partly}");
            assert_eq!(tree(&partly), tree(text), "{partly}");
        }
    }
}

#[test]
fn a_range_includes_no_more_lines_than_it_must() {
    let call = "$q = f(\n  @(A)\n  a\n  | A\n  ,\n  @(B)\n  b\n  | B\n  , 1\n  , 2)\n";
    let text = format!("$z  = 1\n\n{call}\n$v  = 3\n");
    for line in 3..=12 {
        let edits = format_range(&text, Mode::default(), &Options::default(), line..=line).unwrap();
        let partly = apply(&text, &edits);
        assert!(partly.starts_with("$z  = 1\n") && partly.ends_with("$v  = 3\n"), "{line}: {partly}");
    }
}

/// The comma that ends an argument moves to the line before the text of the heredoc.
#[test]
fn lines_after_a_heredoc_keep_the_comma_that_separates_them_from_it() {
    let text = "<% notice @(E)\n a\n b\n | E\n,# c \n1 -%>\nb <%= $x %>\n";
    let mode = Mode { template: true, ..Mode::default() };
    let tree = |text: &str| pn::to_pn(&parse(text, mode).program).to_string();
    for (first, last) in (1..=7).flat_map(|it| (it..=7).map(move |last| (it, last))) {
        let Ok(edits) = format_range(text, mode, &Options::default(), first..=last) else { continue };
        assert_eq!(tree(&apply(text, &edits)), tree(text), "{first} {last}");
    }
}
