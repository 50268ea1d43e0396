use std::cell::{Cell, OnceCell};
use std::collections::hash_map::Entry;
use std::rc::Rc;

use foldhash::{HashMap, HashSet};
use marotte_diagnostics::issues;
use marotte_hir::ExprId;
use marotte_hir::body::Parameter as Declared;
use marotte_pcore::regexp::Regexp;
use marotte_pcore::types::StructElement;
use marotte_text::Str;

use super::instance::ResourceKind;
use super::metaparameters;
use crate::{Code, EvaluationError, Place};

/// A class, a defined type or a node definition.
pub(crate) struct Definition {
    pub(crate) kind: DefinitionKind,
    /// The name in lower case. Empty for the code outside of all definitions.
    pub(crate) name: Str,
    /// The module that it belongs to; empty in main manifests.
    pub(crate) module: Option<Str>,
    /// The parent class, in lower case.
    pub(crate) parent: Option<Str>,
    /// The code to evaluate, in order; only the heads of bodies that are loaded on demand.
    pub(crate) code: Vec<Code>,
    /// The complete code, once it has been evaluated.
    pub(crate) whole: OnceCell<Vec<Code>>,
    /// The place of the definition.
    pub(crate) place: Option<Place>,
    /// The accepted parameters with their types: the declared ones and the metaparameters.
    pub(crate) accepts: Vec<StructElement>,
    /// Whether collectors in it have overridden something: from then on its overrides take precedence over all others (F27).
    pub(crate) overrides_everything: Cell<bool>,
}

/// The kind of a [`Definition`].
#[derive(Clone, Debug)]
pub(crate) enum DefinitionKind {
    /// A class. The code outside of all definitions counts as one, and so do the settings.
    Class,
    /// A defined type: `define name { … }`.
    Define,
    /// A node definition, by name or by a pattern of names; the number counts the expressions of the body that node
    /// names are matched with.
    Node(Option<Regexp>, usize),
}

/// The kind of a definition that is looked up by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Wanted {
    Class,
    Define,
}

impl Definition {
    /// Returns a class without code.
    pub(crate) fn empty_class(name: &str) -> Definition {
        Definition {
            kind: DefinitionKind::Class,
            name: name.into(),
            module: None,
            parent: None,
            code: Vec::new(),
            whole: OnceCell::new(),
            place: None,
            accepts: metaparameters::accepted(),
            overrides_everything: Cell::new(false),
        }
    }

    pub(crate) fn is_class(&self) -> bool {
        matches!(self.kind, DefinitionKind::Class)
    }

    pub(crate) fn is_define(&self) -> bool {
        matches!(self.kind, DefinitionKind::Define)
    }

    pub(crate) fn is_node(&self) -> bool {
        matches!(self.kind, DefinitionKind::Node(..))
    }

    /// Whether it is the code outside of all definitions.
    pub(crate) fn is_main(&self) -> bool {
        self.is_class() && self.name.is_empty()
    }

    /// Returns the declared parameters of the class or defined type.
    pub(crate) fn parameters(&self) -> &[Declared] {
        match (&self.kind, self.code.first()) {
            (DefinitionKind::Node(..), _) | (_, None) => &[],
            (_, Some(code)) => &code.body.parameters,
        }
    }

    /// The statements of one piece of its code.
    pub(crate) fn statements<'c>(&self, code: &'c Code) -> &'c [ExprId] {
        let skipped = match self.kind {
            DefinitionKind::Node(_, matches) => matches,
            _ => 0,
        };
        code.body.statements.get(skipped..).unwrap_or_default()
    }
}

