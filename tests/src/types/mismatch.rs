//! Questions about mismatches. Their answers are sentences, or `fits`.

use marotte_pcore::infer::infer_set;
use marotte_pcore::mismatch::{
    Callee, Signature, assert_instance_of, describe_mismatch, describe_signatures,
    validate_default_parameter, validate_parameters,
};
use marotte_pcore::relation::accepts_arguments;
use marotte_pcore::types::TypeKind;
use marotte_pcore::value::Value;

use super::{Failure, Session};

/// Returns the answer, if it is such a question.
pub(super) fn answer(question: &str, it: &Session<'_>) -> Option<Result<String, Failure>> {
    let answer = if let Some((expected, value)) = question.split_once(" ∌ ") {
        assertion(it, expected, value)
    } else if let Some((expected, actual)) = question.split_once(" ⊉ ") {
        mismatch(it, expected, actual)
    } else if let Some((callables, arguments)) = question.split_once(" rejects ") {
        signatures(it, callables, arguments)
    } else if let Some((given, structure)) = question.split_once(" as parameters of ") {
        parameters(it, given, structure, false)
    } else if let Some((given, structure)) = question.split_once(" as some parameters of ") {
        parameters(it, given, structure, true)
    } else if let Some((value, parameter)) = question.split_once(" as default of ") {
        default(it, value, parameter)
    } else {
        return None;
    };
    Some(answer.map(|text| if text.is_empty() { "fits".to_owned() } else { text.replace('\n', "⏎") }))
}

fn sentences<E: std::fmt::Display>(result: Result<(), E>) -> String {
    result.err().map(|error| error.to_string()).unwrap_or_default()
}

fn assertion(it: &Session<'_>, expected: &str, value: &str) -> Result<String, Failure> {
    let (expected, value) = (it.evaluate_type(expected)?, it.evaluate(value)?);
    Ok(sentences(assert_instance_of(it.dialect, "x", &expected, &value)))
}

fn mismatch(it: &Session<'_>, expected: &str, actual: &str) -> Result<String, Failure> {
    Ok(describe_mismatch(it.dialect, "x", &it.evaluate_type(expected)?, &it.evaluate_type(actual)?))
}

/// Callables, separated by bars, are called with an array of values, or with a type of arguments and block.
fn signatures(it: &Session<'_>, callables: &str, arguments: &str) -> Result<String, Failure> {
    let arguments = match it.evaluate(arguments)? {
        Value::Type(arguments) => arguments,
        values => infer_set(it.dialect, &values),
    };
    let mut signatures = Vec::new();
    for source in callables.split(" | ") {
        let callable = it.evaluate_type(source)?;
        if accepts_arguments(it.dialect, &callable, &arguments) {
            return Ok(String::new());
        }
        let TypeKind::Callable(callable) = callable.kind() else {
            return Err(Failure(format!("{callable} is no Callable")));
        };
        let count = callable.parameters.as_ref().map_or(0, |it| it.types.len());
        let parameter_names = ('a'..='z').take(count).map(|name| name.to_string().into()).collect();
        let callable = callable.clone();
        signatures.push(Signature { callable, parameter_names, block_name: Some("block".into()) });
    }
    Ok(describe_signatures(it.dialect, Callee::Named("f"), &signatures, &arguments))
}

fn parameters(it: &Session<'_>, given: &str, structure: &str, missing_ok: bool) -> Result<String, Failure> {
    let structure = it.evaluate_type(structure)?;
    let (TypeKind::Struct(elements), Value::Hash(given)) = (structure.kind(), it.evaluate(given)?) else {
        return Err(Failure("parameters are a Hash and a Struct".to_owned()));
    };
    Ok(sentences(validate_parameters(it.dialect, "C", elements, &given, missing_ok, &|_| None)))
}

fn default(it: &Session<'_>, value: &str, parameter: &str) -> Result<String, Failure> {
    let (value, parameter) = (it.evaluate(value)?, it.evaluate_type(parameter)?);
    Ok(sentences(validate_default_parameter(it.dialect, "C", "a", &parameter, &value)))
}
