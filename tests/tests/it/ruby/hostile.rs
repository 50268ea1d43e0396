//! Texts that aren't valid Ruby, or too much of it.

use marotte_ruby::{fact, function, resource_type};
use proptest::prelude::*;

use crate::ruby::corpus;

/// Reads a text in all ways. Returns whether the result is complete: it must not be if the text can't be parsed.
fn read(text: &str) -> bool {
    let types = resource_type::read(text);
    let functions = function::read(text);
    let facts = fact::read(text);
    types.complete && types.types.iter().all(|it| it.complete) && functions.complete && facts.complete
}

/// Surrounds a text with declarations that all readers look for.
fn around(text: &str) -> String {
    format!("Facter.add(:a)\nnewfunction(:b)\nPuppet::Type.newtype(:c) do\n{text}\nend\n")
}

#[test]
fn deep_nesting_is_no_harm() {
    let pairs = [
        ("[", "]"),
        ("(", ")"),
        ("{a: ", "}"),
        ("a { ", " }"),
        ("if a\n", "\nend"),
        ("\"#{", "}\""),
        ("-", ""),
    ];
    for (open, close) in pairs {
        for depth in [50, 1_000, 20_000] {
            read(&around(&format!("X = {}1{}", open.repeat(depth), close.repeat(depth))));
            read(&around(&open.repeat(depth)));
        }
    }
    read(&around(&format!("a{}", ".b".repeat(50_000))));
    read(&around(&format!("newvalues(1{})", " + 1".repeat(50_000))));
}

#[test]
fn values_that_multiply_are_bounded() {
    let mut text = String::from("A0 = %w[a b c d e f g h]\n");
    for step in 1..60 {
        text += &format!(
            "A{step} = A{0} + A{0}\nB{step} = [A{0}, A{0}]\nS{step} = \"#{{S{0}}}#{{S{0}}}\"\n",
            step - 1
        );
    }
    let loops = "A5.each { |a| ".repeat(20) + "newparam(a)" + &" }".repeat(20);
    assert!(!read(&around(&(text + &loops))));
    let nested: String = (1..5_000).map(|step| format!("N{step} = [N{}]\n", step - 1)).collect();
    read(&around(&nested));
}

#[test]
fn long_texts_are_not_read() {
    for piece in ["[", "newparam(:a)\n", "<<A\n", "\"", "def a\n", "\u{0}", "é"] {
        assert!(!read(&around(&piece.repeat((16 << 20) / piece.len()))));
    }
}

#[test]
fn texts_of_the_greatest_length_are_no_harm() {
    for piece in ["[", "{", "<<A\n", "\"#{", "a(", "x = ", "%w[", "/", "if "] {
        read(&around(&piece.repeat(((256 << 10) - 200) / piece.len())));
    }
}

/// Returns the texts of all files in the records.
fn texts() -> Vec<String> {
    let mut texts = Vec::new();
    for record in [Some(corpus::of_the_examples()), corpus::of_the_corpus()].into_iter().flatten() {
        for name in ["resource_types.tsv", "functions.tsv", "facts.tsv"] {
            texts.extend(record.rows(name).into_iter().map(|row| row.text));
        }
    }
    texts
}

#[test]
fn files_that_are_cut_anywhere_are_no_harm() {
    let texts = texts();
    let config = ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() };
    proptest!(config, |(index in any::<prop::sample::Index>(), cut in any::<prop::sample::Index>(), tail in any::<bool>())| {
        let text = index.get(&texts);
        let boundaries: Vec<usize> = text.char_indices().map(|(offset, _)| offset).chain([text.len()]).collect();
        let cut = *cut.get(&boundaries);
        read(if tail { &text[cut..] } else { &text[..cut] });
    });
}
