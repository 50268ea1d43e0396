use super::*;

fn unescaped(field: &str) -> String {
    field.replace('␊', "\n").replace('␍', "\r").replace('␉', "\t")
}

/// Each recorded row has the same result, or an error that a construct isn't supported.
#[test]
fn recorded_rows() {
    let (mut same, mut unsupported) = (0, 0);
    for line in include_str!("recorded.tsv").lines().skip(2) {
        let fields: Vec<String> = line.split('\t').map(unescaped).collect();
        let [pattern, text, expected @ ..] = &fields[..] else { panic!("{line}") };
        let found: Vec<String> = match Regexp::new(pattern) {
            Err(error) if error.unsupported => {
                assert!(error.message.ends_with("is not supported"), "{error}");
                unsupported += 1;
                continue;
            }
            Err(error) => vec!["error".into(), error.message],
            Ok(regexp) => match regexp.captures(text) {
                Err(error) => {
                    assert!(error.lacks_groups, "{error}");
                    assert_eq!(regexp.is_match(text), Ok(expected != ["none"]), "/{pattern}/ on {text:?}");
                    unsupported += 1;
                    continue;
                }
                Ok(None) => vec!["none".into()],
                Ok(Some(captures)) => {
                    let start = text[..captures.range().start].chars().count().to_string();
                    let groups = captures.texts().into_iter().map(|it| it.unwrap_or("∅").to_string());
                    std::iter::once(start).chain(groups).collect()
                }
            },
        };
        assert_eq!(found, expected, "/{pattern}/ on {text:?}");
        same += 1;
    }
    assert!(same >= 450, "{same}");
    assert!(unsupported <= 62, "{unsupported}");
}

#[test]
fn unsupported_constructs_are_named_with_their_place() {
    let error = |pattern: &str| Regexp::new(pattern).unwrap_err().to_string();
    assert_eq!(
        error(r"x(?<n>a)\g<n>"),
        r"subexpression call \g<n> is not supported at position 8: /x(?<n>a)\g<n>/"
    );
    assert_eq!(error("a(?~b)"), "absent operator (?~…) is not supported at position 1: /a(?~b)/");
    assert_eq!(error("(a"), "end pattern with unmatched parenthesis: /(a/");
}

#[test]
fn texts_that_end_in_a_newline_have_no_line_after_it() {
    let starts = |pattern: &str, text| -> Vec<usize> {
        Regexp::new(pattern).unwrap().find_iter(text).map(|it| it.unwrap().range().start).collect()
    };
    assert_eq!(starts("^", "a\n"), [0]);
    assert_eq!(starts("^", "a\nb"), [0, 2]);
    assert_eq!(starts(r"\Z", "a\n"), [1, 2]);
    assert_eq!(starts(r"\b", "a\u{200d}b"), [0, 1, 4, 5]);
}

#[test]
fn empty_matches_may_follow_others() {
    let regexp = Regexp::new("a*").unwrap();
    assert_eq!(regexp.replace("baaac", "-", true, 100).unwrap(), "-b--c-");
    assert_eq!(regexp.replace("baaac", "-", false, 100).unwrap(), "-baaac");
}

