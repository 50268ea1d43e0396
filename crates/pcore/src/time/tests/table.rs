//! Each line of a table is an operation, its arguments, and the answer of the reference, separated by tabs. `✗` starts
//! the message of an error; if the reference's own message doesn't mention the input, a second column has ours. Times
//! are in nanoseconds.

use crate::dialect::Texts;
use crate::time::{
    Formats, LocalOffset, Number, TimeError, Timespan, TimespanFields, TimespanFormat, Timestamp,
};

/// The dialect of the tables.
const REFERENCE: &Texts = &Texts::PUPPET8;

/// The offset of `current` in the tables.
const LOCAL: LocalOffset = LocalOffset { seconds: 7200 };

#[test]
fn timespans() {
    check(include_str!("timespan.tsv"), 150);
}

#[test]
fn timestamps() {
    check(include_str!("timestamp.tsv"), 150);
}

fn check(table: &str, least_rows: usize) {
    let rows = table.lines().filter(|line| !line.is_empty() && !line.starts_with("# ")).collect::<Vec<_>>();
    let wrong = rows.iter().filter_map(|row| difference(row)).collect::<Vec<_>>();
    assert!(wrong.is_empty(), "{} of {} differ:\n{}", wrong.len(), rows.len(), wrong.join("\n"));
    assert!(rows.len() >= least_rows, "only {} rows", rows.len());
}

/// Returns the difference of our answer from the row's.
fn difference(row: &str) -> Option<String> {
    let mut columns = row.split('\t').map(unescape).collect::<Vec<_>>();
    let expected = columns.pop()?;
    if columns.last().is_some_and(|column| column.starts_with('✗')) {
        columns.pop();
    }
    let operation = columns.remove(0);
    let arguments = columns.iter().map(String::as_str).collect::<Vec<_>>();
    let got = answer(&operation, &arguments).unwrap_or_else(|error| format!("✗ {error}"));
    // Both write floats with the fewest digits possible, which isn't always unique.
    let is_float = ["span.float", "stamp.float", "span.ratio"].contains(&operation.as_str());
    let same = got == expected || (is_float && got.parse::<f64>() == expected.parse::<f64>());
    (!same).then(|| format!("{row}\n    got {got:?}"))
}

fn unescape(column: &str) -> String {
    column
        .replace("␉", "\t")
        .replace("␊", "\n")
        .replace("␋", "\u{b}")
        .replace("␌", "\u{c}")
        .replace("␍", "\r")
}

fn number(text: &str) -> Number {
    text.parse().map_or_else(|_| Number::Float(text.parse().expect("a number")), Number::Integer)
}

fn float(value: f64) -> String {
    match value {
        _ if value.is_nan() => "NaN".to_owned(),
        _ if value.is_infinite() => if value > 0.0 { "Infinity" } else { "-Infinity" }.to_owned(),
        _ => format!("{value:e}"),
    }
}

fn ordering(ordering: Option<std::cmp::Ordering>) -> String {
    ordering.map_or("nil".to_owned(), |ordering| (ordering as i8).to_string())
}

fn answer(operation: &str, arguments: &[&str]) -> Result<String, TimeError> {
    let (kind, operation) = operation.split_once('.').expect("a kind and an operation");
    if kind == "span" { span_answer(operation, arguments) } else { stamp_answer(operation, arguments) }
}

fn span_answer(operation: &str, arguments: &[&str]) -> Result<String, TimeError> {
    let span = |index: usize| Timespan::from_nanoseconds(arguments[index].parse().expect("nanoseconds"));
    let made = |span: Result<Timespan, TimeError>| span.map(|span| span.nanoseconds().to_string());
    let right = || number(arguments[1]);
    match operation {
        "parse" => made(Timespan::parse(REFERENCE, arguments[0], Formats::Default)),
        "parse_one" => made(Timespan::parse(REFERENCE, arguments[0], Formats::One(arguments[1]))),
        "parse_any" => made(Timespan::parse(REFERENCE, arguments[0], Formats::AnyOf(&arguments[1..]))),
        "format" => span(0).format(REFERENCE, arguments[1]),
        "string" => Ok(span(0).to_string()),
        "from_seconds" => made(Timespan::from_seconds(number(arguments[0]))),
        "from_fields" => {
            let field = |index: usize| arguments[index].parse().expect("an integer");
            made(Ok(Timespan::from_fields(&TimespanFields {
                negative: arguments[0] == "true",
                days: field(1),
                hours: field(2),
                minutes: field(3),
                seconds: field(4),
                milliseconds: field(5),
                microseconds: field(6),
                nanoseconds: field(7),
            })))
        }
        "parts" => {
            let span = span(0);
            Ok(format!(
                "{} {} {} {} {} {}",
                span.days(),
                span.hours_of_day(),
                span.minutes_of_hour(),
                span.seconds_of_minute(),
                span.milliseconds_of_second(),
                span.nanoseconds_of_second(),
            ))
        }
        "integer" => Ok(span(0).whole_seconds().to_string()),
        "float" => Ok(float(span(0).seconds())),
        "compare" => Ok(ordering(Some(span(0).cmp(&span(1))))),
        "compare_seconds" => Ok(ordering(span(0).compare_seconds(right()))),
        "plus" => made(span(0).plus(span(1))),
        "minus" => made(span(0).minus(span(1))),
        "plus_seconds" => made(span(0).plus_seconds(right())),
        "minus_seconds" => made(span(0).minus_seconds(right())),
        "negated" => made(span(0).negated()),
        "times" => made(span(0).times(right())),
        "divided_by" => made(span(0).divided_by(right())),
        "ratio" => Ok(float(span(0).ratio(span(1)))),
        "modulo" => span(0).modulo(arguments[1].parse().expect("an integer")).map(|rest| rest.to_string()),
        _ => panic!("no operation {operation}"),
    }
}

