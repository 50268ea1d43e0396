//! Properties of any time, any text and any format.

use proptest::prelude::*;

use crate::dialect::Texts;
use crate::time::{Formats, LocalOffset, Timespan, TimespanFormat, Timestamp};

const UTC: LocalOffset = LocalOffset::UTC;

/// Dialects of time; the latter parses what it formats without loss of digits.
const REFERENCE: &Texts = &Texts::PUPPET8;
const SPECIFICATION: &Texts = &Texts::SPEC;

/// Formats that preserve timespans of whole seconds. Not the default one: it loses the zeros after the point, as in the
/// language.
const EXACT_SPAN_FORMATS: [&str; 3] = ["%H:%M:%S", "%_D days %_H h %_M m %_S s", "%-S"];

/// Formats that preserve timespans if fractions keep their places.
const EXACT_FRACTION_FORMATS: [&str; 7] =
    [TimespanFormat::DEFAULTS[0], "%H:%M:%S.%N", "%M %S%N", "%-S.%-N", "%S.%_N", "%_N", "%D.%12N.%H.%M.%S"];

/// Formats that preserve timestamps of this millennium if all directives determine the date.
const EXACT_DAY_FORMATS: [&str; 7] = [
    "%Y-%j %T.%N",
    "%G-W%V-%u %T.%N",
    "%g %V %a %r %N",
    "%Y %U %w %T.%N",
    "%Y %W %A %T.%N",
    "%A, week %W of %Y, %T.%N",
    "%s.%N",
];

/// Formats that preserve timestamps.
const EXACT_STAMP_FORMATS: [&str; 6] = [
    Timestamp::DEFAULT_FORMAT,
    "%c %N %z",
    "%d %B %Y, %H:%M:%S.%N",
    "%A %e %b %Y %r .%N",
    "%v %l:%M:%S %P %N",
    "%Y/%m/%d%H%M%S%N",
];

/// Pieces of formats, well-formed and not.
fn format() -> impl Strategy<Value = String> {
    let directive = "%[-_0^#:EO]{0,3}[0-9]{0,3}[a-zA-Z%+]";
    prop::collection::vec(prop_oneof![4 => directive, 1 => "[ -~]{0,3}", 1 => "\\PC{0,2}"], 0..6)
        .prop_map(|pieces| pieces.concat())
}

fn dialect() -> impl Strategy<Value = &'static Texts> {
    prop::sample::select(&[REFERENCE, SPECIFICATION])
}

/// Instants near and far.
fn nanoseconds() -> impl Strategy<Value = i128> {
    prop_oneof![
        3 => -4_000_000_000_000_000_000i128..4_000_000_000_000_000_000,
        1 => -i128::MAX / 2..i128::MAX / 2,
        1 => any::<i128>(),
    ]
}

