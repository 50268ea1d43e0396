//! Properties that hold for every text that is read as data.

use marotte_hiera::Format;
use marotte_hiera::data::{DEPTH_LIMIT, Inner, Places, parse};
use marotte_pcore::value::Value;

use crate::Text;

/// Reads `bytes` as data; the first byte says in which format.
///
/// # Panics
/// If the places of the value are not those of its parts, if they do not lie in the text, or if the value is nested too deeply.
pub fn read(bytes: &[u8]) {
    let Some((format, bytes)) = bytes.split_first() else { return };
    let format = match format {
        b'j' => Format::Json,
        b'h' => Format::Hocon,
        _ => Format::Yaml,
    };
    let source = String::from_utf8_lossy(bytes);
    if let Ok(document) = parse(format, &source) {
        fits(Text(&source), &document.value, &document.places, DEPTH_LIMIT);
    }
}

fn fits(text: Text<'_>, value: &Value, places: &Places, depth: usize) {
    text.holds(places.range, "a value");
    let inner = depth.checked_sub(1).expect("no deeper than the limit");
    match (value, &places.inner) {
        (Value::Array(elements), Inner::Elements(parts)) => {
            assert_eq!(elements.len(), parts.len(), "every element has a place");
            elements.iter().zip(parts.iter()).for_each(|(it, places)| fits(text, it, places, inner));
        }
        (Value::Hash(hash), Inner::Entries(parts)) => {
            assert_eq!(hash.len(), parts.len(), "every entry has a place");
            for (_, key, value, places) in places.entries(value).expect("a hash") {
                text.holds(key, "a key");
                fits(text, value, places, inner);
            }
        }
        (Value::Array(_) | Value::Hash(_), _) => panic!("the parts of {value:?} have no places"),
        _ => {}
    }
}
