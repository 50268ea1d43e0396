//! `tree_each`: visits a container, its contents, and so on recursively, each with its path.

use std::collections::VecDeque;
use std::fmt;
use std::sync::Arc;
use std::sync::{Mutex, PoisonError};

use crate::dialect::Dialect;
use crate::extent::Extent;
use crate::relation::{assignable, instance_of};
use crate::types::{AttributeKind, Type, TypeKind};
use crate::value::{Hash, Iterate, Value};

/// The order of a walk.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TreeOrder {
    /// The contents of a container come directly after it.
    #[default]
    DepthFirst,
    /// The contents of a container come after everything on its level.
    BreadthFirst,
}

/// The options of a walk through a tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TreeOptions {
    /// The type of the values whose contents are visited; `None` for arrays, hashes and objects.
    pub container_type: Option<Type>,
    /// Whether the root is included as the first element, if containers are included.
    pub include_root: bool,
    /// Whether containers are included.
    pub include_containers: bool,
    /// Whether values other than containers are included. As in the reference, this applies to depth-first order only.
    pub include_values: bool,
    /// Whether attributes that refer to other objects are followed.
    pub include_references: bool,
    /// The order of the walk.
    pub order: TreeOrder,
}

impl Default for TreeOptions {
    fn default() -> TreeOptions {
        TreeOptions {
            container_type: None,
            include_root: true,
            include_containers: true,
            include_values: true,
            include_references: false,
            order: TreeOrder::DepthFirst,
        }
    }
}

impl TreeOptions {
    /// Reads the options from a hash, whose types have been validated; missing options, and those that are `undef`,
    /// have their defaults.
    pub fn from_hash(hash: &Hash) -> TreeOptions {
        let flag = |key, default| {
            hash.get_str(key).filter(|it| **it != Value::Undef).map_or(default, Value::is_truthy)
        };
        TreeOptions {
            container_type: match hash.get_str("container_type") {
                Some(Value::Type(it)) => Some(it.clone()),
                _ => None,
            },
            include_root: flag("include_root", true),
            include_containers: flag("include_containers", true),
            include_values: flag("include_values", true),
            include_references: flag("include_refs", false),
            order: match hash.get_str("order").and_then(Value::as_str) {
                Some("breadth_first") => TreeOrder::BreadthFirst,
                _ => TreeOrder::DepthFirst,
            },
        }
    }
}

/// The error for contradictory options.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TreeError {
    /// The container type accepts values other than arrays, hashes and objects.
    ContainerType(Type),
    /// Neither containers nor values are included.
    NothingIncluded,
}

impl fmt::Display for TreeError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TreeError::ContainerType(it) => {
                write!(out, "Only Array, Hash, and Object types can be used as container types. Got {it}")
            }
            TreeError::NothingIncluded => {
                out.write_str("Options 'include_containers' and 'include_values' cannot both be false")
            }
        }
    }
}

impl std::error::Error for TreeError {}

/// Returns an iterator over a tree: pairs of the path, which is an array of keys and indices, and the value at the path.
///
/// # Errors
/// If the options are contradictory.
pub fn tree(dialect: &Dialect, root: Value, options: &TreeOptions) -> Result<Arc<dyn Iterate>, TreeError> {
    let all = Type::variant([
        Type::array(Type::any(), None),
        Type::hash(Type::any(), Type::any(), None),
        TypeKind::Object(None).into(),
    ]);
    let container_type = options.container_type.clone().unwrap_or_else(|| all.clone());
    if !assignable(dialect, &all, &container_type) {
        return Err(TreeError::ContainerType(container_type));
    }
    if !options.include_containers && !options.include_values {
        return Err(TreeError::NothingIncluded);
    }
    let rules = Rules { dialect: dialect.clone(), container_type, options: options.clone() };
    let extent = root.extent();
    let walk = Walk { rules, root: Some(root), branches: VecDeque::new(), given: Vec::new() };
    Ok(Arc::new(Tree { walk: Mutex::new(walk), extent }))
}

