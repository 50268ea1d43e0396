//! The provenance of the values of a catalog: recorded during the evaluation of a node, and only on request.

use std::sync::Arc;

use marotte_catalog::{Named, Reference};
use marotte_pcore::value::Value;
use marotte_text::Str;

use super::State;
use super::relationship::Arrow;
use crate::interpreter::Tracing;
use crate::{DataTrace, Place};

/// The maximum length of a chain of traces. Earlier steps are not recorded.
const DEPTH: u32 = 100;

/// The provenance of a value.
#[derive(Clone, Debug)]
pub struct Trace {
    /// The construct that set the value.
    pub kind: TraceKind,
    /// The code that set it. None for what no code sets, such as the answer of a classifier.
    pub place: Option<Place>,
    /// The class, resource or node whose body has this code.
    pub within: Option<Reference>,
    /// The value as it was then.
    pub value: Value,
    /// The values that its evaluation read.
    pub reads: Reads,
    /// The trace of the value that it replaced, extended or passed on.
    pub before: Option<Arc<Trace>>,
    depth: u32,
}

/// A construct that sets a value.
#[derive(Clone, Debug)]
pub enum TraceKind {
    /// An attribute in a declaration.
    Attribute,
    /// An attribute that `*` unfolds from a hash.
    Unfolded,
    /// An attribute of the body `default:` of a declaration.
    BodyDefault,
    /// A default of the resource type: `File { … }`.
    TypeDefault,
    /// An override: `File['x'] { … }`. Set if it extends the value (`+>`).
    Override(bool),
    /// An override of a collector: `File <| … |> { … }`. Set if it extends the value.
    Collector(bool),
    /// A function, by its name.
    Function(&'static str),
    /// The default of a parameter.
    ParameterDefault,
    /// Data, looked up for the parameter of a class.
    Data(Arc<DataTrace>),
    /// An external node classifier.
    Classifier,
    /// A metaparameter of this container.
    Inherited(Reference),
    /// The title of a resource.
    Title,
    /// An assignment to a variable.
    Assignment,
    /// A call of a lambda: the value of its parameter.
    BlockParameter,
    /// A call of a function written in Puppet, by its name: the value of its parameter.
    FunctionParameter(Str),
}

/// The values that an evaluation read, each only once.
#[derive(Clone, Debug, Default)]
pub struct Reads {
    /// The variables and keys, in the order of the first read.
    pub all: Vec<Read>,
    /// The number of further ones, which are not recorded.
    pub more: usize,
}

/// A variable or a key of data that was read.
#[derive(Clone, Debug)]
pub struct Read {
    /// The name of the variable with the keys of its parts, such as `facts.os.family`, or the key.
    pub name: Str,
    /// The expression that read it.
    pub place: Place,
    /// The value that was read.
    pub value: Value,
    /// The source of the value.
    pub source: ReadSource,
}

/// The origin of a value that was read.
#[derive(Clone, Debug)]
pub enum ReadSource {
    /// Code that set the variable, or data.
    Set(Arc<Trace>),
    /// A fact of the node.
    Fact,
    /// A variable that the server or a classifier sets: `trusted`, `environment`, a setting, …
    Node,
}

impl Trace {
    /// Creates a trace of a value.
    pub(crate) fn new(
        kind: TraceKind,
        place: Option<Place>,
        within: Option<Reference>,
        value: Value,
        reads: Reads,
    ) -> Trace {
        let mut trace = Trace { kind, place, within, value, reads, before: None, depth: 0 };
        let sources = trace.reads.all.iter().filter_map(|it| match &it.source {
            ReadSource::Set(trace) => Some(trace.depth + 1),
            ReadSource::Fact | ReadSource::Node => None,
        });
        trace.depth = sources.max().unwrap_or_default();
        if trace.depth > DEPTH {
            trace.reads.more += trace.reads.all.len();
            trace.reads.all.clear();
            trace.depth = 0;
        }
        trace
    }

    /// Adds the trace of the value before.
    #[must_use]
    pub(crate) fn after(mut self, before: Option<Arc<Trace>>) -> Trace {
        match before {
            Some(it) if it.depth < DEPTH => {
                self.depth = self.depth.max(it.depth + 1);
                self.before = Some(it);
            }
            Some(_) => self.reads.more += 1,
            None => {}
        }
        self
    }
}

/// The origins of everything in a catalog, and of the virtual resources that are not in it.
#[derive(Clone, Debug)]
pub struct Provenance {
    /// The resources, in the order of declaration.
    pub resources: Vec<Traced>,
    /// The relationships of arrows, in order.
    pub arrows: Vec<Arrow>,
    /// Whether something was not recorded, because there was too much.
    pub is_cut: bool,
}

/// The origin of a resource.
#[derive(Clone, Debug)]
pub struct Traced {
    /// The reference to the resource.
    pub reference: Reference,
    /// Whether it is virtual, and therefore not in the catalog.
    pub is_virtual: bool,
    /// Whether it is exported.
    pub is_exported: bool,
    /// The constructs that declare it, and, for classes and virtual resources, those that include or realize it; in order.
    pub declarations: Vec<Declaration>,
    /// The attributes that are set, with their traces as far as they are recorded.
    pub attributes: Named<(Value, Option<Arc<Trace>>)>,
}

/// A construct that declares a resource.
#[derive(Clone, Debug)]
pub struct Declaration {
    /// The kind of the declaration.
    pub kind: DeclarationKind,
    /// The place of the code. None for a declaration outside of code.
    pub place: Option<Place>,
    /// The class, resource or node whose body has the code.
    pub within: Option<Reference>,
}

/// The kind of a construct that declares a resource.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DeclarationKind {
    /// A resource expression, or a function that declares resources.
    Resource,
    /// A call of a function that declares classes, by its name.
    Include(&'static str),
    /// A class that inherits from it.
    Inherits(Reference),
    /// The node definition that matches the node's name.
    Node,
    /// An external node classifier.
    Classifier,
    /// A collector, or the function `realize`, that realizes a virtual resource.
    Realized,
    /// The start of the compilation.
    Start,
}

impl State {
    /// Returns the provenance of everything in the catalog.
    pub(super) fn provenance(&self, tracing: &Tracing) -> Provenance {
        let resources = self.resources().map(|(id, it)| {
            let mut declarations = tracing.declarations(id);
            if let Some(place) = &it.place {
                let container = it.scope.container.get().map(|it| it.resource);
                let within = container.filter(|it| *it != id).map(|it| self.resource(it).reference.clone());
                let own = Declaration { kind: DeclarationKind::Resource, place: Some(place.clone()), within };
                declarations.insert(0, own);
            }
            let set = it.parameters.iter().filter(|(_, it)| it.value != Value::Undef);
            let title = it.from_title.iter().map(|(name, value)| {
                let place = it.place.clone();
                let trace = Trace::new(TraceKind::Title, place, None, value.clone(), Reads::default());
                (name.clone(), (value.clone(), Some(Arc::new(trace))))
            });
            let set = set.map(|(name, it)| (name.clone(), (it.value.clone(), it.trace.clone())));
            Traced {
                reference: it.reference.clone(),
                is_virtual: it.is_virtual,
                is_exported: it.exported,
                declarations,
                attributes: title.chain(set).collect(),
            }
        });
        Provenance { resources: resources.collect(), arrows: tracing.arrows(), is_cut: tracing.is_cut() }
    }
}
