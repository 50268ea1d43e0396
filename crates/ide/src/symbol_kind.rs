/// The kind of a symbol, in editors' terms.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum SymbolKind {
    /// A class.
    Class,
    /// A resource type written in Puppet (defined type).
    Define,
    /// A resource type written in Ruby.
    ResourceType,
    /// A function.
    Function,
    /// A data type, or an alias of one.
    DataType,
    /// A plan.
    Plan,
    /// A node.
    Node,
    /// A parameter.
    Parameter,
    /// A variable.
    Variable,
    /// A declared resource.
    Resource,
    /// An attribute of resources.
    Attribute,
    /// A fact, or a part of one.
    Fact,
    /// A data key.
    DataKey,
    /// A module.
    Module,
    /// A file: a template, or the target of a `puppet:///` URL.
    File,
    /// A keyword.
    Keyword,
    /// A value.
    Value,
}
