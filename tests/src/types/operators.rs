//! Questions about operators with additional answers besides the value.

use marotte_pcore::ops::{Strictness, option_matches};
use marotte_pcore::print::literal;
use marotte_pcore::value::Value;

use super::{Failure, Session};

/// Splits off the strictness of a question, if it has one.
pub(super) fn strictness(question: &str) -> Option<(Strictness, &str)> {
    let words = [("off: ", Strictness::Off), ("warning: ", Strictness::Warning)];
    words.into_iter().find_map(|(word, strict)| Some((strict, question.strip_prefix(word)?)))
}

/// Returns a value with the warnings.
pub(super) fn with_warnings(it: &Session<'_>, source: &str) -> Result<String, Failure> {
    let mut answer = literal(&it.evaluate(source)?);
    for warning in it.warnings() {
        answer.push_str(&format!(" ⚠ {warning}"));
    }
    Ok(answer)
}

/// Returns the answer, if it is another such question.
pub(super) fn answer(question: &str, it: &Session<'_>) -> Option<Result<String, Failure>> {
    Some(if let Some(source) = question.strip_prefix("captures ") {
        // Includes `$0`, `$1` and `$2`.
        it.evaluate(&format!("[{source}, $0, $1, $2]")).map(|it| literal(&it))
    } else if let Some((value, option)) = question.split_once(" ≈ ") {
        option_match(it, value, option)
    } else {
        return None;
    })
}

fn option_match(it: &Session<'_>, value: &str, option: &str) -> Result<String, Failure> {
    let matched = option_matches(it.dialect, &it.evaluate(value)?, &it.evaluate(option)?)?;
    let variables = matched.variables.unwrap_or_default();
    let all = [matched.matches.into(), variables.get(0), variables.get(1), variables.get(2)];
    Ok(literal(&Value::Array(all.into())))
}
