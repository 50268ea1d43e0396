//! `+`, `-` and `<<` of arrays, hashes, URIs and binary values (B32–B34, D89, D92, X113).

use std::hash::{BuildHasher, Hash as _, Hasher};
use std::sync::Arc;

use foldhash::HashMap;
use foldhash::fast::RandomState;

use super::{BinaryOperator, OperationError};
use crate::dialect::{Dialect, Subtraction};
use crate::effort;
use crate::relation::{equal, same};
use crate::uri::Uri;
use crate::value::{Hash, Value};

/// The maximum length of an array, hash or binary that an operator creates: repeated doubling would soon exhaust the memory.
const MAX_LENGTH: usize = 1 << 26;

/// The maximum number of comparisons in one difference of arrays.
const MAX_COMPARISONS: usize = 1 << 30;

/// Evaluates an operator if it applies to collections and its left operand is one.
pub(super) fn operate(
    dialect: &Dialect,
    operator: BinaryOperator,
    left: &Value,
    right: &Value,
) -> Option<Result<Value, OperationError>> {
    use BinaryOperator as Op;
    Some(match (left, operator) {
        (Value::Array(left), Op::Add) => append(left, &elements(right)),
        (Value::Array(left), Op::Subtract) => subtract(dialect, left, &elements(right)),
        (Value::Array(left), Op::ShiftLeft) => append(left, std::slice::from_ref(right)),
        (Value::Hash(left), Op::Add) => merge(left, right),
        (Value::Hash(left), Op::Subtract) => without_keys(dialect, left, right),
        (Value::Hash(_), Op::ShiftLeft) => Err(OperationError::not_applicable("<<", left)),
        (Value::Uri(left), Op::Add) => merge_uri(left, right),
        (Value::Binary(left), Op::Add) => match right {
            Value::Binary(right) if left.len().saturating_add(right.len()) <= MAX_LENGTH => {
                Ok(Value::Binary(left.concat(right)))
            }
            Value::Binary(_) => Err(OperationError::TooLarge { operator: "+" }),
            _ => refuse("Can only append Binary to a Binary"),
        },
        _ => return None,
    })
}

fn refuse(what: &'static str) -> Result<Value, OperationError> {
    Err(OperationError::Combination(what, String::new()))
}

/// The elements of an array, the pairs of a hash, or the value itself as the only element.
fn elements(value: &Value) -> Vec<Value> {
    match value {
        Value::Array(elements) => elements.to_vec(),
        Value::Hash(hash) => pairs(hash).collect(),
        other => vec![other.clone()],
    }
}

/// The entries of a hash as arrays of two elements.
pub(super) fn pairs(hash: &Hash) -> impl Iterator<Item = Value> {
    hash.iter().map(|(key, value)| Value::Array([key.clone(), value.clone()].into()))
}

fn append(left: &[Value], right: &[Value]) -> Result<Value, OperationError> {
    if left.len().saturating_add(right.len()) > MAX_LENGTH {
        return Err(OperationError::TooLarge { operator: "+" });
    }
    Ok(Value::Array(left.iter().chain(right).cloned().collect()))
}

/// Returns all elements that aren't identical to one of the others: `2` removes `2.0`, but `'a'` keeps `'A'`.
fn subtract(dialect: &Dialect, left: &[Value], others: &[Value]) -> Result<Value, OperationError> {
    if left.len().saturating_mul(others.len()) > MAX_COMPARISONS {
        return Err(OperationError::TooLarge { operator: "-" });
    }
    /// The number of comparisons from which on hashing is faster.
    const MANY: usize = 256;
    if left.len().saturating_mul(others.len()) > MANY
        && let Some(taken) = Buckets::new(dialect, others)
        && let Some(stay) = taken.without_taken(left)
    {
        return Ok(Value::Array(stay.into()));
    }
    let stays = |it: &&Value| {
        effort::spend(others.len() as u64);
        !others.iter().any(|other| is_taken(dialect, it, other))
    };
    Ok(Value::Array(left.iter().filter(stays).cloned().collect()))
}

/// Whether an element is removed by another (X113).
fn is_taken(dialect: &Dialect, it: &Value, other: &Value) -> bool {
    match dialect.operators.subtraction {
        Subtraction::Same => same(it, other),
        Subtraction::Equal => equal(dialect, it, other),
    }
}

