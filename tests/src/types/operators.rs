//! Questions about operators whose answers are more than a value.

use marotte_pcore::ops::{MatchVariables, Strictness, option_matches};
use marotte_pcore::print::literal;
use marotte_pcore::value::Value;

use super::{Evaluator, Failure};

/// The answer, if it is such a question.
pub(super) fn answer(question: &str, it: &Evaluator) -> Option<Result<String, Failure>> {
    Some(if let Some(source) = question.strip_prefix("off: ") {
        strictly(it, Strictness::Off, source)
    } else if let Some(source) = question.strip_prefix("warning: ") {
        strictly(it, Strictness::Warning, source)
    } else if let Some(source) = question.strip_prefix("captures ") {
        captures(it, source)
    } else if let Some((value, option)) = question.split_once(" ≈ ") {
        option_match(it, value, option)
    } else {
        return None;
    })
}

fn strictly(it: &Evaluator, strict: Strictness, source: &str) -> Result<String, Failure> {
    let mut it = it.clone();
    it.strict = strict;
    let outcome = it.evaluate_outcome(source)?;
    let mut answer = literal(&outcome.value);
    for coercion in outcome.coercions {
        answer.push_str(&format!(" ⚠ {coercion}"));
    }
    Ok(answer)
}

/// A value with `$0`, `$1` and `$2`.
fn with_variables(value: Value, variables: Option<MatchVariables>) -> String {
    let variables = variables.unwrap_or_default();
    let all = [value, variables.get(0), variables.get(1), variables.get(2)];
    literal(&Value::Array(all.into()))
}

fn captures(it: &Evaluator, source: &str) -> Result<String, Failure> {
    let outcome = it.evaluate_outcome(source)?;
    Ok(with_variables(outcome.value, outcome.variables))
}

fn option_match(it: &Evaluator, value: &str, option: &str) -> Result<String, Failure> {
    let matched = option_matches(it.dialect, &it.evaluate(value)?, &it.evaluate(option)?)?;
    Ok(with_variables(matched.matches.into(), matched.variables))
}
