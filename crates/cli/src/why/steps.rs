//! The steps of an explanation, as sentences with places.

use std::collections::HashSet;
use std::sync::Arc;

use marotte_catalog::Reference;
use marotte_eval::catalog::{
    Declaration, DeclarationKind, Gap, Provenance, Read, ReadSource, Reads, Trace, TraceKind, Traced,
};
use marotte_eval::{DataFound, DataTrace, Place};
use marotte_impact::Shown;
use marotte_pcore::value::Value;

/// The maximum number of steps of one explanation.
const STEPS: usize = 500;

/// The maximum number of containers that are named from a resource up to the node.
const CONTAINERS: usize = 100;

/// A step of an explanation.
pub(super) struct Step {
    /// The name of the kind of step, in kebab case.
    pub(super) kind: &'static str,
    /// A sentence without a full stop.
    pub(super) message: String,
    /// The place in the source. None if no code is responsible.
    pub(super) at: Option<At>,
    /// The number of variables between the step and the attribute.
    pub(super) depth: usize,
    /// Whether the code of the step may contain a secret, and must not be shown.
    pub(super) conceals: bool,
}

/// A place in the source.
pub(super) enum At {
    /// A place in code.
    Code(Place),
    /// A key in a data file, by the file's absolute path.
    Data(String, String),
}

/// The explanation of an attribute.
pub(super) struct Explained {
    /// The name of the attribute.
    pub(super) name: String,
    /// The value. None if it is unknown whether it is secret, because not everything that it was computed from is recorded.
    pub(super) value: Option<Shown>,
    /// The steps that led to the value, the last one first.
    pub(super) steps: Vec<Step>,
}

/// Returns the steps from a resource to the node: its declaration, the declaration of its container, and so on.
pub(super) fn declared(all: &Provenance, resource: &Traced) -> Vec<Step> {
    let mut steps = Vec::new();
    let mut seen: HashSet<&Reference> = HashSet::new();
    let mut next = Some(resource);
    while let Some(it) = next.filter(|it| seen.insert(&it.reference) && steps.len() < CONTAINERS) {
        let first = it.declarations.first();
        steps.extend(first.map(|first| declaration(it, first, false)));
        if it.reference == resource.reference {
            steps.extend(it.declarations.iter().skip(1).take(10).map(|more| declaration(it, more, true)));
        }
        let within = first.and_then(|it| it.within.as_ref());
        next = within.and_then(|it| all.resources.iter().find(|other| other.reference == *it));
    }
    steps
}

/// Returns the words for the class, resource or node whose body contains some code.
fn within(reference: Option<&Reference>) -> String {
    match reference {
        Some(it) if *it != Reference::main() => format!(" in {it}"),
        _ => String::new(),
    }
}

fn declaration(resource: &Traced, it: &Declaration, is_further: bool) -> Step {
    let reference = &resource.reference;
    let inside = within(it.within.as_ref());
    let also = if is_further { "also " } else { "" };
    let (kind, message) = match &it.kind {
        DeclarationKind::Resource if resource.is_exported => {
            ("declaration", format!("{reference} is declared{inside}, and exported"))
        }
        DeclarationKind::Resource => ("declaration", format!("{reference} is declared{inside}")),
        DeclarationKind::Include(function) => {
            (*function, format!("{reference} is {also}declared by `{function}`{inside}"))
        }
        DeclarationKind::Inherits(child) => {
            ("inherits", format!("{reference} is {also}declared because {child} inherits from it"))
        }
        DeclarationKind::Node => {
            ("node", format!("{reference} is the definition that matches the node's name"))
        }
        DeclarationKind::Classifier => ("classifier", format!("a node classifier assigns {reference}")),
        DeclarationKind::Realized => ("realize", format!("{reference} is virtual, and realized{inside}")),
        DeclarationKind::Start => ("start", format!("{reference} is in every catalog")),
    };
    Step { kind, message, at: it.place.clone().map(At::Code), depth: 0, conceals: has_secret(resource) }
}

