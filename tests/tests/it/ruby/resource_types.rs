//! Resource types.

use std::fmt::Debug;
use std::path::PathBuf;

use marotte_ruby::core;
use marotte_ruby::resource_type::{Attribute, AttributeKind, ResourceType, ResourceTypes, Values, read};

use crate::ruby::corpus::{self, Share};

fn differ(found: &mut Vec<String>, what: &str, read: &dyn Debug, real: &dyn Debug) {
    found.push(format!("{what}: read {read:?}, reference {real:?}"));
}

/// Returns the differences between an attribute that was read and the reference's. For types of the Resource API, the
/// reference has a type that resembles the declared one.
fn attribute_differences(read: &Attribute, real: &Attribute) -> Vec<String> {
    let mut found = Vec::new();
    let mut check = |what: &str, read: &dyn Debug, real: &dyn Debug| {
        let (read, real) = (format!("{read:?}"), format!("{real:?}"));
        if read != real {
            found.push(format!("{what}: read {read}, reference {real}"));
        }
    };
    let typed = matches!(read.values, Values::Type(_));
    if read.values != Values::Unknown && !typed {
        check("values", &read.values, &real.values);
        check("validated", &read.validated, &real.validated);
    }
    check("namevar", &read.namevar, &real.namevar);
    check("matching", &read.matching, &real.matching);
    check("required features", &read.required_features, &real.required_features);
    if read.default.is_some() && !typed {
        check("default", &read.default, &real.default);
    }
    found.into_iter().map(|it| format!("{}: {it}", read.name)).collect()
}

/// Returns the differences between a type that was read and the reference's.
fn differences(read: &ResourceType, real: &ResourceType) -> Vec<String> {
    let mut found = Vec::new();
    for kind in [AttributeKind::Property, AttributeKind::Parameter] {
        let names = |it: &ResourceType| -> Vec<String> {
            let alike =
                |other| other == kind || (other, kind) == (AttributeKind::ReadOnly, AttributeKind::Parameter);
            let of_kind = it.attributes.iter().filter(|it| alike(it.kind));
            of_kind.map(|it| it.name.to_string()).collect()
        };
        let (read, mut real) = (names(read), names(real));
        // It exists because of a provider's file.
        real.retain(|name| name != "provider" || read.contains(name));
        if read != real {
            differ(&mut found, "names", &read, &real);
        }
    }
    for attribute in &read.attributes {
        if let Some(other) = real.attribute(&attribute.name) {
            found.extend(attribute_differences(attribute, other));
        }
    }
    if read.title_patterns.is_some() && read.title_patterns != real.title_patterns {
        differ(&mut found, "title patterns", &read.title_patterns, &real.title_patterns);
    }
    if read.isomorphic.is_some() && read.isomorphic != real.isomorphic {
        differ(&mut found, "isomorphic", &read.isomorphic, &real.isomorphic);
    }
    if read.target != real.target {
        differ(&mut found, "target", &read.target, &real.target);
    }
    let features =
        |it: &ResourceType| -> Vec<String> { it.features.iter().map(|it| it.name.to_string()).collect() };
    let typed = read.attributes.iter().any(|it| matches!(it.values, Values::Type(_)));
    if !typed && features(read) != features(real) {
        differ(&mut found, "features", &features(read), &features(real));
    }
    if !read.autorelations.iter().all(|it| real.autorelations.contains(it)) {
        differ(&mut found, "autorelations", &read.autorelations, &real.autorelations);
    }
    found
}

/// Compares the declarations of a file. Incomplete ones must not claim anything that doesn't exist.
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
            wrong.push(format!("{}: is not a type", it.name));
        }
    }
}

