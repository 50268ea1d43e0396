//! A catalog is read as it was written, or not at all.

use std::sync::Arc;

use marotte_cache::{decode, encode, has_sensitive};
use marotte_catalog::{Catalog, Edge, Gap, Kind, Line, Reference, Resource, Site, Tags};
use marotte_pcore::binary::Binary;
use marotte_pcore::value::{Hash, Sensitive, Unknown, UnknownSource, Value};

fn sample(value: Value) -> Catalog {
    let line = Line { file: "manifests/site.pp".into(), line: 3 };
    let site = Site { line: Some(line.clone()), count: 2 };
    let resource = Resource {
        reference: Reference::new("file", "/a"),
        kind: Kind::CompilableType,
        tags: ["file".into(), "class".into()].into_iter().collect::<Tags>(),
        place: Some(line),
        exported: true,
        parameters: [("content".into(), value)].into_iter().collect(),
        spellings: Vec::new(),
    };
    Catalog {
        name: "web1".into(),
        environment: "production".into(),
        tags: ["settings".into()].into_iter().collect(),
        classes: vec!["settings".into()],
        exports: vec![Resource {
            reference: Reference::new("file", "/b"),
            parameters: [("mode".into(), "0600".into())].into_iter().collect(),
            ..resource.clone()
        }],
        export_edges: vec![Edge { source: Reference::class("a"), target: Reference::new("file", "/b") }],
        lacks_imports: true,
        resources: vec![resource],
        edges: vec![Edge { source: Reference::main(), target: Reference::new("file", "/a") }],
        gaps: vec![Gap { cause: "x".into(), reason: None, asked: vec![site], skipped: Vec::new() }],
        contents: None,
    }
}

fn values() -> Vec<Value> {
    let hash: Hash = [("b".into(), 1.into()), ("a".into(), Value::Undef)].into_iter().collect();
    vec![
        Value::Undef,
        Value::Default,
        true.into(),
        Value::from(i64::MIN),
        Value::Float(-0.0),
        "text".into(),
        Value::Array(vec![Value::from("x"), Value::from(2)].into()),
        Value::Hash(Arc::new(hash)),
        Value::Sensitive(Sensitive::new("hunter2".into())),
        Reference::new("service", "sshd").to_value(),
        Reference::class("a::b").to_value(),
    ]
}

#[test]
fn a_catalog_is_read_as_it_was_written() {
    for value in values() {
        let catalog = sample(value.clone());
        let bytes = encode(&catalog).unwrap();
        let read = decode(&bytes).unwrap();
        assert_eq!(read, catalog);
        // Equality ignores the order of hashes and the sign of zero.
        assert_eq!(format!("{read:?}"), format!("{catalog:?}"));
        for end in 0..bytes.len() {
            assert_eq!(decode(&bytes[..end]), None);
        }
    }
}

#[test]
fn what_cannot_be_written_is_not() {
    let unknown = Unknown::new(UnknownSource::InlineTemplate);
    assert_eq!(encode(&sample(Value::Unknown(unknown))), None);
    assert_eq!(encode(&sample(Value::Binary(Binary::from(vec![1])))), None);
}

#[test]
fn secrets_are_found_wherever_they_are() {
    let secret = Value::Sensitive(Sensitive::new(1.into()));
    assert!(has_sensitive(&sample(secret.clone())));
    assert!(has_sensitive(&sample(Value::Array(vec![secret].into()))));
    assert!(!has_sensitive(&sample("text".into())));
}

#[test]
fn hostile_bytes_are_no_catalog() {
    const ARRAY: [u8; 2] = [7, 1];
    let nested = |depth| sample((0..depth).fold(Value::Undef, |it, _| Value::Array(vec![it].into())));
    let bytes = encode(&nested(100)).unwrap();
    let arrays = ARRAY.repeat(100);
    let at = bytes.windows(arrays.len()).position(|it| it == arrays).unwrap();
    let deeper = |more: usize| [&bytes[..at], &ARRAY.repeat(more), &bytes[at..]].concat();
    assert_eq!(decode(&deeper(100)), Some(nested(200)));
    for more in [101, 300, 1_000_000] {
        assert_eq!(decode(&deeper(more)), None, "{more}");
    }
}

#[test]
fn what_is_written_is_read() {
    for depth in [200, 201, 400] {
        let nested = sample((0..depth).fold(Value::Undef, |it, _| Value::Array(vec![it].into())));
        assert_eq!(
            encode(&nested).map(|it| decode(&it).is_some()),
            (depth <= 200).then_some(true),
            "{depth}"
        );
    }
}

#[test]
fn what_is_read_can_be_written() {
    let written = encode(&sample(Reference::new("service", "sshd").to_value())).unwrap();
    for at in 0..written.len() {
        for byte in 0..=u8::MAX {
            let mut damaged = written.clone();
            damaged[at] = byte;
            if let Some(catalog) = decode(&damaged) {
                assert!(encode(&catalog).is_some(), "byte {at} is {byte}");
            }
        }
    }
}
