//! Objects of the cache: any bytes, and catalogs and records with some bytes changed.

use marotte_cache::{Entry, Extent, Key, Read, Record, Sealer, decode, encode, has_sensitive};
use marotte_catalog::{Catalog, Edge, Kind, Line, Named, Reference, Resource, Tags};
use marotte_pcore::value::{Hash, Sensitive, Value};
use marotte_tests::arbitrary::Choices;
use marotte_text::Str;

const MAGIC: [&[u8]; 2] = [b"marotte catalog\n", b"marotte record\n"];

/// Reads bytes as a catalog, as a record and as something sealed: the first says whether they are the object, the object without
/// its first line, or choose the parts of one and the bytes that are changed in it.
///
/// # Panics
/// If an object is not read as it was written, or if something that was changed is opened.
pub fn check(bytes: &[u8]) {
    let [first, rest @ ..] = bytes else { return };
    let object = match first % 4 {
        0 => rest.to_vec(),
        1 => [MAGIC[0], rest].concat(),
        2 => [MAGIC[1], rest].concat(),
        _ => changed(rest),
    };
    if let Some(catalog) = decode(&object) {
        has_sensitive(&catalog);
        let written = encode(&catalog).expect("what was read can be written");
        let again = decode(&written).expect("what was written can be read");
        // A float may be no number, which is no number's equal.
        assert_eq!(encode(&again), Some(written), "another catalog");
    }
    if let Some(record) = Record::decode(&object) {
        assert_eq!(Record::decode(&record.encode()), Some(record), "another record");
    }
    for sealer in [Sealer::new(None), Sealer::new(Key::of_secret(&[7; 32]))] {
        let _ = sealer.open("v1/catalogs/a", &object);
        let mut sealed = sealer.seal("v1/catalogs/a", &object).expect("random numbers");
        assert_eq!(sealer.open("v1/catalogs/a", &sealed).as_ref(), Some(&object), "it opens");
        let place = |sum: usize, it: &u8| sum.wrapping_mul(31).wrapping_add(usize::from(*it));
        let at = rest.iter().fold(0, place) % sealed.len();
        sealed[at] ^= first | 1;
        assert_eq!(sealer.open("v1/catalogs/a", &sealed), None, "it was changed");
    }
}

/// An object that bytes choose, with some bytes changed.
fn changed(bytes: &[u8]) -> Vec<u8> {
    let mut choices = Choices::new(bytes);
    let mut object = match choices.below(2) {
        0 => {
            let catalog = catalog(&mut choices);
            let written = encode(&catalog).expect("a catalog that can be written");
            assert_eq!(decode(&written).as_ref(), Some(&catalog), "another catalog");
            written
        }
        _ => {
            let record = record(&mut choices);
            assert_eq!(Record::decode(&record.encode()).as_ref(), Some(&record), "another record");
            record.encode()
        }
    };
    while !choices.is_over() {
        let at = (choices.below(256) * 256 + choices.below(256)) % object.len();
        match choices.below(4) {
            0 => object.truncate(at.max(1)),
            1 => object[at] = 0xff,
            2 => object.splice(at..at, [choices.below(256) as u8; 9]).for_each(drop),
            _ => object[at] = choices.below(256) as u8,
        }
    }
    object
}

fn text(choices: &mut Choices<'_>) -> Str {
    choices.choose(&["a", "", "File", "/etc/a", "é\n", "a::b", "\0", "x"]).into()
}

fn reference(choices: &mut Choices<'_>) -> Reference {
    Reference { type_name: text(choices), title: text(choices) }
}

/// A value: nested, doubled, or flat.
fn value(choices: &mut Choices<'_>, depth: usize) -> Value {
    match choices.below(if depth == 0 { 7 } else { 12 }) {
        0 => Value::Undef,
        1 => Value::Default,
        2 => Value::Boolean(choices.one_in(2)),
        3 => Value::from(i64::MIN + choices.below(3) as i64),
        4 => Value::Float(choices.choose(&[0.5, -0.0, f64::INFINITY])),
        5 => Value::String(text(choices)),
        6 => reference(choices).to_value(),
        7 => {
            Value::Array((0..choices.below(4)).map(|_| value(choices, depth - 1)).collect::<Vec<_>>().into())
        }
        8 => {
            let entries =
                (0..choices.below(4)).map(|_| (value(choices, depth - 1), value(choices, depth - 1)));
            Value::Hash(std::sync::Arc::new(entries.collect::<Hash>()))
        }
        9 => Value::Sensitive(Sensitive::new(value(choices, depth - 1))),
        10 => {
            let doubled = value(choices, depth - 1);
            Value::Array(vec![doubled.clone(), doubled].into())
        }
        _ => (0..choices.below(180)).fold(Value::from(1), |inner, _| Value::Array(vec![inner].into())),
    }
}

fn catalog(choices: &mut Choices<'_>) -> Catalog {
    let texts = |choices: &mut Choices<'_>| (0..choices.below(3)).map(|_| text(choices)).collect::<Vec<_>>();
    let resource = |choices: &mut Choices<'_>| {
        let mut parameters = Named::default();
        for _ in 0..choices.below(4) {
            parameters.insert(text(choices), value(choices, 3));
        }
        Resource {
            reference: reference(choices),
            kind: [Kind::Class, Kind::DefinedType, Kind::CompilableType, Kind::Unknown][choices.below(4)],
            tags: texts(choices).into_iter().collect::<Tags>(),
            place: choices.one_in(2).then(|| Line { file: text(choices), line: 7 }),
            exported: choices.one_in(3),
            parameters,
            spellings: texts(choices),
        }
    };
    Catalog {
        name: text(choices),
        environment: text(choices),
        tags: texts(choices).into_iter().collect(),
        classes: texts(choices),
        resources: (0..choices.below(4)).map(|_| resource(choices)).collect(),
        edges: (0..choices.below(3))
            .map(|_| Edge { source: reference(choices), target: reference(choices) })
            .collect(),
        gaps: Vec::new(),
        contents: None,
    }
}

fn record(choices: &mut Choices<'_>) -> Record {
    let count = choices.below(4);
    let digest = |choices: &mut Choices<'_>| choices.one_in(2).then(|| [choices.below(256) as u8; 32]);
    let reads = (0..count).map(|_| Read {
        kind: choices.below(256) as u8,
        text: text(choices).to_string(),
        more: text(choices).to_string(),
        number: u64::MAX >> choices.below(64),
        shortcut: digest(choices),
        meaning: digest(choices),
    });
    let reads: Vec<Read> = reads.collect();
    let entries = (0..choices.below(3)).map(|_| Entry {
        node: choices.one_in(2).then(|| text(choices).to_string()),
        reads: (0..count as u32).filter(|_| choices.one_in(2)).collect(),
        extent: match choices.below(2) {
            0 => Extent::Known,
            _ => Extent::Incomplete(vec![text(choices).to_string()]),
        },
        elsewhere: (0..choices.below(2)).map(|_| text(choices).to_string()).collect(),
        catalog: choices.one_in(2).then(|| text(choices).to_string()),
    });
    Record { entries: entries.collect(), reads }
}
