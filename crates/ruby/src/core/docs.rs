//! The documentation of Puppet's own resource types and their attributes.
//!
//! `data/resource_docs.json` was recorded by `xtask/oracle/resource_types.rb docs`: the first paragraphs of each text of Puppet,
//! which is licensed under the Apache License 2.0.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde::Deserialize;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Record {
    #[expect(dead_code, reason = "says where the texts come from")]
    source: String,
    metaparameters: BTreeMap<String, String>,
    types: BTreeMap<String, TypeDocs>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct TypeDocs {
    doc: String,
    attributes: BTreeMap<String, String>,
}

static RECORD: LazyLock<Record> = LazyLock::new(|| {
    let text = include_str!("../../data/resource_docs.json");
    serde_json::from_str(text).unwrap_or_else(|error| panic!("data/resource_docs.json: {error}"))
});

/// The documentation of a resource type of Puppet, in Markdown: its first paragraphs. The name is in lower case.
pub fn type_documentation(name: &str) -> Option<&'static str> {
    RECORD.types.get(name).map(|it| &*it.doc).filter(|it| !it.is_empty())
}

/// The documentation of an attribute of a resource type of Puppet, in Markdown: its first paragraphs.
pub fn attribute_documentation(type_name: &str, name: &str) -> Option<&'static str> {
    RECORD.types.get(type_name)?.attributes.get(name).map(|it| &**it)
}

/// The documentation of a metaparameter, in Markdown: its first paragraphs.
pub fn metaparameter_documentation(name: &str) -> Option<&'static str> {
    RECORD.metaparameters.get(name).map(|it| &**it)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::{metaparameters, resource_types};

    #[test]
    fn every_type_and_metaparameter_has_a_text() {
        for it in resource_types().iter().filter(|it| !matches!(&*it.name, "component" | "whit")) {
            assert!(type_documentation(&it.name).is_some(), "{}", it.name);
        }
        for it in metaparameters() {
            assert!(metaparameter_documentation(&it.name).is_some(), "{}", it.name);
        }
    }

    #[test]
    fn texts_are_those_of_the_attributes() {
        let text = attribute_documentation("file", "mode").expect("a documented attribute");
        assert!(text.starts_with("The desired permissions mode for the file"), "{text}");
        assert_eq!(attribute_documentation("file", "port"), None);
        for (name, docs) in &RECORD.types {
            let known = resource_types().iter().find(|it| it.name == **name).expect("a recorded type");
            for attribute in docs.attributes.keys() {
                assert!(known.attribute(attribute).is_some(), "{name}: {attribute}");
            }
        }
    }
}
