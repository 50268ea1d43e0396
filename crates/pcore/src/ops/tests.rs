use std::sync::Arc;

use num_bigint::BigInt;

use super::*;
use crate::dialect::{IntegerWidth, JULY2014, PUPPET8, SPEC};
use crate::regexp::Regexp;
use crate::value::{Hash, Integer};

/// The dialects of 2014 have integers without limit.
fn unlimited() -> Dialect {
    Dialect { integer_width: IntegerWidth::Unlimited, ..PUPPET8.clone() }
}

fn calculate(
    dialect: &Dialect,
    left: i64,
    operator: BinaryOperator,
    right: i64,
) -> Result<Value, OperationError> {
    binary(dialect, Strictness::Error, operator, &left.into(), &right.into()).map(|it| it.value)
}

fn big(text: &str) -> Value {
    Value::Integer(Integer::from(BigInt::parse_bytes(text.as_bytes(), 10).expect("digits")))
}

#[test]
fn integers_grow_where_the_dialect_lets_them() {
    let (dialect, max) = (unlimited(), i64::MAX);
    let sum = calculate(&dialect, max, BinaryOperator::Add, 1);
    assert_eq!(sum, Ok(big("9223372036854775808")));
    let product = calculate(&dialect, max, BinaryOperator::Multiply, max);
    assert_eq!(product, Ok(big("85070591730234615847396907784232501249")));
    assert_eq!(calculate(&dialect, 1, BinaryOperator::ShiftLeft, 64), Ok(big("18446744073709551616")));
    assert_eq!(
        negate(&dialect, Strictness::Error, &i64::MIN.into()).map(|it| it.value),
        Ok(big("9223372036854775808"))
    );
}

#[test]
fn the_least_integer_has_no_opposite() {
    let error = negate(&PUPPET8, Strictness::Error, &i64::MIN.into()).expect_err("an overflow");
    assert_eq!(error.issue(), "numeric-overflow");
}

#[test]
fn no_shift_fills_the_memory() {
    for count in [100_000_000_000, i64::MAX] {
        let error = calculate(&PUPPET8, 1, BinaryOperator::ShiftLeft, count).expect_err("an overflow");
        assert_eq!(
            error.to_string(),
            "A '<<' expression resulted in a value outside of Puppet Integer max range"
        );
        let error = calculate(&unlimited(), -1, BinaryOperator::ShiftLeft, count).expect_err("too large");
        assert!(matches!(error, OperationError::TooLarge { .. }), "{error}");
        assert_eq!(calculate(&PUPPET8, -7, BinaryOperator::ShiftRight, count), Ok((-1).into()));
        assert_eq!(calculate(&PUPPET8, 0, BinaryOperator::ShiftLeft, count), Ok(0.into()));
    }
    assert_eq!(calculate(&PUPPET8, 7, BinaryOperator::ShiftLeft, i64::MIN), Ok(0.into()));
}

#[test]
fn squares_of_squares_end() {
    let (dialect, mut value) = (unlimited(), big("340282366920938463463374607431768211456"));
    let error = loop {
        match binary(&dialect, Strictness::Error, BinaryOperator::Multiply, &value, &value) {
            Ok(outcome) => value = outcome.value,
            Err(error) => break error,
        }
    };
    assert!(matches!(error, OperationError::TooLarge { .. }), "{error}");
}

#[test]
fn texts_of_endless_numbers_are_no_numbers() {
    let digits = Value::from(&*"9".repeat(1_000_000));
    let result = binary(&PUPPET8, Strictness::Off, BinaryOperator::Add, &digits, &1.into());
    assert!(matches!(result, Err(OperationError::NotNumeric { .. })));
}

#[test]
fn coercions_are_told_only_as_warnings() {
    let sum = |strict| binary(&PUPPET8, strict, BinaryOperator::Add, &"1".into(), &"0x10".into());
    let told = sum(Strictness::Warning).expect("a sum");
    assert_eq!((told.value, told.coercions.len()), (17.into(), 2));
    assert_eq!(sum(Strictness::Off), Ok(Outcome::from(Value::from(17))));
    assert_eq!(sum(Strictness::Error).map_err(|error| error.issue()), Err("numeric-coercion"));
}

