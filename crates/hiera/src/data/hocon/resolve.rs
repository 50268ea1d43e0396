//! The resolver: converts a tree to a value by replacing substitutions with the values that they refer to.

use std::rc::Rc;
use std::sync::Arc;

use marotte_pcore::value::{Hash, Value};
use marotte_text::TextRange;

use super::object::Object;
use super::tree::{Tree, TreeKind, concatenated};
use crate::data::{ALIASED_LIMIT, DEPTH_LIMIT, DataError, DataErrorKind, Inner, Places};

/// The tree that a path refers to.
#[derive(Clone)]
struct Meant {
    tree: Rc<Tree>,
    /// The number of values of the stack that apply.
    count: usize,
}

impl From<&Rc<Tree>> for Meant {
    fn from(tree: &Rc<Tree>) -> Meant {
        Meant { tree: Rc::clone(tree), count: usize::MAX }
    }
}

pub(super) struct Resolver<'t> {
    root: &'t Object,
    /// The references that are being replaced, innermost last, with the index of the entry of `earlier` that hides
    /// their values.
    open: Vec<(Vec<String>, Option<usize>)>,
    /// Paths that are being resolved, with the values that they had before: references to them see the earlier values.
    earlier: Vec<(Vec<String>, Option<Meant>)>,
    /// The path of the value being resolved; inside a list, the path of the list.
    at: Vec<String>,
    depth: usize,
    /// The number of values that substitutions have expanded to.
    made: usize,
}