/// Explains the value of an attribute.
pub(super) fn attribute(
    all: &Provenance,
    gaps: &[Gap],
    resource: &Traced,
    name: &str,
    depth: usize,
) -> Option<Explained> {
    let (value, trace) = resource.attributes.get(name)?;
    let mut secrecy = Secrecy::new();
    let is_secret = secrecy.of(value, trace.as_ref()) || all.is_cut;
    let conceals = is_secret || has_secret(resource);
    let mut explainer =
        Explainer { steps: Vec::new(), seen: HashSet::new(), limit: depth, is_secret, conceals, omitted: 0 };
    if let Some(by) = value.unknown() {
        let cause = by.to_string();
        let gap = gaps.iter().find(|it| it.cause.to_string() == cause);
        let reason = gap.and_then(|it| it.reason.as_deref()).map(|it| format!(": {it}")).unwrap_or_default();
        let message = format!("the value is not known, because of {cause}{reason}");
        let place = gap.and_then(|it| it.asked.places.first()).map(|(place, _)| At::Code(place.clone()));
        explainer.push("unknown", message, place, 0);
    }
    let arrows = || all.arrows.iter().filter(|it| it.parameter == name && it.source == resource.reference);
    match trace {
        Some(trace) => explainer.trace(&resource.reference, &format!("`{name}`"), trace, 0),
        None if arrows().next().is_none() && !value.has_unknown() => {
            let message = format!("`{name}` is set by the evaluation itself");
            explainer.push("evaluation", message, None, 0);
        }
        None => {}
    }
    for arrow in arrows() {
        let message = format!("an arrow{} adds {} to `{name}`", within(arrow.within.as_ref()), arrow.target);
        explainer.push("arrow", message, Some(At::Code(arrow.place.clone())), 0);
    }
    if explainer.omitted > 0 {
        let message = format!("{} more steps are not shown", explainer.omitted);
        explainer.steps.push(Step { kind: "omitted", message, at: None, depth: 0, conceals });
    }
    let value = match is_secret {
        true => secrecy.is_certain.then_some(Shown::Sensitive),
        false => Some(Shown::new(value)),
    };
    Some(Explained { name: name.to_owned(), value, steps: explainer.steps })
}

/// Returns the steps for the relationships that arrows create from other resources to this one.
pub(super) fn incoming(all: &Provenance, resource: &Traced) -> Vec<Step> {
    let arrows = all.arrows.iter().filter(|it| it.target == resource.reference).take(STEPS);
    let step = |it: &marotte_eval::catalog::Arrow| {
        let what = if it.parameter == "notify" { "notifies" } else { "comes before" };
        let inside = within(it.within.as_ref());
        let message = format!("{} {what} {}, by an arrow{inside}", it.source, resource.reference);
        Step { kind: "arrow", message, at: Some(At::Code(it.place.clone())), depth: 0, conceals: false }
    };
    arrows.map(step).collect()
}

/// Whether an attribute of a resource is secret, so that its declaration may show the secret.
fn has_secret(resource: &Traced) -> bool {
    let mut secrecy = Secrecy::new();
    resource.attributes.values().any(|(value, _)| secrecy.is_sensitive(value))
}

/// The search for secrets in values, and in the values from which they were computed.
struct Secrecy {
    /// The number of parts of values that may still be examined.
    left: usize,
    /// Whether a secret was found. Values that cannot be examined count as secret.
    is_certain: bool,
}

impl Secrecy {
    fn new() -> Secrecy {
        /// The maximum number of parts of values.
        const PARTS: usize = 10_000_000;
        Secrecy { left: PARTS, is_certain: false }
    }

    /// Whether a value is secret, or may have been computed from a secret one.
    fn of(&mut self, value: &Value, trace: Option<&Arc<Trace>>) -> bool {
        if self.is_sensitive(value) {
            return true;
        }
        let mut seen = HashSet::new();
        let mut open: Vec<&Arc<Trace>> = trace.into_iter().collect();
        while let Some(it) = open.pop() {
            if !seen.insert(Arc::as_ptr(it)) {
                continue;
            }
            let mut values = [&it.value].into_iter().chain(it.reads.all.iter().map(|it| &it.value));
            if it.reads.more > 0 || values.any(|it| self.is_sensitive(it)) {
                return true;
            }
            open.extend(it.before.iter());
            open.extend(it.reads.all.iter().filter_map(|it| match &it.source {
                ReadSource::Set(trace) => Some(trace),
                ReadSource::Fact | ReadSource::Node => None,
            }));
        }
        false
    }