#[test]
fn a_failed_match_sets_no_variables() {
    let pattern = Value::Regexp(Regexp::new("(b)(x)?").expect("a pattern"));
    let matched = matches(&PUPPET8, &"abc".into(), &pattern).expect("an answer");
    let variables = matched.variables.expect("variables");
    let values: Vec<Value> = (0..4).map(|index| variables.get(index)).collect();
    assert_eq!(values, ["b".into(), "b".into(), Value::Undef, Value::Undef]);
    assert_eq!(matches(&PUPPET8, &"xyz".into(), &pattern), Ok(Matched::default()));
}

#[test]
fn splat_opens_collections_only() {
    let array = Value::Array([1.into(), Value::Undef].into());
    assert_eq!(splat(&array), Ok(vec![1.into(), Value::Undef]));
    assert_eq!(splat(&Value::Undef), Ok(Vec::new()));
    assert_eq!(splat(&"ab".into()), Ok(vec!["ab".into()]));
    let hash: Hash = [("a".into(), 1.into())].into_iter().collect();
    let pair = Value::Array(["a".into(), 1.into()].into());
    assert_eq!(splat(&Value::Hash(Arc::new(hash))), Ok(vec![pair]));
}

#[test]
fn keys_may_be_nested_deeply() {
    let key = (0..10_000).fold(Value::from(1), |it, _| Value::Array([it].into()));
    let outcome = access(&PUPPET8, Strictness::Error, &"abc".into(), std::slice::from_ref(&key));
    assert_eq!(outcome, Ok(Outcome::from(Value::from("b"))));
    // Values of this depth must be dropped iteratively.
    let mut rest = key;
    while let Value::Array(elements) = &rest {
        rest = elements.first().cloned().unwrap_or(Value::Undef);
    }
}

#[test]
fn errors_of_types_know_their_issue() {
    let any = Value::Type(crate::types::Type::any());
    let error = access(&PUPPET8, Strictness::Error, &any, &[1.into()]).expect_err("no parameters");
    assert_eq!(error.issue(), "operator-not-applicable");
}

#[test]
fn strings_are_numbers_by_dialect() {
    let (text, number) = (Value::from("10"), Value::from(9));
    let apply = |dialect: &Dialect, operator| {
        binary(dialect, Strictness::Error, operator, &text, &number)
            .map(|it| it.value)
            .map_err(|it| it.issue())
    };
    assert_eq!(apply(&PUPPET8, BinaryOperator::Add), Err("numeric-coercion"));
    assert_eq!(apply(&SPEC, BinaryOperator::Add), Ok(19.into()));
    assert_eq!(apply(&SPEC, BinaryOperator::Greater), Err("comparison-not-possible"));
    assert_eq!(apply(&JULY2014, BinaryOperator::Add), Ok(19.into()));
    assert_eq!(apply(&JULY2014, BinaryOperator::Greater), Ok(true.into()));
}

#[test]
fn the_specification_subtracts_and_shifts_in_its_own_way() {
    let letters = Value::Array(["a".into(), "A".into()].into());
    let rest = |dialect: &Dialect| {
        binary(dialect, Strictness::Error, BinaryOperator::Subtract, &letters, &"a".into()).map(|it| it.value)
    };
    assert_eq!(rest(&PUPPET8), Ok(Value::Array(["A".into()].into())));
    assert_eq!(rest(&SPEC), Ok(Value::Array([].into())));
    assert_eq!(calculate(&PUPPET8, -8, BinaryOperator::ShiftRight, 1), Ok((-4).into()));
    assert_eq!(calculate(&SPEC, -8, BinaryOperator::ShiftRight, 1), Ok(0.into()));
    assert_eq!(calculate(&SPEC, -8, BinaryOperator::ShiftLeft, 1), Ok((-16).into()));
}

#[test]
fn the_specification_clears_variables_and_finds_only_what_is_equal() {
    let failed = matches(&SPEC, &"abc".into(), &"x".into()).expect("an answer");
    assert_eq!(failed, Matched { matches: false, variables: Some(MatchVariables::default()) });
    let patterns = Value::Array([Value::Regexp(Regexp::new("b").expect("a pattern"))].into());
    let found = |dialect: &Dialect| {
        binary(dialect, Strictness::Error, BinaryOperator::In, &"b".into(), &patterns).map(|it| it.value)
    };
    assert_eq!(found(&PUPPET8), Ok(true.into()));
    assert_eq!(found(&SPEC), Ok(false.into()));
}