/// The rules of a walk: which values are containers, and which are included.
#[derive(Debug)]
struct Rules {
    dialect: Dialect,
    container_type: Type,
    options: TreeOptions,
}

impl Rules {
    fn is_container(&self, value: &Value) -> bool {
        instance_of(&self.dialect, &self.container_type, value)
    }

    /// Returns the child of a container at an index: its key and its value.
    fn child(&self, container: &Value, index: usize) -> Option<(Value, Value)> {
        match container {
            Value::Array(elements) => {
                let key = Value::Integer((i64::try_from(index).ok()?).into());
                Some((key, elements.get(index)?.clone()))
            }
            Value::Hash(hash) => hash.entry_at(index).map(|(key, value)| (key.clone(), value.clone())),
            Value::Object(object) => {
                let TypeKind::Object(Some(object_type)) = object.object_type.resolved().kind() else {
                    return None;
                };
                let mut followed = object_type.attributes.iter().filter(|it| match it.kind {
                    // Only layers above can compute them.
                    AttributeKind::Derived => false,
                    AttributeKind::Reference => self.options.include_references,
                    _ => true,
                });
                let name = &followed.nth(index)?.name;
                Some((Value::String(name.clone()), object.attribute(name)?.clone()))
            }
            _ => None,
        }
    }
}

/// A container whose elements are being visited.
#[derive(Debug)]
struct Branch {
    path: Vec<Value>,
    container: Value,
    /// The index of the next child.
    next: usize,
}

/// The state of a walk.
#[derive(Debug)]
struct Walk {
    rules: Rules,
    /// The root, until it has been visited.
    root: Option<Value>,
    branches: VecDeque<Branch>,
    /// The elements returned so far.
    given: Vec<Value>,
}

impl Walk {
    fn next(&mut self) -> Option<Value> {
        let options = &self.rules.options;
        if let Some(root) = self.root.take() {
            if self.rules.is_container(&root) {
                self.branches.push_back(Branch { path: Vec::new(), container: root.clone(), next: 0 });
            }
            if options.include_root && options.include_containers {
                return Some(pair(Vec::new(), root));
            }
        }
        let depth_first = options.order == TreeOrder::DepthFirst;
        loop {
            let branch = if depth_first { self.branches.back_mut() } else { self.branches.front_mut() }?;
            let Some((key, value)) = self.rules.child(&branch.container, branch.next) else {
                if depth_first {
                    self.branches.pop_back()
                } else {
                    self.branches.pop_front()
                };
                continue;
            };
            branch.next += 1;
            let path: Vec<Value> = branch.path.iter().cloned().chain([key]).collect();
            let is_container = self.rules.is_container(&value);
            if is_container {
                self.branches.push_back(Branch { path: path.clone(), container: value.clone(), next: 0 });
            }
            let included = if is_container {
                options.include_containers
            } else {
                options.include_values || !depth_first
            };
            if included {
                return Some(pair(path, value));
            }
        }
    }
}

fn pair(path: Vec<Value>, value: Value) -> Value {
    Value::Array([Value::Array(path.into()), value].into())
}

#[derive(Debug)]
struct Tree {
    walk: Mutex<Walk>,
    extent: Extent,
}

impl Iterate for Tree {
    fn element_type(&self) -> Type {
        Type::any()
    }

    fn extent(&self) -> Extent {
        self.extent
    }

    fn size(&self) -> usize {
        let mut walk = self.walk.lock().unwrap_or_else(PoisonError::into_inner);
        while let Some(it) = walk.next() {
            walk.given.push(it);
        }
        walk.given.len()
    }

    fn get(&self, index: usize) -> Option<Value> {
        let mut walk = self.walk.lock().unwrap_or_else(PoisonError::into_inner);
        while walk.given.len() <= index {
            let it = walk.next()?;
            walk.given.push(it);
        }
        walk.given.get(index).cloned()
    }
}