    fn is_sensitive(&mut self, value: &Value) -> bool {
        let Some(left) = self.left.checked_sub(1) else { return true };
        self.left = left;
        match value {
            Value::Sensitive(_) => {
                self.is_certain = true;
                true
            }
            Value::Array(elements) => elements.iter().any(|it| self.is_sensitive(it)),
            Value::Hash(hash) => hash.iter().any(|(key, it)| self.is_sensitive(key) || self.is_sensitive(it)),
            Value::Object(object) => object.attributes.iter().any(|it| self.is_sensitive(it)),
            _ => false,
        }
    }
}

struct Explainer {
    steps: Vec<Step>,
    /// The traces that have been explained.
    seen: HashSet<*const Trace>,
    /// The maximum depth of variables that are followed.
    limit: usize,
    is_secret: bool,
    /// Whether the code may contain a secret.
    conceals: bool,
    omitted: usize,
}

impl Explainer {
    fn push(&mut self, kind: &'static str, message: String, at: Option<At>, depth: usize) {
        if self.steps.len() < STEPS {
            self.steps.push(Step { kind, message, at, depth, conceals: self.conceals });
        } else {
            self.omitted += 1;
        }
    }

    fn value(&self, value: &Value) -> String {
        /// The maximum length of a value within a sentence, in characters.
        const LENGTH: usize = 100;
        if self.is_secret {
            return "(not shown)".to_owned();
        }
        let text = Shown::new(value).to_string();
        match text.char_indices().nth(LENGTH) {
            Some((end, _)) => format!("{}…", &text[..end]),
            None => text,
        }
    }

    /// Explains a value that is called `name` in sentences.
    fn trace(&mut self, owner: &Reference, name: &str, trace: &Arc<Trace>, depth: usize) {
        if !self.seen.insert(Arc::as_ptr(trace)) {
            return self.push("seen", format!("{name} is explained above"), None, depth);
        }
        if self.steps.len() >= STEPS {
            self.omitted += 1;
            return;
        }
        let inside = within(trace.within.as_ref());
        let shown = self.value(&trace.value);
        let (kind, message) = match &trace.kind {
            TraceKind::Attribute => {
                ("attribute", format!("{name} is set in the declaration{inside}: {shown}"))
            }
            TraceKind::Unfolded => {
                ("unfolded", format!("{name} is an entry of the hash that `*` unfolds{inside}: {shown}"))
            }
            TraceKind::BodyDefault => (
                "body-default",
                format!("{name} is set by the body `default:` of the declaration{inside}: {shown}"),
            ),
            TraceKind::TypeDefault => {
                let type_name = &owner.type_name;
                ("type-default", format!("{name} is a default of `{type_name}`{inside}: {shown}"))
            }
            TraceKind::Override(extends) => {
                let what = if *extends { "extends" } else { "sets" };
                ("override", format!("an override{inside} {what} {name}: {shown}"))
            }
            TraceKind::Collector(extends) => {
                let what = if *extends { "extends" } else { "sets" };
                ("collector", format!("an override of a collector{inside} {what} {name}: {shown}"))
            }
            TraceKind::Function(function) => {
                ("function", format!("{name} is set by a call of `{function}`{inside}: {shown}"))
            }
            TraceKind::ParameterDefault => {
                ("parameter-default", format!("{name} has the default of the parameter{inside}: {shown}"))
            }
            TraceKind::Data(data) => return self.data(owner, name, trace, data, depth),
            TraceKind::Classifier => ("classifier", format!("{name} is set by a node classifier: {shown}")),
            TraceKind::Inherited(from) => ("inherited", format!("{name} is inherited from {from}: {shown}")),
            TraceKind::Title => ("title", format!("{name} follows from the title: {shown}")),
            TraceKind::Assignment => ("assignment", format!("{name} is assigned{inside}: {shown}")),
            TraceKind::BlockParameter => {
                ("lambda-parameter", format!("{name} is a parameter of a lambda{inside}: {shown}"))
            }
            TraceKind::FunctionParameter(function) => {
                ("function-parameter", format!("{name} is a parameter of the function `{function}`: {shown}"))
            }
        };
        self.push(kind, message, trace.place.clone().map(At::Code), depth);
        self.reads(owner, &trace.reads, depth + 1);
        self.before(owner, name, trace, depth);
    }