#[test]
fn replacements_know_rubys_escapes() {
    let replace = |pattern: &str, with: &str| Regexp::new(pattern).unwrap().replace("xaby", with, true, 100);
    assert_eq!(replace("(a)(b)", r"[\2\1\0\&]").unwrap(), "x[baabab]y");
    assert_eq!(replace("(a)(b)", r"\9\\\q\").unwrap(), r"x\\q\y");
    assert_eq!(replace("ab", r"(\`|\')").unwrap(), "x(x|y)y");
    assert_eq!(replace("(?<n>a)(?<m>b)", r"\k<m>\k<n>").unwrap(), "xbay");
    assert_eq!(replace("(?<n>a)b", r"\k<z>"), Err(ReplaceError::UnknownGroup("z".into())));
}

#[test]
fn catastrophic_patterns_end_in_an_error() {
    let regexp = Regexp::new(r"\A(?=x)(?:(?=x)x+)+(?!x)y\z").unwrap();
    let text = "x".repeat(60);
    assert!(matches!(regexp.is_match(&text), Ok(false) | Err(MatchError { .. })));
    let regexp = Regexp::new(r"\A(x|xx)+\1\1y\z").unwrap();
    assert!(regexp.is_match(&text).is_err());
}

#[test]
fn options_become_part_of_the_source() {
    let options = Options { ignore_case: true, ..Options::default() };
    let regexp = Regexp::with_options("ab", options).unwrap();
    assert_eq!(regexp.source(), "(?i-mx:ab)");
    assert!(regexp.is_match("AB").unwrap());
    assert_eq!(regexp, Regexp::new("(?i-mx:ab)").unwrap());
}

#[test]
fn no_pattern_panics() {
    let pieces = [
        "(", ")", "[", "]", "{", "}", "\\", "?", "<", "^", "-", "&&", "é", "1", "n", "x", "u", "#", ",", ":",
    ];
    let mut seed = 1u32;
    for _ in 0..3_000 {
        let mut pattern = String::new();
        for _ in 0..6 {
            seed = seed.wrapping_mul(1_103_515_245).wrapping_add(12_345);
            pattern.push_str(pieces[(seed >> 16) as usize % pieces.len()]);
        }
        if let Ok(regexp) = Regexp::new(&pattern) {
            let _ = regexp.captures("xé1n\n");
        }
    }
    assert!(Regexp::new(&"(".repeat(10_000)).is_err());
    assert!(Regexp::new(&"[".repeat(10_000)).is_err());
    assert!(Regexp::new(&format!("a{}", "**".repeat(10_000))).is_err());
}

/// Patterns that aren't compiled eagerly have room once they are.
#[test]
fn the_bound_of_the_size_is_one() {
    let pieces = [
        r"\w",
        r"\W",
        r"\d",
        r"[^\p{L}]",
        "[[:^alpha:]&&[^x]]",
        ".",
        "a",
        "abcdefgh",
        "(?i:a)",
        "(?i:k)",
        "(?i:ß)",
        "(?i:ﬃs)",
        "(a)",
        "((a)|b|c)",
        "(?:)",
        "(?:|)",
        "^",
        "$",
        r"\A",
        r"\z",
        r"\Z",
        r"\b",
        r"\R",
        "(?:a?){3}",
        r"[\w\s]*?",
    ];
    for piece in pieces {
        let parsed = |times: u32| parse::parse(&format!("(?:{piece}){{{times}}}")).unwrap().node;
        let fits = |times: &u32| parsed(*times).size_bound() <= SIZE_LIMIT;
        let most = (0..17).map(|it| 1 << it).filter(fits).max().unwrap();
        assert!(most >= 64, "{piece}");
        for node in [parsed(most), parse::parse(&piece.repeat(most.min(2_000) as usize)).unwrap().node] {
            let translation = translate(&node, Texts::Line).unwrap();
            if !translation.backtracks && node.size_bound() <= SIZE_LIMIT {
                assert!(Engine::new(&translation).is_some(), "{piece}");
            }
        }
    }
}

/// The engines don't find what such a group captures in Ruby, but they know whether the pattern matches.
#[test]
fn a_repeated_group_that_may_be_empty_is_no_obstacle_to_matching() {
    let regexp = Regexp::new(r"^\w*(-?\w*)*\.xml$").unwrap();
    for text in ["standalone.xml", "standalone-full-ha.xml", "a--b.xml", ".xml", "-.xml", "x y\na.xml\n"] {
        assert_eq!(regexp.is_match(text), Ok(true), "{text}");
    }
    for text in ["a.b.xml", "xml", "a.xml!", "a b.xml"] {
        assert_eq!(regexp.is_match(text), Ok(false), "{text}");
    }
    assert_eq!(regexp.group_count(), 1);
    let message = regexp.captures("a-b.xml").unwrap_err().to_string();
    assert_eq!(
        message,
        r"the match of a repeated group that may be empty is not supported: /^\w*(-?\w*)*\.xml$/"
    );
    assert!(regexp.find_iter("a.xml").next().is_some_and(|it| it.is_err()));
    // Whether a reference to the group matches depends on what it captured.
    for pattern in [r"(-?\w*)*\1", r"(-?\w*)*\Kb", r"(?<=x)(-?\w*)*"] {
        assert!(Regexp::new(pattern).unwrap_err().unsupported, "{pattern}");
    }
}

#[test]
fn regular_expressions_of_one_source_share_what_is_compiled() {
    let (one, other) =
        (Regexp::new(r"\Ashared-[a-z]+\z").unwrap(), Regexp::new(r"\Ashared-[a-z]+\z").unwrap());
    assert!(std::sync::Arc::ptr_eq(&one.0, &other.0));
    // What may be large isn't kept, nor are long patterns.
    for source in [r"(?<!a)b".to_owned(), r"[a-z]{1,5000}".to_owned(), "a".repeat(500)] {
        let (one, other) = (Regexp::new(&source).unwrap(), Regexp::new(&source).unwrap());
        assert!(!std::sync::Arc::ptr_eq(&one.0, &other.0), "{source}");
    }
    for number in 0..1_000 {
        Regexp::new(&format!("number{number}")).unwrap();
    }
    assert!(super::kept::count() <= 200);
}

/// A backtracking match counts as steps, and none is tried after their limit.
#[test]
fn matches_that_backtrack_without_end_are_limited_in_total() {
    let regexp = Regexp::new("^(a|a)*(?=b)i$").unwrap();
    let text = "a".repeat(100);
    let steps = SHORT_BACKTRACK_LIMIT as u64;
    let tried = crate::effort::within(steps * 3 / 2, || {
        let tried: Vec<u64> = (0..5)
            .map(|_| {
                let before = crate::effort::taken();
                assert!(regexp.is_match(&text).is_err());
                crate::effort::taken() - before
            })
            .collect();
        assert_eq!(tried, [steps, steps, 0, 0, 0]);
    });
    assert_eq!(tried, Err(crate::effort::Exhausted));
    // A search takes some steps at each character of a long text.
    let search = Regexp::new("(?<!x)needle").unwrap();
    assert_eq!(search.is_match(&"a".repeat(200_000)), Ok(false));
}

/// Compiling a large pattern counts as steps, and none is compiled after their limit.
#[test]
fn compiling_large_patterns_is_limited_in_total() {
    let steps = compilation(SIZE_LIMIT, false);
    let _ = crate::effort::within(steps * 3 / 2, || {
        // It is known to be too large only once it is compiled.
        let errors: Vec<String> = (900..903)
            .map(|it| Regexp::new(&format!(r"[\p{{L}}\w]{{1,{it}}}")).unwrap_err().message)
            .collect();
        let [one, another] = ["a pattern that is too large", "another pattern that is so large"]
            .map(|it| format!("{it} is not supported"));
        assert_eq!(errors, [one.clone(), another.clone(), another]);
    });
    // One that is compiled on demand may be compiled later.
    let regexp = Regexp::new("[a-z]{1,5000}[0-9]").unwrap();
    let _ = crate::effort::within(1, || assert!(regexp.is_match("a1").is_err()));
    assert_eq!(regexp.is_match("a1"), Ok(true));
    // Patterns of usual sizes are free.
    let small = crate::effort::within(1, || {
        let regexp = Regexp::new(r"\A([a-z0-9-]{1,63}\.)*(?i:[a-z0-9-]{1,20})(?!\w)\z").unwrap();
        regexp.is_match("a.b")
    });
    assert_eq!(small, Ok(Ok(true)));
}

#[test]
fn patterns_for_backtracking_have_a_size_limit() {
    let too_large = |pattern: &str| Regexp::new(pattern).unwrap_err().message.contains("too large");
    assert!(Regexp::new(&r"\X".repeat(100)).is_ok());
    assert!(too_large(&r"\X".repeat(1_000)));
    assert!(Regexp::new(&r"(?=[a-z]{0,5000})".repeat(20)).is_ok());
    assert!(too_large(&r"(?=.{0,9000})".repeat(1_000)));
}

/// Which characters fold to others is looked up in sets, none of which is compiled.
#[test]
fn sets_whose_case_is_ignored_take_little_time() {
    let start = std::time::Instant::now();
    assert!(Regexp::validate(&format!("(?i:{})", r"[\W]".repeat(1_000))).is_ok());
    assert!(Regexp::validate(&r"\p{age=6.0}".repeat(1_000)).is_ok());
    assert!(start.elapsed() < std::time::Duration::from_secs(5));
}
