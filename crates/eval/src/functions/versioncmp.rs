//! `versioncmp`: compares versions of packages (E26).

use std::cmp::Ordering;

use marotte_pcore::value::Value;

use super::{Body, Builtin, Call, Overload, ResultType};
use crate::interpreter::Evaluated;

/// `versioncmp`.
pub(super) static FUNCTION: Builtin = Builtin {
    name: "versioncmp",
    doc: "Compares two versions: -1 if the first is older, 0 if they are the same, 1 if it is newer. `versioncmp('2.6-1', \
          '2.4.5')` is `1`.\n\n\
          Versions are compared part by part: numbers by value, unless one has a leading zero; other parts as texts in upper \
          case; `-` comes first, then `.`, then all other parts. If the third argument is `true`, trailing zeros and dots are \
          ignored, at the end and before the first hyphen: `1.0` is `1`.",
    result: ResultType::Is("Integer[-1, 1]"),
    overloads: &[Overload {
        parameters: "String $a, String $b, Boolean $ignore_trailing_zeroes = false",
        block: None,
        returns: None,
        body: Body::Run(run),
    }],
    ..Builtin::base()
};

fn run(call: &mut Call<'_, '_, '_>) -> Evaluated {
    let trimmed = matches!(call.argument(2), Value::Boolean(true));
    let ordering = if trimmed {
        compare(&without_trailing_zeroes(call.text(0)), &without_trailing_zeroes(call.text(1)))
    } else {
        compare(call.text(0), call.text(1))
    };
    Ok(Value::from(ordering as i64))
}

/// Removes zeros and dots before the first hyphen or at the end, and hyphens at the end.
fn without_trailing_zeroes(version: &str) -> String {
    let version = version.trim_end_matches('-');
    match version.split_once('-') {
        Some((first, rest)) => format!("{}-{rest}", trimmed(first)),
        None => trimmed(version).to_owned(),
    }
}

/// Removes them at the end of the first line that ends so.
fn trimmed(version: &str) -> String {
    let is_zero = |it: char| it == '.' || it == '0';
    let Some(end) = version
        .split_inclusive('\n')
        .scan(0, |at, line| {
            let text = line.strip_suffix('\n').unwrap_or(line);
            let end = *at + text.len();
            *at += line.len();
            Some((end, text.ends_with(is_zero)))
        })
        .find(|(_, ends)| *ends)
        .map(|(end, _)| end)
    else {
        return version.to_owned();
    };
    let (head, tail) = version.split_at(end);
    format!("{}{tail}", head.trim_end_matches(is_zero))
}

fn compare(a: &str, b: &str) -> Ordering {
    let mut others = pieces(b);
    for left in pieces(a) {
        let Some(right) = others.next() else { break };
        if left == right {
            continue;
        }
        for separator in ["-", "."] {
            if left == separator {
                return Ordering::Less;
            }
            if right == separator {
                return Ordering::Greater;
            }
        }
        let is_number = |it: &str| it.starts_with(|it: char| it.is_ascii_digit());
        if is_number(left) && is_number(right) && !left.starts_with('0') && !right.starts_with('0') {
            // Without leading zeros, the longer number is the greater one.
            return left.len().cmp(&right.len()).then_with(|| left.cmp(right));
        }
        return left.to_uppercase().cmp(&right.to_uppercase());
    }
    a.cmp(b)
}

/// Splits into separators, runs of digits, and the text between them.
fn pieces(version: &str) -> impl Iterator<Item = &str> {
    let mut rest = version;
    std::iter::from_fn(move || {
        let first = rest.chars().next()?;
        let end = match first {
            '-' | '.' => 1,
            '0'..='9' => rest.find(|it: char| !it.is_ascii_digit()).unwrap_or(rest.len()),
            _ => rest.find(|it: char| matches!(it, '-' | '.') || it.is_ascii_digit()).unwrap_or(rest.len()),
        };
        let (piece, after) = rest.split_at(end);
        rest = after;
        Some(piece)
    })
}