impl<'t> Resolver<'t> {
    pub(super) fn new(root: &'t Object) -> Resolver<'t> {
        Resolver { root, open: Vec::new(), earlier: Vec::new(), at: Vec::new(), depth: 0, made: 0 }
    }

    /// Resolves the substitutions of a tree. `None` if it consists only of optional substitutions that can't be
    /// resolved. `path` is the path of the tree; `None` inside lists.
    pub(super) fn resolve(
        &mut self,
        tree: &Rc<Tree>,
        path: Option<&[String]>,
    ) -> Result<Option<Rc<Tree>>, DataError> {
        self.resolve_meant(&tree.into(), path)
    }

    fn resolve_meant(
        &mut self,
        meant: &Meant,
        path: Option<&[String]>,
    ) -> Result<Option<Rc<Tree>>, DataError> {
        let tree = &meant.tree;
        if !tree.measure.is_open {
            return Ok(Some(Rc::clone(tree)));
        }
        if self.depth == DEPTH_LIMIT {
            return Err(DataError { kind: DataErrorKind::Depth, range: tree.range });
        }
        self.make(1, tree.range)?;
        self.depth += 1;
        let outer = path.map(|it| std::mem::replace(&mut self.at, it.to_vec()));
        let resolved = match &tree.kind {
            TreeKind::Stack(_) => self.stack(meant, path),
            _ => self.resolve_kind(tree, path),
        };
        if let Some(outer) = outer {
            self.at = outer;
        }
        self.depth -= 1;
        resolved
    }

    fn make(&mut self, count: usize, range: TextRange) -> Result<(), DataError> {
        self.made = self.made.saturating_add(count);
        match self.made > ALIASED_LIMIT {
            true => Err(DataError { kind: DataErrorKind::Aliases, range }),
            false => Ok(()),
        }
    }

    fn resolve_kind(
        &mut self,
        tree: &Rc<Tree>,
        path: Option<&[String]>,
    ) -> Result<Option<Rc<Tree>>, DataError> {
        let range = tree.range;
        let resolved = match &tree.kind {
            TreeKind::List(elements) => Tree::list(self.elements(elements)?, range),
            TreeKind::Object(object) => {
                let mut resolved = Object::default();
                for (key, at, value) in object.entries() {
                    let path = path.map(|it| [it, &[key.to_owned()]].concat());
                    if let Some(value) = self.resolve(value, path.as_deref())? {
                        resolved.add(key.to_owned(), at, Rc::unwrap_or_clone(value));
                    }
                }
                Tree::object(resolved, range)
            }
            TreeKind::Reference { path: named, optional } => {
                return self.before(path, None, |it| it.reference(named, *optional, range));
            }
            TreeKind::Append { path: named, elements } => {
                let before = self.before(path, None, |it| it.reference(named, true, range))?;
                let more = self.before(path, None, |it| it.elements(elements))?;
                let pieces = before.map(Rc::unwrap_or_clone).into_iter().chain([Tree::list(more, range)]);
                return Ok(concatenated(pieces)?.map(Rc::new));
            }
            TreeKind::Concatenation(pieces) => {
                let mut resolved = Vec::with_capacity(pieces.len());
                for piece in pieces {
                    resolved.extend(self.before(path, None, |it| it.resolve(piece, None))?);
                }
                return Ok(concatenated(resolved.into_iter().map(Rc::unwrap_or_clone))?.map(Rc::new));
            }
            TreeKind::Scalar(_) | TreeKind::Stack(_) => return Ok(Some(Rc::clone(tree))),
        };
        Ok(Some(Rc::new(resolved)))
    }

    fn elements(&mut self, elements: &[Rc<Tree>]) -> Result<Vec<Rc<Tree>>, DataError> {
        let mut list = Vec::with_capacity(elements.len());
        for element in elements {
            list.extend(self.resolve(element, None)?);
        }
        Ok(list)
    }

    /// Resolves several values of one key: the last one takes precedence; if objects are merged, earlier ones contribute, too.
    fn stack(&mut self, meant: &Meant, path: Option<&[String]>) -> Result<Option<Rc<Tree>>, DataError> {
        let TreeKind::Stack(values) = &meant.tree.kind else { return Ok(None) };
        let mut result: Option<Tree> = None;
        for (index, tree) in values.iter().enumerate().take(meant.count).rev() {
            let rest = match index {
                0 => None,
                1 => values.first().map(Meant::from),
                count => Some(Meant { tree: Rc::clone(&meant.tree), count }),
            };
            let Some(tree) = self.before(path, rest, |it| it.resolve(tree, None))? else { continue };
            let is_object = matches!(tree.kind, TreeKind::Object(_));
            result = Some(match result {
                None => Rc::unwrap_or_clone(tree),
                Some(later) if is_object => later.over(Rc::unwrap_or_clone(tree)),
                Some(later) => return Ok(Some(Rc::new(later))),
            });
            if !is_object {
                break;
            }
        }
        Ok(result.map(Rc::new))
    }

    /// Resolves something at a path; references to that path inside it see the earlier value.
    fn before<T>(
        &mut self,
        path: Option<&[String]>,
        earlier: Option<Meant>,
        body: impl FnOnce(&mut Self) -> T,
    ) -> T {
        let Some(path) = path else { return body(self) };
        self.earlier.push((path.to_vec(), earlier));
        let result = body(self);
        self.earlier.pop();
        result
    }

    fn reference(
        &mut self,
        path: &[String],
        optional: bool,
        range: TextRange,
    ) -> Result<Option<Rc<Tree>>, DataError> {
        let fail = |message: String| DataError { kind: DataErrorKind::Syntax(message), range };
        let shown = path.join(".");
        let hidden = self.earlier.iter().rposition(|(it, _)| path.starts_with(it));
        let opened = (path.to_vec(), hidden);
        // A value can't contain itself.
        let is_around = hidden.is_none() && self.at.starts_with(path);
        if is_around || self.open.contains(&opened) {
            return match optional {
                true => Ok(None),
                false => Err(fail(format!("`${{{shown}}}` leads to itself"))),
            };
        }
        self.open.push(opened);
        let found = match self.find(path, hidden) {
            Ok(Some(meant)) => self.resolve_meant(&meant, Some(path)),
            Ok(None) => Ok(None),
            Err(error) => Err(error),
        };
        self.open.pop();
        let Some(found) = found? else {
            return match optional {
                true => Ok(None),
                false => Err(fail(format!("nothing in the document is called `{shown}`"))),
            };
        };
        self.make(found.measure.size.try_into().unwrap_or(usize::MAX), range)?;
        Ok(Some(Rc::new(Tree { range, ..Rc::unwrap_or_clone(found) })))
    }

    /// Finds the tree at a path; `hidden` is the index of the earlier value of the path or of a prefix of it.
    fn find(&mut self, path: &[String], hidden: Option<usize>) -> Result<Option<Meant>, DataError> {
        let (found, done) = match hidden.and_then(|it| self.earlier.get(it)) {
            Some((at, earlier)) => (earlier.clone(), at.len()),
            None => (path.first().and_then(|it| self.root.get(it)).map(Meant::from), 1),
        };
        let Some(mut meant) = found else { return Ok(None) };
        for (index, key) in path.iter().enumerate().skip(done) {
            if !matches!(meant.tree.kind, TreeKind::Object(_)) {
                match self.resolve_meant(&meant, Some(&path[..index]))? {
                    Some(resolved) => meant = (&resolved).into(),
                    None => return Ok(None),
                }
            }
            let TreeKind::Object(object) = &meant.tree.kind else { return Ok(None) };
            match object.get(key) {
                Some(inner) => meant = inner.into(),
                None => return Ok(None),
            }
        }
        Ok(Some(meant))
    }
}

/// Converts a tree without substitutions to a value with places. `depth` is its nesting depth.
///
/// # Errors
/// If it is nested too deeply.
pub(super) fn value(tree: &Tree, depth: usize) -> Result<(Value, Places), DataError> {
    if depth > DEPTH_LIMIT {
        return Err(DataError { kind: DataErrorKind::Depth, range: tree.range });
    }
    let (value, inner) = match &tree.kind {
        TreeKind::Scalar(scalar) => (scalar.value(), Inner::Scalar),
        TreeKind::List(elements) => {
            let parts: Result<Vec<_>, _> = elements.iter().map(|it| value(it, depth + 1)).collect();
            let (values, places): (Vec<Value>, Vec<Places>) = parts?.into_iter().unzip();
            (Value::Array(values.into()), Inner::Elements(places.into()))
        }
        TreeKind::Object(object) => {
            let mut hash = Hash::default();
            let mut places = Vec::new();
            for (key, at, tree) in object.entries() {
                let (value, inner) = value(tree, depth + 1)?;
                hash.insert(Value::String(key.into()), value);
                places.push((at, inner));
            }
            (Value::Hash(Arc::new(hash)), Inner::Entries(places.into()))
        }
        // Resolved trees contain none of these.
        TreeKind::Reference { .. }
        | TreeKind::Append { .. }
        | TreeKind::Concatenation(_)
        | TreeKind::Stack(_) => (Value::Undef, Inner::Scalar),
    };
    Ok((value, Places { range: tree.range, inner }))
}
