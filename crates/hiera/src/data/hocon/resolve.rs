//! From a tree to a value: substitutions are replaced by what they name.

use std::sync::Arc;

use marotte_pcore::value::{Hash, Value};
use marotte_text::TextRange;

use super::parse::{Object, Tree, TreeKind, concatenated};
use crate::data::{DEPTH_LIMIT, DataError, DataErrorKind, Inner, Places};

/// How many values a document may become, all substitutions together.
const LIMIT: usize = 100_000;

pub(super) struct Resolver<'t> {
    root: &'t Object,
    /// The references that are being replaced, innermost last, with what hides their values.
    open: Vec<(Vec<String>, Option<usize>)>,
    /// What paths mean while they are being resolved: what they were before.
    earlier: Vec<(Vec<String>, Option<Tree>)>,
    /// Where what is being resolved stands; in a list, where the list does.
    at: Vec<String>,
    depth: usize,
    made: usize,
}

impl<'t> Resolver<'t> {
    pub(super) fn new(root: &'t Object) -> Resolver<'t> {
        Resolver { root, open: Vec::new(), earlier: Vec::new(), at: Vec::new(), depth: 0, made: 0 }
    }

    /// A tree without substitutions. None if it consists of optional ones that mean nothing. `path` is where it stands; in
    /// lists, none.
    pub(super) fn resolve(
        &mut self,
        tree: &Tree,
        path: Option<&[String]>,
    ) -> Result<Option<Tree>, DataError> {
        self.made += 1;
        if self.made > LIMIT {
            return Err(DataError { kind: DataErrorKind::Aliases, range: tree.range });
        }
        if self.depth == DEPTH_LIMIT {
            return Err(DataError { kind: DataErrorKind::Depth, range: tree.range });
        }
        self.depth += 1;
        let outer = path.map(|it| std::mem::replace(&mut self.at, it.to_vec()));
        let resolved = self.resolve_kind(tree, path);
        if let Some(outer) = outer {
            self.at = outer;
        }
        self.depth -= 1;
        resolved
    }

    fn resolve_kind(&mut self, tree: &Tree, path: Option<&[String]>) -> Result<Option<Tree>, DataError> {
        let range = tree.range;
        let kind = match &tree.kind {
            TreeKind::Scalar(_) => tree.kind.clone(),
            TreeKind::List(elements) => {
                let mut list = Vec::with_capacity(elements.len());
                for element in elements {
                    list.extend(self.resolve(element, None)?);
                }
                TreeKind::List(list)
            }
            TreeKind::Object(object) => {
                let mut resolved = Object::with_capacity(object.len());
                for (key, (at, value)) in object {
                    let path = path.map(|it| [it, std::slice::from_ref(key)].concat());
                    if let Some(value) = self.resolve(value, path.as_deref())? {
                        resolved.insert(key.clone(), (*at, value));
                    }
                }
                TreeKind::Object(resolved)
            }
            TreeKind::Reference { path: named, optional } => {
                return self.before(path, None, |it| it.reference(named, *optional, range));
            }
            TreeKind::Concatenation(pieces) => {
                let mut resolved = Vec::with_capacity(pieces.len());
                for piece in pieces {
                    resolved.extend(self.before(path, None, |it| it.resolve(piece, None))?);
                }
                return concatenated(resolved);
            }
            TreeKind::Stack(stack) => return self.stack(stack, path),
        };
        Ok(Some(Tree { kind, range }))
    }

    /// Values of one key, the last first.
    fn stack(&mut self, stack: &[Tree], path: Option<&[String]>) -> Result<Option<Tree>, DataError> {
        let mut result: Option<Tree> = None;
        for (index, tree) in stack.iter().enumerate() {
            let rest = match &stack[index + 1..] {
                [] => None,
                [only] => Some(only.clone()),
                rest => Some(Tree { kind: TreeKind::Stack(rest.to_vec()), range: tree.range }),
            };
            let Some(tree) = self.before(path, rest, |it| it.resolve(tree, None))? else { continue };
            let is_object = matches!(tree.kind, TreeKind::Object(_));
            result = Some(match result {
                None => tree,
                Some(later) if is_object => later.over(tree),
                Some(later) => return Ok(Some(later)),
            });
            if !is_object {
                break;
            }
        }
        Ok(result)
    }

    /// Resolves something that stands at a path, which means something else there: what it was before.
    fn before<T>(
        &mut self,
        path: Option<&[String]>,
        earlier: Option<Tree>,
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
    ) -> Result<Option<Tree>, DataError> {
        let fail = |message: String| DataError { kind: DataErrorKind::Syntax(message), range };
        let shown = path.join(".");
        let hidden = self.earlier.iter().rposition(|(it, _)| path.starts_with(it));
        let opened = (path.to_vec(), hidden);
        // Nothing is inside of itself.
        let is_around = hidden.is_none() && self.at.starts_with(path);
        if is_around || self.open.contains(&opened) {
            return match optional {
                true => Ok(None),
                false => Err(fail(format!("`${{{shown}}}` leads to itself"))),
            };
        }
        self.open.push(opened);
        let found = match self.find(path, hidden) {
            Ok(Some(tree)) => self.resolve(&tree, Some(path)),
            Ok(None) => Ok(None),
            Err(error) => Err(error),
        };
        self.open.pop();
        match found? {
            None if !optional => Err(fail(format!("nothing in the document is called `{shown}`"))),
            found => Ok(found),
        }
    }

    /// What stands at a path; `hidden` is the number of what it, or something around it, was before.
    fn find(&mut self, path: &[String], hidden: Option<usize>) -> Result<Option<Tree>, DataError> {
        let (found, done) = match hidden.and_then(|it| self.earlier.get(it)) {
            Some((at, earlier)) => (earlier.as_ref(), at.len()),
            None => (path.first().and_then(|it| self.root.get(it)).map(|(_, tree)| tree), 1),
        };
        let Some(mut tree) = found.cloned() else { return Ok(None) };
        for (index, key) in path.iter().enumerate().skip(done) {
            if !matches!(tree.kind, TreeKind::Object(_)) {
                match self.resolve(&tree, Some(&path[..index]))? {
                    Some(resolved) => tree = resolved,
                    None => return Ok(None),
                }
            }
            let TreeKind::Object(object) = &tree.kind else { return Ok(None) };
            match object.get(key) {
                Some((_, inner)) => tree = inner.clone(),
                None => return Ok(None),
            }
        }
        Ok(Some(tree))
    }
}

/// The value of a tree without substitutions, and where its parts stand.
pub(super) fn value(tree: &Tree) -> (Value, Places) {
    let (value, inner) = match &tree.kind {
        TreeKind::Scalar(scalar) => (scalar.value.clone(), Inner::Scalar),
        TreeKind::List(elements) => {
            let (values, places): (Vec<Value>, Vec<Places>) = elements.iter().map(value).unzip();
            (Value::Array(values.into()), Inner::Elements(places.into()))
        }
        TreeKind::Object(object) => {
            let mut hash = Hash::default();
            let mut places = Vec::with_capacity(object.len());
            for (key, (at, tree)) in object {
                let (value, inner) = value(tree);
                hash.insert(Value::String(key.as_str().into()), value);
                places.push((*at, inner));
            }
            (Value::Hash(Arc::new(hash)), Inner::Entries(places.into()))
        }
        // Resolved trees have none of these.
        TreeKind::Reference { .. } | TreeKind::Concatenation(_) | TreeKind::Stack(_) => {
            (Value::Undef, Inner::Scalar)
        }
    };
    (value, Places { range: tree.range, inner })
}
