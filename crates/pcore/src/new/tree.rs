//! `Hash(from, tree)` and `Hash(from, hash_tree)`: the structure that paths and values describe (D69).

use std::sync::Arc;

use super::{MOST_ELEMENTS, NewError};
use crate::value::{Hash, Value};

/// The maximum length of a path.
const LONGEST_PATH: usize = 256;

/// Builds the hash in which each value is at its path. Missing containers on a path become hashes; with `all_hashes`,
/// arrays become hashes by index.
pub(super) fn hash(entries: &[Value], all_hashes: bool) -> Result<Value, NewError> {
    let mut root = Value::Hash(Arc::default());
    for entry in entries {
        let Value::Array(pair) = entry else { continue };
        let [Value::Array(path), value] = &pair[..] else { continue };
        if path.len() > LONGEST_PATH {
            return Err(NewError::PathTooLong(LONGEST_PATH));
        }
        match path.split_last() {
            Some((last, way)) => {
                let value = if all_hashes { array_as_hash(value) } else { value.clone() };
                let wrong = || NewError::Path(Value::Array(path.clone()));
                put(&mut root, way, last, value).ok_or_else(wrong)?;
            }
            None => merge(&mut root, value)?,
        }
    }
    Ok(root)
}

/// Merges the value for the empty path into the root.
fn merge(root: &mut Value, value: &Value) -> Result<(), NewError> {
    let Value::Hash(root) = root else { return Ok(()) };
    let root = Arc::make_mut(root);
    match value {
        Value::Array(elements) => {
            for (index, element) in (0_i64..).zip(elements.iter()) {
                root.insert(index.into(), element.clone());
            }
        }
        Value::Hash(entries) => {
            for (key, value) in entries.iter() {
                root.insert(key.clone(), value.clone());
            }
        }
        _ => return Err(NewError::Path(Value::Array([].into()))),
    }
    Ok(())
}

fn array_as_hash(value: &Value) -> Value {
    let Value::Array(elements) = value else { return value.clone() };
    let entries = (0_i64..).zip(elements.iter()).map(|(index, it)| (index.into(), array_as_hash(it)));
    Value::Hash(Arc::new(entries.collect()))
}

/// Sets the value at a path. `None` if the path leads nowhere.
fn put(container: &mut Value, way: &[Value], last: &Value, value: Value) -> Option<()> {
    let Some((key, way)) = way.split_first() else { return set(container, last, value) };
    match container {
        Value::Hash(hash) => {
            let hash = Arc::make_mut(hash);
            if hash.get(key).is_none() {
                hash.insert(key.clone(), Value::Hash(Arc::new(Hash::default())));
            }
            hash.update(key, |it| put(it, way, last, value))?
        }
        Value::Array(elements) => {
            let index = index_in(key, elements.len())?;
            elements.update(index, |it| put(it, way, last, value))?
        }
        _ => None,
    }
}

/// Resolves an index; a negative one counts from the end.
fn index_in(key: &Value, len: usize) -> Option<usize> {
    let Value::Integer(index) = key else { return None };
    let index = index.to_i64()?;
    match usize::try_from(index) {
        Ok(index) => Some(index),
        Err(_) => len.checked_sub(usize::try_from(index.unsigned_abs()).ok()?),
    }
}

fn set(container: &mut Value, key: &Value, value: Value) -> Option<()> {
    match container {
        Value::Hash(hash) => Arc::make_mut(hash).insert(key.clone(), value),
        Value::Array(elements) => {
            let index = index_in(key, elements.len())?;
            if index >= elements.len() {
                if index >= MOST_ELEMENTS {
                    return None;
                }
                let mut longer = elements.to_vec();
                longer.resize(index + 1, Value::Undef);
                *elements = longer.into();
            }
            elements.update(index, |it| *it = value)?;
        }
        _ => return None,
    }
    Some(())
}