/// All known definitions, by name in lower case.
#[derive(Clone, Default)]
pub(crate) struct Definitions {
    classes: HashMap<Str, Rc<Definition>>,
    defines: HashMap<Str, Rc<Definition>>,
    /// The resource types, by name as written.
    pub(crate) resource_kinds: HashMap<Str, ResourceKind>,
    /// The node definitions, in the order in which they were added.
    nodes: Vec<Rc<Definition>>,
    /// The same, by name.
    nodes_by_name: HashMap<Str, Rc<Definition>>,
    /// Functions and type aliases: the place where each is defined.
    others: HashMap<(&'static str, Str), Option<Place>>,
    /// The paths of the files that were loaded.
    pub(crate) loaded: HashSet<Str>,
    /// The definitions that were searched only for the possible effects of skipped code.
    pub(crate) read_quietly: HashSet<Str>,
    /// Resource types that are being defined, or have been.
    pub(crate) coming: HashSet<Str>,
    /// The names that were looked up and do not exist.
    pub(crate) missing: HashSet<(Wanted, Str)>,
}

/// The kinds of other definitions, as messages name them.
pub(crate) const FUNCTION: &str = "Function";
pub(crate) const TYPE_ALIAS: &str = "Type alias";

/// A name that is defined twice.
pub(crate) struct Redefinition {
    pub(crate) message: String,
    pub(crate) earlier: Option<Place>,
}

impl Redefinition {
    /// Returns the error, placed at the second definition.
    pub(crate) fn at(self, place: Option<Place>) -> EvaluationError {
        let mut error = EvaluationError::new(issues::REDEFINITION, self.message);
        error.place = place;
        error.others_mut().related.extend(self.earlier);
        error
    }
}

impl Definitions {
    pub(crate) fn get(&self, wanted: Wanted, name: &str) -> Option<Rc<Definition>> {
        match wanted {
            Wanted::Class => self.classes.get(name).cloned(),
            Wanted::Define => self.defines.get(name).cloned(),
        }
    }

    /// Returns all classes, defined types and node definitions, unordered.
    pub(crate) fn all(&self) -> impl Iterator<Item = &Rc<Definition>> {
        self.classes.values().chain(self.defines.values()).chain(&self.nodes)
    }

    pub(crate) fn nodes(&self) -> &[Rc<Definition>] {
        &self.nodes
    }

    /// Adds a function or type alias, given as the kind's name in messages and its own name.
    pub(crate) fn add_other(
        &mut self,
        kind: &'static str,
        name: &str,
        place: Option<Place>,
    ) -> Result<(), Redefinition> {
        match self.others.entry((kind, name.to_lowercase().into())) {
            Entry::Vacant(free) => {
                free.insert(place);
                Ok(())
            }
            Entry::Occupied(known) => Err(Redefinition {
                message: format!("{kind} '{name}' is already defined; cannot be redefined"),
                earlier: known.get().clone(),
            }),
        }
    }

    /// Adds a definition (C18).
    pub(crate) fn add(&mut self, it: Definition) -> Result<(), Redefinition> {
        let name = it.name.clone();
        let class = self.classes.get(&name);
        let define = self.defines.get(&name);
        let node = self.nodes_by_name.get(&name);
        let earlier = match &it.kind {
            DefinitionKind::Class => class
                .map(|dupe| (dupe, format!("Class '{name}' is already defined; cannot redefine")))
                .or_else(|| {
                    node.map(|dupe| {
                        (dupe, format!("Node '{name}' is already defined; cannot be redefined as a class"))
                    })
                })
                .or_else(|| {
                    define.map(|dupe| {
                        let message =
                            format!("Definition '{name}' is already defined; cannot be redefined as a class");
                        (dupe, message)
                    })
                }),
            DefinitionKind::Define => class
                .map(|dupe| {
                    (dupe, format!("'{name}' is already defined as a class; cannot redefine as a definition"))
                })
                .or_else(|| {
                    define.map(|dupe| {
                        (dupe, format!("Definition '{name}' is already defined; cannot be redefined"))
                    })
                }),
            DefinitionKind::Node(..) => node
                .map(|dupe| (dupe, format!("Node '{name}' is already defined; cannot redefine")))
                .or_else(|| {
                    class.map(|dupe| {
                        (dupe, format!("Class '{name}' is already defined; cannot be redefined as a node"))
                    })
                }),
        };
        if let Some((dupe, message)) = earlier {
            return Err(Redefinition { message, earlier: dupe.place.clone() });
        }
        let it = Rc::new(it);
        match it.kind {
            DefinitionKind::Class => drop(self.classes.insert(name, it)),
            DefinitionKind::Define => drop(self.defines.insert(name, it)),
            DefinitionKind::Node(..) => {
                self.nodes.push(Rc::clone(&it));
                self.nodes_by_name.insert(name, it);
            }
        }
        Ok(())
    }
}
