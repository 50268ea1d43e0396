/// The kind of a symbol, in editors' terms.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum SymbolKind {
    /// The symbol is a class.
    Class,
    /// A resource type written in Puppet (defined type).
    Define,
    /// A resource type written in Ruby.
    ResourceType,
    /// The symbol is a function.
    Function,
    /// A data type, or an alias of one.
    DataType,
    /// The symbol is a plan.
    Plan,
    /// The symbol is a node definition.
    Node,
    /// The symbol is a parameter.
    Parameter,
    /// The symbol is a variable.
    Variable,
    /// A resource that code declares.
    Resource,
    /// An attribute of resources.
    Attribute,
    /// A fact, or a part of one.
    Fact,
    /// The symbol is a key of data.
    DataKey,
    /// The symbol is a module.
    Module,
    /// A file: a template, or the target of a `puppet:///` URL.
    File,
    /// The symbol is a keyword.
    Keyword,
    /// The symbol is a literal value.
    Value,
}
