//! What must hold of any time, any text and any format.

use proptest::prelude::*;

use crate::time::{Formats, LocalOffset, Timespan, TimespanFormat, Timestamp};

const UTC: LocalOffset = LocalOffset::UTC;

/// Formats that say everything about a timespan. Not the default one: that loses the noughts after the point, as the
/// language has it.
const EXACT_SPAN_FORMATS: [&str; 3] = ["%H:%M:%S", "%_D days %_H h %_M m %_S s", "%-S"];

/// Formats that say everything about a timestamp.
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
        prop_assert_eq!(Timestamp::parse(&text, Formats::One(format), None, UTC), Ok(stamp), "{}", text);
    }

    #[test]
    fn the_default_text_of_a_timestamp_is_read_by_default(nanoseconds in nanoseconds()) {
        let stamp = Timestamp::from_nanoseconds(nanoseconds);
        prop_assert_eq!(Timestamp::parse(&stamp.to_string(), Formats::Default, None, UTC), Ok(stamp));
    }

    #[test]
    fn a_zone_changes_the_text_and_not_the_time(nanoseconds in -(1i128 << 62)..1 << 62, minutes in -1439i32..1440) {
        let stamp = Timestamp::from_nanoseconds(nanoseconds);
        let sign = if minutes < 0 { '-' } else { '+' };
        let zone = format!("{sign}{:02}:{:02}", minutes.abs() / 60, minutes.abs() % 60);
        let text = stamp.format("%FT%T.%N", Some(&zone), UTC).expect("it is near enough");
        prop_assert_eq!(Timestamp::parse(&text, Formats::Default, Some(&zone), UTC), Ok(stamp), "{}", text);
        let local = LocalOffset { seconds: minutes * 60 };
        prop_assert_eq!(stamp.format("%FT%T.%N", Some("current"), local), Ok(text));
    }

    #[test]
    fn a_timespan_is_what_its_text_says(seconds in any::<i64>(), format in prop::sample::select(&EXACT_SPAN_FORMATS)) {
        let span = Timespan::from_seconds(seconds).expect("it fits");
        let text = span.format(format).expect("it is short");
        prop_assert_eq!(Timespan::parse(&text, Formats::One(format)), Ok(span), "{}", text);
    }

    #[test]
    fn any_format_writes_or_says_why(nanoseconds in any::<i128>(), format in format(), zone in "[-+A-Za-z0-9:., ]{0,9}") {
        let _ = Timespan::from_nanoseconds(nanoseconds).format(&format);
        let _ = Timestamp::from_nanoseconds(nanoseconds).format(&format, Some(&zone), UTC);
    }

    #[test]
    fn any_text_is_read_or_refused(text in "\\PC{0,20}", format in format(), zone in prop::option::of("[-+A-Za-z0-9:., ]{0,9}")) {
        let _ = Timespan::parse(&text, Formats::One(&format));
        let _ = Timespan::parse(&text, Formats::Default);
        let _ = Timestamp::parse(&text, Formats::One(&format), zone.as_deref(), UTC);
        let _ = Timestamp::parse(&text, Formats::Default, zone.as_deref(), UTC);
    }

    #[test]
    fn what_a_format_writes_it_reads_or_refuses(nanoseconds in any::<i128>(), format in format()) {
        if let Ok(text) = Timespan::from_nanoseconds(nanoseconds).format(&format) {
            let _ = Timespan::parse(&text, Formats::One(&format));
        }
        if let Ok(text) = Timestamp::from_nanoseconds(nanoseconds).format(&format, None, UTC) {
            let _ = Timestamp::parse(&text, Formats::One(&format), None, UTC);
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
        let compiled = TimespanFormat::new(&format).expect("it is well-formed");
        prop_assert_eq!(compiled.as_str(), &format);
    }
}