/// Values by a hash that agrees with the comparison for the removal of elements.
struct Buckets<'a> {
    dialect: &'a Dialect,
    state: RandomState,
    of: HashMap<u64, Vec<&'a Value>>,
}

impl<'a> Buckets<'a> {
    /// Returns None if one of the values can't be hashed.
    fn new(dialect: &'a Dialect, values: &'a [Value]) -> Option<Buckets<'a>> {
        let mut buckets = Buckets { dialect, state: RandomState::default(), of: HashMap::default() };
        for value in values {
            let hash = buckets.hash(value)?;
            buckets.of.entry(hash).or_default().push(value);
        }
        Some(buckets)
    }

    /// Returns the elements that none of the values takes. None if one of the elements can't be hashed.
    fn without_taken(&self, elements: &[Value]) -> Option<Vec<Value>> {
        let mut stay = Vec::new();
        for it in elements {
            let candidates = self.of.get(&self.hash(it)?).map(Vec::as_slice).unwrap_or_default();
            effort::spend(1 + candidates.len() as u64);
            if !candidates.iter().any(|other| is_taken(self.dialect, it, other)) {
                stay.push(it.clone());
            }
        }
        Some(stay)
    }

    fn hash(&self, value: &Value) -> Option<u64> {
        let mut hasher = self.state.build_hasher();
        self.add(value, &mut hasher)?;
        Some(hasher.finish())
    }

    /// Adds a value to a hash: values that the comparison takes for equal get the same.
    fn add(&self, value: &Value, to: &mut impl Hasher) -> Option<()> {
        match value {
            Value::Undef => to.write_u8(0),
            Value::Default => to.write_u8(1),
            Value::Boolean(it) => to.write_u8(2 + u8::from(*it)),
            Value::Integer(it) => add_number(it.to_f64(), to),
            Value::Float(it) => add_number(*it, to),
            Value::String(text) => {
                to.write_u8(5);
                match self.dialect.operators.subtraction {
                    Subtraction::Same => text.hash(to),
                    Subtraction::Equal => text.bytes().for_each(|it| to.write_u8(it.to_ascii_lowercase())),
                }
            }
            Value::Array(elements) => {
                to.write_u8(6);
                to.write_usize(elements.len());
                elements.iter().try_for_each(|it| self.add(it, to))?;
            }
            Value::Hash(hash) => {
                to.write_u8(7);
                to.write_usize(hash.len());
                let mut sum = 0_u64;
                for (key, value) in hash.iter() {
                    // To the comparison, a missing value is `undef`, so that one that is there says nothing about keys.
                    if *value == Value::Undef {
                        return None;
                    }
                    let mut entry = self.state.build_hasher();
                    key.hash(&mut entry);
                    self.add(value, &mut entry)?;
                    sum = sum.wrapping_add(entry.finish());
                }
                to.write_u64(sum);
            }
            // Times equal numbers, and types have rules of their own.
            _ => return None,
        }
        Some(())
    }
}

/// Adds a number to a hash. Different large integers may get the same.
fn add_number(number: f64, to: &mut impl Hasher) {
    to.write_u8(4);
    // Both zeros are equal.
    to.write_u64(if number == 0.0 { 0 } else { number.to_bits() });
}

fn without_keys(dialect: &Dialect, left: &Hash, right: &Value) -> Result<Value, OperationError> {
    let keys: Vec<Value> = match right {
        Value::Array(keys) => keys.to_vec(),
        Value::Hash(hash) => hash.keys().cloned().collect(),
        key => vec![key.clone()],
    };
    let keys: Hash = keys.into_iter().map(|key| (key, Value::Undef)).collect();
    let stays: Box<dyn Fn(&Value) -> bool> = match dialect.operators.subtraction {
        // Keys are compared exactly.
        Subtraction::Same => Box::new(|key| keys.get(key).is_none()),
        Subtraction::Equal if left.len().saturating_mul(keys.len()) > MAX_COMPARISONS => {
            return Err(OperationError::TooLarge { operator: "-" });
        }
        Subtraction::Equal => Box::new(|key| !keys.keys().any(|other| equal(dialect, key, other))),
    };
    let entries = left.iter().filter(|(key, _)| stays(key));
    let entries = entries.map(|(key, value)| (key.clone(), value.clone()));
    Ok(Value::Hash(Arc::new(entries.collect())))
}