    fn before(&mut self, owner: &Reference, name: &str, trace: &Trace, depth: usize) {
        let Some(before) = &trace.before else { return };
        let name = match &trace.kind {
            TraceKind::Inherited(from) => format!("{name} of {from}"),
            _ if name.starts_with("the earlier ") => name.to_owned(),
            _ => format!("the earlier {name}"),
        };
        self.trace(owner, &name, before, depth);
    }

    /// Explains a value that a lookup found.
    fn data(&mut self, owner: &Reference, name: &str, trace: &Trace, data: &DataTrace, depth: usize) {
        let DataTrace { key, merge, has_options, found, interpolated, more } = data;
        let shown = self.value(&trace.value);
        let how = match merge {
            Some(merge) if *has_options => format!(", merged by `{merge}` of `lookup_options`"),
            Some(merge) => format!(", merged by `{merge}`"),
            None => String::new(),
        };
        let looked = match name == format!("`{key}`") {
            true => format!("the key `{key}` of data"),
            false => format!("{name} is the value of the key `{key}` of data"),
        };
        match found.is_empty() {
            true => self.push("data", format!("the key `{key}` is not in data"), None, depth),
            false => self.push("data", format!("{looked}{how}: {shown}"), None, depth),
        }
        for DataFound { key: found, layer, level, path } in found {
            let layer = layer.split(" Data Provider").next().unwrap_or_default();
            let layer = layer.to_lowercase();
            let level = level.trim_start_matches("Hierarchy entry ").replace('"', "`");
            let message = format!("`{found}` is in the level {level} of the {layer} layer");
            let at = path.as_ref().map(|path| At::Data(path.to_string(), found.to_string()));
            self.push("data-level", message, at, depth);
        }
        if !self.is_secret {
            for text in interpolated {
                let message = format!("expressions are replaced in {}", self.value(&Value::from(&**text)));
                self.push("data-interpolation", message, None, depth);
            }
        }
        if *more > 0 {
            self.push("omitted", format!("{more} more levels are not shown"), None, depth);
        }
        self.reads(owner, &trace.reads, depth + 1);
    }

    fn reads(&mut self, owner: &Reference, reads: &Reads, depth: usize) {
        let count = reads.all.len() + reads.more;
        if count > 0 && depth > self.limit {
            let what = if count == 1 { "value that it reads is" } else { "values that it reads are" };
            let message = format!("{count} {what} not followed (`--depth`)");
            return self.push("omitted", message, None, depth);
        }
        for read in &reads.all {
            self.read(owner, read, depth);
        }
        if reads.more > 0 {
            self.push(
                "omitted",
                format!("{} more values that it reads are not recorded", reads.more),
                None,
                depth,
            );
        }
    }

    fn read(&mut self, owner: &Reference, read: &Read, depth: usize) {
        let Read { name, value, source, .. } = read;
        let shown = self.value(value);
        match source {
            ReadSource::Fact => self.push("fact", format!("`${name}` is a fact: {shown}"), None, depth),
            ReadSource::Node => {
                let message = format!("`${name}` is set for the node: {shown}");
                self.push("node-variable", message, None, depth);
            }
            ReadSource::Set(trace) => {
                let name = match &trace.kind {
                    TraceKind::Data(data) if data.key == *name => format!("`{name}`"),
                    _ => format!("`${name}`"),
                };
                self.trace(owner, &name, trace, depth);
            }
        }
    }
}
