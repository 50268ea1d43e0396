/// What is named, in the terms of editors.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum SymbolKind {
    /// A class.
    Class,
    /// A resource type written in Puppet.
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
    /// A key of data.
    DataKey,
    /// A module.
    Module,
    /// A file: a template, or what `puppet:///` names.
    File,
    /// A word of the language.
    Keyword,
    /// A value.
    Value,
}