fn stamp_answer(operation: &str, arguments: &[&str]) -> Result<String, TimeError> {
    let stamp = |index: usize| Timestamp::from_nanoseconds(arguments[index].parse().expect("nanoseconds"));
    let made = |stamp: Result<Timestamp, TimeError>| stamp.map(|stamp| stamp.nanoseconds().to_string());
    let span = || Timespan::from_nanoseconds(arguments[1].parse().expect("nanoseconds"));
    let right = || number(arguments[1]);
    match operation {
        "parse" => made(Timestamp::parse(REFERENCE, arguments[0], Formats::Default, None, LOCAL)),
        "parse_in" => {
            made(Timestamp::parse(REFERENCE, arguments[0], Formats::Default, Some(arguments[1]), LOCAL))
        }
        "parse_one" => {
            made(Timestamp::parse(REFERENCE, arguments[0], Formats::One(arguments[1]), None, LOCAL))
        }
        "parse_one_in" => made(Timestamp::parse(
            REFERENCE,
            arguments[0],
            Formats::One(arguments[1]),
            Some(arguments[2]),
            LOCAL,
        )),
        "parse_any" => {
            made(Timestamp::parse(REFERENCE, arguments[0], Formats::AnyOf(&arguments[1..]), None, LOCAL))
        }
        "parse_any_in" => {
            let formats = Formats::AnyOf(&arguments[2..]);
            made(Timestamp::parse(REFERENCE, arguments[0], formats, Some(arguments[1]), LOCAL))
        }
        "format" => stamp(0).format(arguments[1], None, LOCAL),
        "format_in" => stamp(0).format(arguments[1], Some(arguments[2]), LOCAL),
        "string" => Ok(stamp(0).to_string()),
        "from_seconds" => made(Timestamp::from_seconds(number(arguments[0]))),
        "integer" => Ok(stamp(0).whole_seconds().to_string()),
        "float" => Ok(float(stamp(0).seconds())),
        "compare" => Ok(ordering(Some(stamp(0).cmp(&stamp(1))))),
        "compare_seconds" => Ok(ordering(stamp(0).compare_seconds(right()))),
        "plus" => made(stamp(0).plus(span())),
        "minus" => made(stamp(0).minus(span())),
        "plus_seconds" => made(stamp(0).plus_seconds(right())),
        "minus_seconds" => made(stamp(0).minus_seconds(right())),
        "since" => stamp(0).since(stamp(1)).map(|span| span.nanoseconds().to_string()),
        _ => panic!("no operation {operation}"),
    }
}

#[test]
fn limits_are_errors() {
    let greatest = Timespan::from_nanoseconds(i128::MAX);
    let least = Timespan::from_nanoseconds(i128::MIN);
    assert_eq!(greatest.plus_seconds(1), Err(TimeError::Overflow));
    assert_eq!(least.minus_seconds(1), Err(TimeError::Overflow));
    assert_eq!(least.negated(), Err(TimeError::Overflow));
    assert_eq!(least.times(-1), Err(TimeError::Overflow));
    assert_eq!(least.divided_by(-1), Err(TimeError::Overflow));
    assert_eq!(greatest.times(2.0), Err(TimeError::Overflow));
    assert_eq!(Timespan::from_seconds(1e290), Err(TimeError::Overflow));
    assert_eq!(Timestamp::from_nanoseconds(i128::MAX).plus_seconds(1), Err(TimeError::Overflow));
    assert_eq!(
        Timestamp::from_nanoseconds(i128::MAX).format("%F", Some("+01:00"), LOCAL),
        Err(TimeError::Overflow)
    );
    let digits = "9".repeat(60);
    assert_eq!(
        Timespan::parse(REFERENCE, &digits, Formats::Default),
        Err(TimeError::MismatchAll {
            text: digits.clone(),
            formats: TimespanFormat::DEFAULTS.map(str::to_owned).to_vec(),
        })
    );
    assert_eq!(Timespan::parse(REFERENCE, &digits, Formats::One("%S")), Err(TimeError::Overflow));
    assert_eq!(
        Timestamp::parse(REFERENCE, &digits, Formats::One("%Y"), None, LOCAL),
        Err(TimeError::Overflow)
    );
    assert_eq!(
        Timestamp::parse(REFERENCE, "9999999999999999999999", Formats::One("%Y"), None, LOCAL),
        Err(TimeError::Overflow)
    );
}

#[test]
fn huge_widths_are_errors() {
    let stamp = Timestamp::from_nanoseconds(0);
    for format in ["%2147483647Y", "%2147483647c", "%2147483647%", "%2147483647N", "%2147483647z"] {
        assert_eq!(stamp.format(format, None, LOCAL), Err(TimeError::TooLong), "{format}");
    }
    let span = Timespan::from_nanoseconds(0);
    assert_eq!(
        span.format(REFERENCE, "%100001H"),
        Err(TimeError::TooWide { format: "%100001H".to_owned(), limit: 100_000 })
    );
    assert_eq!(span.format(REFERENCE, &"%99999H".repeat(1000)), Err(TimeError::TooLong));
    assert_eq!(Timespan::parse(REFERENCE, &" ".repeat(20_000), Formats::One("%_H")), Err(TimeError::TooLong));
}

/// The reference computes these with wrapped machine words.
#[test]
fn zones_of_too_many_digits_are_unknown() {
    let name = "+99999999999999999999:00";
    let error = Timestamp::from_nanoseconds(0).format("%F", Some(name), LOCAL);
    assert_eq!(error, Err(TimeError::IllegalTimezone { timezone: name.to_owned() }));
}
