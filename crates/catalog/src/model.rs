use std::sync::Arc;

use foldhash::fast::RandomState;
use indexmap::IndexMap;
use marotte_pcore::value::Value;
use marotte_text::Str;

use crate::{Contents, Gap, Reference, Tags};

/// A map from names, in insertion order. The hasher of each map has its own random seed, so that colliding names can't
/// be prepared.
pub type Named<T> = IndexMap<Str, T, RandomState>;

/// A catalog. `P` is the type of declaration places: a position of the evaluation, or the [`Line`] that is shown.
#[derive(Clone, Debug, PartialEq)]
pub struct Catalog<P = Line> {
    /// The name of the node.
    pub name: Str,
    /// The name of the environment.
    pub environment: Str,
    /// The tags of the classes and of the node.
    pub tags: Tags,
    /// The classes, including nodes, in the order of evaluation.
    pub classes: Vec<Str>,
    /// The resources, in the order of declaration.
    pub resources: Vec<Resource<P>>,
    /// The resources that the node only exports, for other nodes to collect: the agent doesn't receive them, and no format of
    /// catalogs has them. In the order of declaration.
    pub exports: Vec<Resource<P>>,
    /// The containment edges of the exported resources, in their order.
    pub export_edges: Vec<Edge>,
    /// Whether exported resources were to be collected, and there was no PuppetDB to ask for them.
    pub lacks_imports: bool,
    /// The containment edges, in the order of the contained resources.
    pub edges: Vec<Edge>,
    /// The reasons why the catalog is incomplete. If there are any, nothing can be concluded from the absence of a part:
    /// resources, edges, tags, classes and parameters may be missing, and the order of resources may differ.
    pub gaps: Vec<Gap>,
    /// The contents of the files that agents fetch for resources. `None` unless they were looked up. No format of catalogs has them.
    pub contents: Option<Arc<Contents>>,
}

/// A resource of a catalog.
#[derive(Clone, Debug, PartialEq)]
pub struct Resource<P = Line> {
    /// The type and title.
    pub reference: Reference,
    /// The origin of its type.
    pub kind: Kind,
    /// The tags of the resource.
    pub tags: Tags,
    /// The place of the declaration. `None` for included classes, and for resources that have no declaration.
    pub place: Option<P>,
    /// Whether it is exported, so that other nodes may collect it.
    pub exported: bool,
    /// The attributes. `Sensitive` ones aren't shown; only catalogs in the wire format contain them in plain text.
    pub parameters: Named<Value>,
    /// The names of sensitive parameters as their definition spells them, where that is not in lower case.
    pub spellings: Vec<Str>,
}

/// The origin of a resource's type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A class that was declared with resource syntax.
    Class,
    /// A type written in Puppet.
    DefinedType,
    /// A type of the language itself or written in Ruby.
    CompilableType,
    /// A class that was included, or a node.
    Unknown,
}

impl Kind {
    /// Returns the name of the kind in the wire format.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Class => "class",
            Kind::DefinedType => "defined_type",
            Kind::CompilableType => "compilable_type",
            Kind::Unknown => "unknown",
        }
    }

    /// Returns the kind with a name in the wire format.
    pub fn by_name(name: &str) -> Option<Kind> {
        [Kind::Class, Kind::DefinedType, Kind::CompilableType, Kind::Unknown]
            .into_iter()
            .find(|it| it.name() == name)
    }
}

/// A containment edge, from a container to a resource that it contains.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edge {
    /// The container of the edge.
    pub source: Reference,
    /// The resource that the container contains.
    pub target: Reference,
}

/// A line of a file.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Line {
    /// The path of the file.
    pub file: Str,
    /// The line number, from 1.
    pub line: u32,
}

impl<P> Catalog<P> {
    /// Returns the sources of files whose contents are not in the code tree, sorted. Empty if the contents were not looked up.
    pub fn elsewhere(&self) -> Vec<Str> {
        self.contents.iter().flat_map(|it| &it.elsewhere).cloned().collect()
    }

    /// Returns the catalog with converted places.
    pub fn map_places<Q>(self, mut place: impl FnMut(P) -> Option<Q>) -> Catalog<Q> {
        let mut resource = |it: Resource<P>| Resource {
            reference: it.reference,
            kind: it.kind,
            tags: it.tags,
            place: it.place.and_then(&mut place),
            exported: it.exported,
            parameters: it.parameters,
            spellings: it.spellings,
        };
        Catalog {
            name: self.name,
            environment: self.environment,
            tags: self.tags,
            classes: self.classes,
            resources: self.resources.into_iter().map(&mut resource).collect(),
            exports: self.exports.into_iter().map(&mut resource).collect(),
            export_edges: self.export_edges,
            lacks_imports: self.lacks_imports,
            edges: self.edges,
            gaps: self.gaps,
            contents: self.contents,
        }
    }
}
