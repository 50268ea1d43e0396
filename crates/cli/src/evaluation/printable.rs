//! Whether a value can be shown: what is shared in memory is written out as often as it occurs, and by recursion.

use marotte_pcore::value::Value;

/// Deeper values are not printed.
const DEPTH: usize = 10_000;

/// Says why a value can't be shown: it is too deep, or has more than so many elements.
pub(crate) fn check_printable(value: &Value, elements: usize) -> Result<(), String> {
    let mut waiting = vec![(value, 1)];
    let mut count = 0_usize;
    while let Some((value, depth)) = waiting.pop() {
        if depth > DEPTH {
            return Err(format!("the value is nested more than {DEPTH} levels deep, and is not printed"));
        }
        count += 1;
        if count > elements {
            return Err(format!("the value has more than {elements} elements, and is not printed"));
        }
        match value {
            Value::Array(elements) => waiting.extend(elements.iter().map(|it| (it, depth + 1))),
            Value::Hash(hash) => {
                waiting.extend(hash.iter().flat_map(|(key, value)| [(key, depth + 1), (value, depth + 1)]));
            }
            Value::Object(object) => waiting.extend(object.attributes.iter().map(|it| (it, depth + 1))),
            Value::Sensitive(sensitive) => waiting.push((sensitive.unwrap(), depth + 1)),
            _ => {}
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn nested(levels: usize, width: usize) -> Value {
        let array = |inner: Value| Value::Array(vec![inner; width].into());
        (0..levels).fold(Value::Undef, |inner, _| array(inner))
    }

    #[test]
    fn what_is_too_deep_or_too_large_is_not_printed() {
        assert_eq!(check_printable(&nested(50, 1), 1_000), Ok(()));
        let deep = check_printable(&nested(DEPTH, 1), 1_000_000).unwrap_err();
        assert!(deep.contains("levels deep"), "{deep}");
        let large = check_printable(&nested(60, 2), 1_000_000).unwrap_err();
        assert!(large.contains("more than 1000000 elements"), "{large}");
    }
}
