use proptest::prelude::*;

use super::{ScanError, scanf};
use crate::print::literal;
use crate::value::Value;

/// A text, a format, and the result of Ruby's library.
const RECORDED: [(&str, &str, &str); 20] = [
    ("42 abc", "%d %s", "[42, 'abc']"),
    ("-12", "%2d%d", "[-1, 2]"),
    ("0x1fff", "%4i%s", "[31, 'ff']"),
    ("-5", "%5i", "[]"),
    ("0xg", "%x%s", "[0, 'xg']"),
    ("1e5", "%f%s", "[1.0, 'e5']"),
    ("1.e+5", "%f", "[100000.0]"),
    ("0x1.8p3", "%a", "[12.0]"),
    ("-0x1_f", "%9f", "[-1.0]"),
    ("-.5 .", "%f %f", "[-0.5, 0.0]"),
    ("1_000.5x", "%9f", "[1000.5]"),
    (" a", "%c", "[' ']"),
    (" a", " %c", "['a']"),
    (" abc", " %[a-z]", "[]"),
    (" abc12", "%*[a-z]%d", "[12]"),
    ("äö1", "%[[:alpha:]]%d", "['äö', 1]"),
    ("aab", "%[^^b]", "['a']"),
    ("日本語", "%2s%s", "['日本', '語']"),
    ("10 %5", "%d%%%d", "[10, 5]"),
    ("x5", "%q5", "[]"),
];

#[test]
fn scans_as_recorded() {
    for (text, format, values) in RECORDED {
        let read = scanf(text, format).map(|it| literal(&Value::Array(it.into())));
        assert_eq!(read.as_deref(), Ok(values), "{text:?} under {format:?}");
    }
}

#[test]
fn widths_have_bounds() {
    for format in ["%0d", "%0s", "%0c", "%0f", "%1o", "%0[a]"] {
        assert!(matches!(scanf("7", format), Err(ScanError::NarrowWidth(_))), "{format}");
    }
    for format in ["%100001d", "%99999999999999999999s", "%100001[0-9]"] {
        assert!(matches!(scanf("7", format), Err(ScanError::WideWidth(_))), "{format}");
    }
    assert_eq!(scanf("7", "%100000[0-9]"), Ok(vec!["7".into()]));
    // Steps that aren't reached aren't validated.
    assert_eq!(scanf("x", "%d%0d"), Ok(Vec::new()));
    assert_eq!(scanf(&"9".repeat(200_000), "%d"), Err(ScanError::LongNumber));
}

proptest! {
    #[test]
    fn words_come_back(words in prop::collection::vec("[a-zä]{1,5}", 0..6)) {
        let format = "%s".repeat(words.len());
        let expected: Vec<Value> = words.iter().map(|it| Value::from(&**it)).collect();
        prop_assert_eq!(scanf(&words.join(" "), &format), Ok(expected));
    }

    #[test]
    fn nothing_panics(text in "[ 0-9a-fx.+_pä-]{0,12}", format in "([%]?[*]?[0-9]?[dioxfsc\\[\\]^a ä-]){0,8}") {
        let _ = scanf(&text, &format);
    }
}