#[test]
fn types_of_the_corpus_are_those_that_the_reference_has_after_running_them() {
    let Some(record) = corpus::of_the_corpus() else { return };
    let (mut wrong, mut types, mut values) = (Vec::new(), Share::default(), Share::default());
    let mut incomplete = Vec::new();
    for row in record.rows("resource_types.tsv") {
        let real: Vec<ResourceType> = serde_json::from_str(&row.answer.expect("an answer")).expect("types");
        let read = read(&row.text);
        let before = wrong.len();
        compare(&read, &real, &mut wrong, &mut types, &mut values);
        wrong[before..].iter_mut().for_each(|it| *it = format!("{}: {it}", row.path));
        incomplete.extend((!read.complete || read.types.iter().any(|it| !it.complete)).then_some(row.path));
    }
    assert!(wrong.is_empty(), "{} wrong: {wrong:#?}", wrong.len());
    assert!(types.all > 200);
    assert!(
        types.reaches(960),
        "{} of {} types are complete, not: {incomplete:#?}",
        types.complete,
        types.all
    );
    // Parameters that include modules have unknown values.
    assert!(values.reaches(985), "of {} of {} attributes the values are known", values.complete, values.all);
}

#[test]
fn types_of_the_examples_are_those_that_the_reference_has_after_running_them() {
    let (mut wrong, mut types, mut values) = (Vec::new(), Share::default(), Share::default());
    for row in corpus::of_the_examples().rows("resource_types.tsv") {
        let real: Vec<ResourceType> =
            serde_json::from_str(row.answer.as_ref().expect("an answer")).expect("types");
        let read = read(&row.text);
        compare(&read, &real, &mut wrong, &mut types, &mut values);
        let complete = |it: &ResourceType| it.complete != row.says_incomplete();
        assert!(read.types.iter().all(complete), "{}: {read:#?}", row.path);
        assert!(!read.complete || read.types.len() == real.len(), "{}", row.path);
    }
    assert!(wrong.is_empty(), "{} wrong: {wrong:#?}", wrong.len());
}

#[test]
fn values_that_must_be_run_are_unknown() {
    let rows = corpus::of_the_examples().rows("resource_types.tsv");
    let row = rows.iter().find(|row| row.path.ends_with("clever_values.rb")).expect("an example");
    let found = read(&row.text);
    let [found] = &found.types[..] else { panic!("{found:?}") };
    let known = found.attributes.iter().filter(|it| it.values != Values::Unknown);
    assert_eq!(known.map(|it| it.name.as_str()).collect::<Vec<_>>(), ["name"]);
}

#[test]
fn additions_to_other_types_are_told_apart() {
    let rows = corpus::of_the_examples().rows("resource_types.tsv");
    let row = rows.iter().find(|row| row.path.ends_with("additions.rb")).expect("an example");
    let found = read(&row.text);
    let [addition] = &found.additions[..] else { panic!("{found:?}") };
    assert!(addition.complete && addition.resource_type == "notify");
    let names = addition.attributes.iter().map(|it| it.name.as_str());
    assert_eq!(names.collect::<Vec<_>>(), ["example_color", "example_size"]);
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
    assert!(types.reaches(780), "{} of {} types are complete", types.complete, types.all);
}

/// Most attributes of files are declared in separate files.
#[test]
fn additions_of_the_core_are_those_that_the_reference_has() {
    let Some(lib) = std::env::var_os("PUPPET_LIB").map(PathBuf::from) else { return };
    let real = core::resource_type("file").expect("a type of the core");
    for name in ["content", "ensure", "mode", "owner", "selcontext", "source"] {
        let found = read(&corpus::read(&lib.join(format!("puppet/type/file/{name}.rb"))));
        let [addition] = &found.additions[..] else { panic!("{name}: {found:?}") };
        assert!(!addition.attributes.is_empty());
        let wrong: Vec<String> = addition
            .attributes
            .iter()
            .flat_map(|it| match real.attribute(&it.name) {
                Some(other) => attribute_differences(it, other),
                None => vec![format!("{}: is not an attribute", it.name)],
            })
            .collect();
        assert!(wrong.is_empty(), "{wrong:#?}");
    }
}
