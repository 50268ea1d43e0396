use foldhash::fast::RandomState;
use indexmap::IndexMap;
use marotte_pcore::value::Value;
use marotte_text::Str;

use crate::{Gap, Reference, Tags};

/// Something by name, in order. The hasher is seeded anew for each, so that nobody can prepare names that collide.
pub type Named<T> = IndexMap<Str, T, RandomState>;

/// A catalog. `P` says where resources are declared: what an evaluation knows, or the [`Line`] that is shown.
#[derive(Clone, Debug, PartialEq)]
pub struct Catalog<P = Line> {
    /// The node.
    pub name: Str,
    /// Its environment.
    pub environment: Str,
    /// Tags of the classes and of the node.
    pub tags: Tags,
    /// The classes, nodes among them, in the order in which they were evaluated.
    pub classes: Vec<Str>,
    /// In the order in which they were declared.
    pub resources: Vec<Resource<P>>,
    /// Which resource contains which, in the order of what is contained.
    pub edges: Vec<Edge>,
    /// What keeps it from being known to the end. Where there is something, whatever is not in it is not known: resources, edges,
    /// tags, classes and parameters may be missing, and the order of resources may be another.
    pub gaps: Vec<Gap>,
}

/// A resource of a catalog.
#[derive(Clone, Debug, PartialEq)]
pub struct Resource<P = Line> {
    /// What it is.
    pub reference: Reference,
    /// Where its type comes from.
    pub kind: Kind,
    /// Its tags.
    pub tags: Tags,
    /// Where it is declared. None for classes that were included, and for what nobody declares.
    pub place: Option<P>,
    /// Whether other nodes may collect it.
    pub exported: bool,
    /// Its attributes. Those that are `Sensitive` are not shown; what catalogs on the wire say in clear is only there.
    pub parameters: Named<Value>,
}

/// Where the type of a resource comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A class that was declared like a resource.
    Class,
    /// A type written in Puppet.
    DefinedType,
    /// A type of the language itself or written in Ruby.
    CompilableType,
    /// A class that was included, or a node.
    Unknown,
}

impl Kind {
    /// Its name on the wire.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Class => "class",
            Kind::DefinedType => "defined_type",
            Kind::CompilableType => "compilable_type",
            Kind::Unknown => "unknown",
        }
    }

    /// The kind of a name on the wire.
    pub fn by_name(name: &str) -> Option<Kind> {
        [Kind::Class, Kind::DefinedType, Kind::CompilableType, Kind::Unknown]
            .into_iter()
            .find(|it| it.name() == name)
    }
}

/// That a resource contains another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edge {
    /// What contains.
    pub source: Reference,
    /// What is contained.
    pub target: Reference,
}

/// A line of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// The path.
    pub file: Str,
    /// From 1.
    pub line: u32,
}

impl<P> Catalog<P> {
    /// The same with other places.
    pub fn map_places<Q>(self, mut place: impl FnMut(P) -> Option<Q>) -> Catalog<Q> {
        let resources = self.resources.into_iter().map(|it| Resource {
            reference: it.reference,
            kind: it.kind,
            tags: it.tags,
            place: it.place.and_then(&mut place),
            exported: it.exported,
            parameters: it.parameters,
        });
        Catalog {
            name: self.name,
            environment: self.environment,
            tags: self.tags,
            classes: self.classes,
            resources: resources.collect(),
            edges: self.edges,
            gaps: self.gaps,
        }
    }
}
