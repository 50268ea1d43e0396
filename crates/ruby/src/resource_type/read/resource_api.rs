//! `Puppet::ResourceApi.register_type(name: …, attributes: …)`.

use marotte_text::Str;

use super::super::model::{
    Attribute, AttributeKind, Autorelation, Feature, Relation, ResourceType, Target, TitlePattern, Values,
};
use super::{empty, is_deprecated, title_patterns};
use crate::evaluate::{Scope, Value, scrub};
use crate::syntax::Call;

/// Reads the type that a call registers. `None` if its name is unknown.
pub(super) fn register_type(scope: &mut Scope<'_>, call: &Call) -> Option<ResourceType> {
    let definition = match &call.arguments[..] {
        [definition] => scope.value(definition),
        _ => Value::Unknown,
    };
    let mut found = empty(definition.get("name").text()?.clone());
    found.doc = definition.get("desc").text().or(definition.get("docs").text()).map(|doc| scrub(doc).into());
    features(&mut found, definition.get("features"));
    autorelations(&mut found, &definition);
    let Value::Hash(attributes) = definition.get("attributes") else {
        found.complete = false;
        return Some(found);
    };
    for (name, options) in attributes {
        match name.text().and_then(|name| attribute(name, options)) {
            Some(attribute) => found.attributes.push(attribute),
            None => found.complete = false,
        }
    }
    if let Some(index) = found.attributes.iter().position(|it| it.name == "ensure") {
        let ensure = found.attributes.remove(index);
        found.attributes.insert(0, ensure);
    }
    found.title_patterns = match definition.get("title_patterns") {
        Value::Nil if found.complete => usual_patterns(&found),
        Value::Array(patterns) => patterns.iter().map(pattern).collect(),
        _ => None,
    };
    Some(found)
}

fn features(found: &mut ResourceType, features: &Value) {
    let Value::Array(features) = features else { return };
    for name in features.iter().filter_map(Value::text) {
        if name == "remote_resource" {
            found.target = Target::Device;
        }
        found.features.push(Feature { name: name.clone(), doc: None });
    }
}

fn autorelations(found: &mut ResourceType, definition: &Value) {
    let relations = [
        ("autorequire", Relation::Require),
        ("autobefore", Relation::Before),
        ("autosubscribe", Relation::Subscribe),
        ("autonotify", Relation::Notify),
    ];
    for (key, relation) in relations {
        let Value::Hash(types) = definition.get(key) else { continue };
        for name in types.iter().filter_map(|(name, _)| name.text()) {
            found.autorelations.push(Autorelation { relation, resource_type: name.to_lowercase() });
        }
    }
}

/// Reads an attribute. `None` if its kind is unknown.
fn attribute(name: &Str, options: &Value) -> Option<Attribute> {
    let behaviour = match (options.get("behaviour"), options.get("behavior")) {
        (Value::Nil, other) => other,
        (behaviour, _) => behaviour,
    };
    let (kind, namevar) = match behaviour {
        Value::Nil => (AttributeKind::Property, false),
        Value::Symbol(behaviour) => match behaviour.as_str() {
            "namevar" => (AttributeKind::Parameter, true),
            "parameter" => (AttributeKind::Parameter, false),
            "read_only" => (AttributeKind::ReadOnly, false),
            "init_only" => (AttributeKind::Property, false),
            _ => return None,
        },
        _ => return None,
    };
    let mut attribute = Attribute::new(name.clone(), kind);
    attribute.namevar = namevar || (kind == AttributeKind::Parameter && name == "name");
    attribute.values = options.get("type").text().map_or(Values::Unknown, |text| Values::Type(text.clone()));
    attribute.default = match options.get("default") {
        Value::Nil => None,
        value => value.to_text(),
    };
    attribute.doc = options.get("desc").text().map(|doc| scrub(doc).into());
    attribute.deprecated = attribute.doc.as_deref().is_some_and(is_deprecated);
    Some(attribute)
}

/// The default patterns: the whole title is the first namevar.
fn usual_patterns(found: &ResourceType) -> Option<Vec<TitlePattern>> {
    let mut first = found.clone();
    let namevar = first.attributes.iter().position(|it| it.namevar)?;
    first.attributes = vec![first.attributes.swap_remove(namevar)];
    title_patterns::usual(&first)
}

/// Reads `{ pattern: /…(?<attribute>…)/, desc: … }`.
fn pattern(value: &Value) -> Option<TitlePattern> {
    let Value::Regexp(regexp) = value.get("pattern") else { return None };
    let groups = regexp.source.split("(?<").skip(1).filter_map(|rest| rest.split_once('>'));
    // Lookbehinds start the same way.
    let attributes = groups.map(|(name, _)| name).filter(|name| !name.starts_with(['=', '!']));
    Some(TitlePattern { regexp: regexp.clone(), attributes: attributes.map(Str::from).collect() })
}