proptest! {
    #[test]
    fn a_timestamp_is_what_its_text_says(nanoseconds in nanoseconds(), format in prop::sample::select(&EXACT_STAMP_FORMATS)) {
        let stamp = Timestamp::from_nanoseconds(nanoseconds);
        let text = stamp.format(format, None, UTC).expect("it is UTC");
        prop_assert_eq!(Timestamp::parse(REFERENCE, &text, Formats::One(format), None, UTC), Ok(stamp), "{}", text);
    }

    #[test]
    fn the_default_text_of_a_timestamp_is_read_by_default(nanoseconds in nanoseconds()) {
        let stamp = Timestamp::from_nanoseconds(nanoseconds);
        prop_assert_eq!(Timestamp::parse(REFERENCE, &stamp.to_string(), Formats::Default, None, UTC), Ok(stamp));
    }

    #[test]
    fn a_zone_changes_the_text_and_not_the_time(nanoseconds in -(1i128 << 62)..1 << 62, minutes in -1439i32..1440) {
        let stamp = Timestamp::from_nanoseconds(nanoseconds);
        let sign = if minutes < 0 { '-' } else { '+' };
        let zone = format!("{sign}{:02}:{:02}", minutes.abs() / 60, minutes.abs() % 60);
        let text = stamp.format("%FT%T.%N", Some(&zone), UTC).expect("it is near enough");
        prop_assert_eq!(Timestamp::parse(REFERENCE, &text, Formats::Default, Some(&zone), UTC), Ok(stamp), "{}", text);
        let local = LocalOffset { seconds: minutes * 60 };
        prop_assert_eq!(stamp.format("%FT%T.%N", Some("current"), local), Ok(text));
    }

    #[test]
    fn a_timespan_is_what_its_text_says(seconds in any::<i64>(), format in prop::sample::select(&EXACT_SPAN_FORMATS)) {
        let span = Timespan::from_seconds(seconds).expect("it fits");
        let text = span.format(REFERENCE, format).expect("it is short");
        prop_assert_eq!(Timespan::parse(REFERENCE, &text, Formats::One(format)), Ok(span), "{}", text);
    }

    #[test]
    fn a_timespan_keeps_its_places(nanoseconds in -i128::MAX / 2..i128::MAX / 2, format in prop::sample::select(&EXACT_FRACTION_FORMATS)) {
        let span = Timespan::from_nanoseconds(nanoseconds);
        let text = span.format(SPECIFICATION, format).expect("it is short");
        prop_assert_eq!(Timespan::parse(SPECIFICATION, &text, Formats::One(format)), Ok(span), "{}", text);
    }

    #[test]
    fn milliseconds_are_a_number(milliseconds in any::<i64>(), format in prop::sample::select(&["%L", "%_L", "%S.%L", "%-S.%-L"])) {
        let span = Timespan::from_nanoseconds(i128::from(milliseconds) * 1_000_000);
        let text = span.format(SPECIFICATION, format).expect("it is short");
        prop_assert_eq!(Timespan::parse(SPECIFICATION, &text, Formats::One(format)), Ok(span), "{}", text);
    }

    // From 1970 to 2068: two digits determine the year.
    #[test]
    fn a_day_is_what_all_directives_say(nanoseconds in 0i128..3_092_601_600_000_000_000, format in prop::sample::select(&EXACT_DAY_FORMATS)) {
        let stamp = Timestamp::from_nanoseconds(nanoseconds);
        let text = stamp.format(format, None, UTC).expect("it is UTC");
        prop_assert_eq!(Timestamp::parse(SPECIFICATION, &text, Formats::One(format), None, UTC), Ok(stamp), "{}", text);
    }

    #[test]
    fn a_day_of_any_year_is_what_its_number_says(nanoseconds in nanoseconds()) {
        let stamp = Timestamp::from_nanoseconds(nanoseconds);
        let text = stamp.format("%Y.%j %T.%N", None, UTC).expect("it is UTC");
        prop_assert_eq!(Timestamp::parse(SPECIFICATION, &text, Formats::One("%Y.%j %T.%N"), None, UTC), Ok(stamp), "{}", text);
    }

    #[test]
    fn any_format_writes_or_says_why(texts in dialect(), nanoseconds in any::<i128>(), format in format(), zone in "[-+A-Za-z0-9:., ]{0,9}") {
        let _ = Timespan::from_nanoseconds(nanoseconds).format(texts, &format);
        let _ = Timestamp::from_nanoseconds(nanoseconds).format(&format, Some(&zone), UTC);
    }

    #[test]
    fn any_text_is_read_or_refused(texts in dialect(), text in "\\PC{0,20}", format in format(), zone in prop::option::of("[-+A-Za-z0-9:., ]{0,9}")) {
        let _ = Timespan::parse(texts, &text, Formats::One(&format));
        let _ = Timespan::parse(texts, &text, Formats::Default);
        let _ = Timestamp::parse(texts, &text, Formats::One(&format), zone.as_deref(), UTC);
        let _ = Timestamp::parse(texts, &text, Formats::Default, zone.as_deref(), UTC);
    }

    #[test]
    fn what_a_format_writes_it_reads_or_refuses(texts in dialect(), nanoseconds in any::<i128>(), format in format()) {
        if let Ok(text) = Timespan::from_nanoseconds(nanoseconds).format(texts, &format) {
            let _ = Timespan::parse(texts, &text, Formats::One(&format));
        }
        if let Ok(text) = Timestamp::from_nanoseconds(nanoseconds).format(&format, None, UTC) {
            let _ = Timestamp::parse(texts, &text, Formats::One(&format), None, UTC);
        }
    }

    #[test]
    fn arithmetic_answers_or_says_why(left in any::<i128>(), right in any::<i128>(), integer in any::<i64>(), float in any::<f64>()) {
        let (span, other) = (Timespan::from_nanoseconds(left), Timespan::from_nanoseconds(right));
        if let Ok(sum) = span.plus(other) {
            prop_assert_eq!(sum.minus(other), Ok(span));
        }
        let stamp = Timestamp::from_nanoseconds(left);
        if let Ok(later) = stamp.plus(other) {
            prop_assert_eq!(later.since(stamp), Ok(other));
        }
        let _ = (span.ratio(other), span.modulo(integer), span.negated());
        for number in [integer.into(), float.into(), crate::time::Number::Float(0.0)] {
            let _ = (span.times(number), span.divided_by(number), span.plus_seconds(number));
            let _ = (span.minus_seconds(number), stamp.plus_seconds(number), stamp.compare_seconds(number));
        }
    }

    #[test]
    fn a_format_shows_its_own_text(format in "(%[-_0]?[1-9]?[DHMSLN]|[a-z: ])*") {
        let compiled = TimespanFormat::new(REFERENCE, &format).expect("it is well-formed");
        prop_assert_eq!(compiled.as_str(), &format);
    }
}