fn merge(left: &Arc<Hash>, right: &Value) -> Result<Value, OperationError> {
    let right = match right {
        Value::Hash(right) => right.clone(),
        Value::Array(elements) => entries_of(elements)?,
        _ => return refuse("Can only append Array or Hash to a Hash"),
    };
    if left.len().saturating_add(right.len()) > MAX_LENGTH {
        return Err(OperationError::TooLarge { operator: "+" });
    }
    Ok(Value::Hash(match (left.is_empty(), right.is_empty()) {
        (_, true) => left.clone(),
        (true, _) => right,
        _ => Arc::new(left.plus(&right)),
    }))
}

/// Creates entries from an array of pairs, or of alternating keys and values; or from one hash, whose entries they are.
fn entries_of(elements: &[Value]) -> Result<Arc<Hash>, OperationError> {
    if let [Value::Hash(hash)] = elements {
        return Ok(hash.clone());
    }
    let is_array = |it: &Value| matches!(it, Value::Array(_));
    // The common type of arrays and `undef` is that of the arrays.
    if elements.iter().any(is_array) && elements.iter().all(|it| is_array(it) || *it == Value::Undef) {
        let entries = elements.iter().enumerate().map(|(index, it)| pair(index, it));
        return entries.collect::<Result<Hash, _>>().map(Arc::new);
    }
    let (entries, rest) = elements.as_chunks::<2>();
    if !rest.is_empty() {
        return Err(OperationError::OddArray);
    }
    Ok(Arc::new(entries.iter().map(|[key, value]| (key.clone(), value.clone())).collect()))
}

fn pair(index: usize, element: &Value) -> Result<(Value, Value), OperationError> {
    match element {
        Value::Array(pair) => match &pair[..] {
            [key, value] => Ok((key.clone(), value.clone())),
            _ => Err(OperationError::NoPair { index, length: Some(pair.len()) }),
        },
        _ => Err(OperationError::NoPair { index, length: None }),
    }
}

fn merge_uri(left: &Uri, right: &Value) -> Result<Value, OperationError> {
    let merged = match right {
        Value::Uri(right) => left.merge(right),
        Value::String(text) => Uri::parse(text).and_then(|right| left.merge(&right)),
        _ => return refuse("An URI can only be merged with an URI or String"),
    };
    merged.map(|uri| Value::Uri(Arc::new(uri))).map_err(OperationError::Uri)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialect::PUPPET8;

    fn hash(entries: impl IntoIterator<Item = (Value, Value)>) -> Value {
        Value::Hash(Arc::new(entries.into_iter().collect()))
    }

    #[test]
    fn many_elements_are_removed_like_few() {
        let values = [
            Value::from("a"),
            Value::from("A"),
            Value::from(1),
            Value::Float(1.0),
            Value::Float(0.0),
            Value::Float(-0.0),
            Value::Float(f64::NAN),
            Value::from(0),
            Value::Undef,
            Value::Boolean(true),
            Value::Array([1.into(), "a".into()].into()),
            Value::Array([Value::Float(1.0), "a".into()].into()),
            hash([("a".into(), 1.into()), ("b".into(), 2.into())]),
            hash([("b".into(), Value::Float(2.0)), ("a".into(), 1.into())]),
            hash([(1.into(), 1.into())]),
            hash([(Value::Float(1.0), 1.into())]),
        ];
        for other in &values {
            let others = vec![other.clone(); 100];
            let taken = Buckets::new(&PUPPET8, &others).expect("all can be hashed");
            let expected: Vec<Value> =
                values.iter().filter(|it| !is_taken(&PUPPET8, it, other)).cloned().collect();
            assert_eq!(taken.without_taken(&values), Some(expected), "without {other:?}");
        }
    }

    #[test]
    fn what_equals_different_values_is_compared_one_by_one() {
        let missing = hash([("a".into(), Value::Undef), ("b".into(), 1.into())]);
        let other = hash([("b".into(), 1.into()), ("c".into(), 2.into())]);
        assert!(is_taken(&PUPPET8, &missing, &other));
        let left = vec![missing; 100];
        let left = Value::Array(left.into());
        let right = Value::Array(vec![other; 100].into());
        let rest = operate(&PUPPET8, BinaryOperator::Subtract, &left, &right);
        assert!(matches!(rest, Some(Ok(Value::Array(rest))) if rest.is_empty()));
    }
}
