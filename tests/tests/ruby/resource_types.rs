//! Resource types.

use std::path::PathBuf;

use marotte_ruby::core;
use marotte_ruby::resource_type::{AttributeKind, ResourceType, ResourceTypes, Values, read};

use crate::corpus::{self, Share};

/// How a type that was read differs from the reference's.
fn differences(read: &ResourceType, real: &ResourceType) -> Vec<String> {
    let mut found = Vec::new();
    let mut differ = |what: &str, read: &dyn std::fmt::Debug, real: &dyn std::fmt::Debug| {
        found.push(format!("{what}: read {read:?}, reference {real:?}"));
    };
    for kind in [AttributeKind::Property, AttributeKind::Parameter] {
        let names = |it: &ResourceType| -> Vec<String> {
            let of_kind = it.attributes.iter().filter(|it| it.kind == kind);
            of_kind.map(|it| it.name.to_string()).collect()
        };
        let (read, mut real) = (names(read), names(real));
        // It is there because of a provider's file.
        real.retain(|name| name != "provider" || read.contains(name));
        if read != real {
            differ("names", &read, &real);
        }
    }
    for attribute in &read.attributes {
        if let Some(other) = real.attribute(&attribute.name) {
            let name = |what: &str| format!("{}, {what}", attribute.name);
            if attribute.values != Values::Unknown {
                if attribute.values != other.values {
                    differ(&name("values"), &attribute.values, &other.values);
                }
                if attribute.validated != other.validated {
                    differ(&name("validated"), &attribute.validated, &other.validated);
                }
            }
            if attribute.namevar != other.namevar {
                differ(&name("namevar"), &attribute.namevar, &other.namevar);
            }
            if attribute.matching != other.matching {
                differ(&name("matching"), &attribute.matching, &other.matching);
            }
            if attribute.required_features != other.required_features {
                differ(&name("features"), &attribute.required_features, &other.required_features);
            }
            if attribute.default.is_some() && attribute.default != other.default {
                differ(&name("default"), &attribute.default, &other.default);
            }
        }
    }
    if read.title_patterns.is_some() && read.title_patterns != real.title_patterns {
        differ("title patterns", &read.title_patterns, &real.title_patterns);
    }
    if read.isomorphic.is_some() && read.isomorphic != real.isomorphic {
        differ("isomorphic", &read.isomorphic, &real.isomorphic);
    }
    if read.target != real.target {
        differ("target", &read.target, &real.target);
    }
    let features =
        |it: &ResourceType| -> Vec<String> { it.features.iter().map(|it| it.name.to_string()).collect() };
    if features(read) != features(real) {
        differ("features", &features(read), &features(real));
    }
    if !read.autorelations.iter().all(|it| real.autorelations.contains(it)) {
        differ("autorelations", &read.autorelations, &real.autorelations);
    }
    found
}

/// Compares what a file declares. What is incomplete must not claim anything that isn't there.
fn compare(
    read: &ResourceTypes,
    real: &[ResourceType],
    wrong: &mut Vec<String>,
    types: &mut Share,
    values: &mut Share,
) {
    for other in real {
        let found = read.types.iter().find(|it| it.name == other.name);
        types.count(found.is_some_and(|it| it.complete));
        match found {
            Some(it) if it.complete => {
                it.attributes.iter().for_each(|it| values.count(it.values != Values::Unknown));
                wrong.extend(differences(it, other).into_iter().map(|it| format!("{}: {it}", other.name)));
            }
            Some(_) => {}
            None if read.complete => wrong.push(format!("{}: not found", other.name)),
            None => {}
        }
    }
    for it in &read.types {
        if !real.iter().any(|other| other.name == it.name) {
            wrong.push(format!("{}: is no type", it.name));
        }
    }
}

#[test]
fn types_of_the_corpus_are_those_that_the_reference_has_after_running_them() {
    let Some(tree) = corpus::corpus() else { return };
    let (mut wrong, mut types, mut values) = (Vec::new(), Share::default(), Share::default());
    let mut incomplete = Vec::new();
    for row in corpus::rows("resource_types.tsv") {
        let real: Vec<ResourceType> = serde_json::from_str(&row[1]).expect("types");
        let read = read(&corpus::read(&tree.join(&row[0])));
        let before = wrong.len();
        compare(&read, &real, &mut wrong, &mut types, &mut values);
        wrong[before..].iter_mut().for_each(|it| *it = format!("{}: {it}", row[0]));
        incomplete
            .extend((!read.complete || read.types.iter().any(|it| !it.complete)).then_some(row[0].clone()));
    }
    assert!(wrong.is_empty(), "{} wrong: {wrong:#?}", wrong.len());
    assert!(types.all > 200);
    assert!(
        types.reaches(950),
        "{} of {} types are complete, not: {incomplete:#?}",
        types.complete,
        types.all
    );
    assert!(values.reaches(980), "of {} of {} attributes the values are known", values.complete, values.all);
}

/// Needs the reference's own files: `PUPPET_LIB` names their folder.
#[test]
fn types_of_the_core_are_those_that_the_reference_has() {
    let Some(lib) = std::env::var_os("PUPPET_LIB").map(PathBuf::from) else { return };
    let (mut wrong, mut types, mut values) = (Vec::new(), Share::default(), Share::default());
    for real in core::resource_types() {
        let read = read(&corpus::read(&lib.join("puppet/type").join(format!("{}.rb", real.name))));
        compare(&read, std::slice::from_ref(real), &mut wrong, &mut types, &mut values);
    }
    assert!(wrong.is_empty(), "{} wrong: {wrong:#?}", wrong.len());
    assert!(types.all > 10);
    assert!(types.reaches(700), "{} of {} types are complete", types.complete, types.all);
}
