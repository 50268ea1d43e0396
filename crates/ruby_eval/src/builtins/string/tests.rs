use crate::testing::eval;

/// Each recorded call has the answer of Ruby 3.1: an expression, a tab, and its `inspect`, or the error.
#[test]
fn recorded_calls() {
    let rows = include_str!("recorded.tsv").lines().filter_map(|it| it.split_once('\t'));
    let wrong: Vec<String> = rows
        .filter_map(|(code, answer)| {
            let found = eval(code).replace('\n', "\\n");
            (found != answer).then(|| format!("{code}\n  Ruby: {answer}\n  here: {found}"))
        })
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Features that are not implemented are rejected, and excessive sizes end at once.
#[test]
fn refusals() {
    let refused = [
        "'a'.encode('UTF-16LE')",
        "'a'.to_r",
        "'a'.crypt('ab')",
        "\"\\xff\".b =~ /a/",
        "[1].pack('w')",
        "'a'.hash",
        "'a' * 10**12",
        "s = +'aaaaaaaa'; 100.times { s << s }; s.size",
        "s = 'a' * 1000; 100.times { s = s.gsub('a', s) }; s.size",
        "'%999999999d' % 1",
        "'x'.ljust(10**13)",
        "('1' * 10_000_000).to_i",
        "[1].pack('x1000000000000')",
    ];
    for code in refused {
        let answer = eval(code);
        assert!(answer.starts_with("not known: ") || answer.starts_with("exhausted: "), "{code}: {answer}");
    }
}

/// Blocks may change the object being processed.
#[test]
fn changes_during_a_call_are_seen_or_refused() {
    let answers = [
        ("p = +'a'; 'banana'.gsub(p) { p << 'x'; 'o' }", "not known: a block that changes what is matched"),
        ("s = +'abc'; s.each_char { |c| s << c }; s", "\"abcabc\""),
        ("s = +'ab'; s.scan(/./) { s << 'c' }", "RuntimeError: string modified"),
        ("s = +'a\\nb'; s.each_line { |l| s.clear }; s", "\"\""),
    ];
    for (code, answer) in answers {
        assert_eq!(eval(code), answer, "{code}");
    }
}
