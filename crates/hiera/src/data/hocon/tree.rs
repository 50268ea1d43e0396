//! The content of a document, with unresolved substitutions.

use std::rc::Rc;

use marotte_pcore::value::Value;
use marotte_text::TextRange;

use super::object::Object;
use crate::data::{DataError, DataErrorKind};

/// A value with its range.
#[derive(Clone, Debug, Default)]
pub(super) struct Tree {
    pub(super) kind: TreeKind,
    /// The range of the substitution, if the value replaced one.
    pub(super) range: TextRange,
    pub(super) measure: Measure,
}

/// The kind of a value, as far as it is known before resolution.
#[derive(Clone, Debug)]
pub(super) enum TreeKind {
    Scalar(Scalar),
    Object(Object),
    List(Vec<Rc<Tree>>),
    /// `${path}`.
    Reference {
        path: Vec<String>,
        optional: bool,
    },
    /// `+=`: the elements to add to the list at a path.
    Append {
        path: Vec<String>,
        elements: Vec<Rc<Tree>>,
    },
    /// A concatenation with unresolved parts.
    Concatenation(Vec<Rc<Tree>>),
    /// Several values of one key in the order of the text, some of them unresolved.
    Stack(Vec<Rc<Tree>>),
}

impl Default for TreeKind {
    fn default() -> TreeKind {
        TreeKind::List(Vec::new())
    }
}

/// Properties of a value that are known without walking it.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Measure {
    /// The maximum number of values in it; a long text counts as several.
    pub(super) size: u32,
    /// Whether it may contain substitutions.
    pub(super) is_open: bool,
}

impl Measure {
    /// The measure of an unresolved value.
    pub(super) const OPEN: Measure = Measure { size: 1, is_open: true };

    pub(super) fn and(self, other: Measure) -> Measure {
        Measure { size: self.size.saturating_add(other.size), is_open: self.is_open || other.is_open }
    }
}

/// A value without parts.
#[derive(Clone, Debug)]
pub(super) struct Scalar {
    /// The value if it isn't a text.
    literal: Option<Value>,
    /// The text as written, which is used in concatenations.
    text: String,
    is_quoted: bool,
}

/// The number of bytes of text that count as one value.
const BYTES_OF_VALUE: usize = 16;

impl Scalar {
    pub(super) fn text(text: String, is_quoted: bool) -> Scalar {
        Scalar { literal: None, text, is_quoted }
    }

    pub(super) fn literal(value: Value, text: String) -> Scalar {
        Scalar { literal: Some(value), text, is_quoted: true }
    }

    pub(super) fn value(&self) -> Value {
        self.literal.clone().unwrap_or_else(|| Value::String(self.text.as_str().into()))
    }

    fn is_bare(&self) -> bool {
        self.literal.is_none() && !self.is_quoted
    }
}

impl Tree {
    pub(super) fn scalar(scalar: Scalar, range: TextRange) -> Tree {
        let size = u32::try_from(scalar.text.len() / BYTES_OF_VALUE).unwrap_or(u32::MAX).saturating_add(1);
        Tree { kind: TreeKind::Scalar(scalar), range, measure: Measure { size, is_open: false } }
    }

    pub(super) fn list(elements: Vec<Rc<Tree>>, range: TextRange) -> Tree {
        let measure = measured(&elements);
        Tree { kind: TreeKind::List(elements), range, measure }
    }

    pub(super) fn object(object: Object, range: TextRange) -> Tree {
        let measure = object.measure();
        Tree { kind: TreeKind::Object(object), range, measure }
    }

    /// Creates a tree whose value isn't resolved yet.
    pub(super) fn open(kind: TreeKind, range: TextRange) -> Tree {
        Tree { kind, range, measure: Measure::OPEN }
    }

    fn is_known(&self) -> bool {
        matches!(self.kind, TreeKind::Scalar(_) | TreeKind::Object(_) | TreeKind::List(_))
    }

    /// Puts this value over an earlier one of the same key: objects are merged, `+=` adds to a list, everything else
    /// replaces.
    pub(super) fn over(self, earlier: Tree) -> Tree {
        let Tree { kind, range, measure } = self;
        let joined = measure.and(earlier.measure);
        match (kind, earlier.kind) {
            (TreeKind::Object(later), TreeKind::Object(earlier)) => Tree::object(later.over(earlier), range),
            (kind @ (TreeKind::Scalar(_) | TreeKind::List(_)), _) => Tree { kind, range, measure },
            (kind @ TreeKind::Object(_), TreeKind::Scalar(_) | TreeKind::List(_)) => {
                Tree { kind, range, measure }
            }
            // Without a separate list for each `+=`, so that a thousand of them don't nest.
            (TreeKind::Append { elements: more, .. }, TreeKind::List(mut elements)) if are_known(&more) => {
                elements.extend(more);
                Tree { kind: TreeKind::List(elements), range, measure: joined }
            }
            (TreeKind::Append { elements: more, .. }, TreeKind::Append { path, mut elements })
                if are_known(&more) =>
            {
                elements.extend(more);
                Tree { kind: TreeKind::Append { path, elements }, range, measure: joined }
            }
            (kind, earlier_kind) => {
                let earlier = Tree { kind: earlier_kind, range: earlier.range, measure: earlier.measure };
                let mut stack = unstacked(earlier);
                stack.extend(unstacked(Tree { kind, range, measure }));
                Tree { kind: TreeKind::Stack(stack), range, measure: joined.and(Measure::OPEN) }
            }
        }
    }
}

/// Whether values contain no substitutions, which might refer to the earlier value.
fn are_known(values: &[Rc<Tree>]) -> bool {
    values.iter().all(|it| !it.measure.is_open)
}

/// The measure of a collection of these values.
pub(super) fn measured(parts: &[Rc<Tree>]) -> Measure {
    let own = Measure { size: 1, is_open: false };
    parts.iter().fold(own, |measure, it| measure.and(it.measure))
}

fn unstacked(tree: Tree) -> Vec<Rc<Tree>> {
    match tree.kind {
        TreeKind::Stack(stack) => stack,
        _ => vec![Rc::new(tree)],
    }
}

/// Concatenates adjacent values. `None` if there are none.
///
/// # Errors
/// If they can't be concatenated.
pub(super) fn concatenated(pieces: impl IntoIterator<Item = Tree>) -> Result<Option<Tree>, DataError> {
    let mut joined: Vec<Tree> = Vec::new();
    for piece in pieces {
        let parts = match piece.kind {
            TreeKind::Concatenation(parts) => parts.into_iter().map(Rc::unwrap_or_clone).collect(),
            _ => vec![piece],
        };
        for right in parts {
            let Some(left) = joined.pop() else {
                joined.push(right);
                continue;
            };
            if left.is_known() && right.is_known() {
                joined.push(join(left, right)?);
            } else {
                joined.extend([left, right]);
            }
        }
    }
    let range = joined.iter().map(|it| it.range).reduce(TextRange::cover);
    Ok(match (joined.len(), range) {
        (0, _) | (_, None) => None,
        (1, _) => joined.pop(),
        (_, Some(range)) => {
            let parts = joined.into_iter().map(Rc::new).collect();
            Some(Tree::open(TreeKind::Concatenation(parts), range))
        }
    })
}

fn join(left: Tree, right: Tree) -> Result<Tree, DataError> {
    let range = left.range.cover(right.range);
    let measure = left.measure.and(right.measure);
    Ok(match (left.kind, right.kind) {
        (TreeKind::Object(left), TreeKind::Object(right)) => Tree::object(right.over(left), range),
        (TreeKind::List(mut left), TreeKind::List(right)) => {
            left.extend(right);
            Tree { kind: TreeKind::List(left), range, measure }
        }
        // As in the reference: unquoted text is ignored there.
        (kind @ (TreeKind::List(_) | TreeKind::Object(_)), TreeKind::Scalar(it)) if it.is_bare() => {
            Tree { kind, range, measure: left.measure }
        }
        (TreeKind::Scalar(left), TreeKind::Scalar(right)) => {
            let text = left.text + &right.text;
            Tree { kind: TreeKind::Scalar(Scalar::text(text, true)), range, measure }
        }
        _ => {
            let message = "a list or an object is not allowed beside something of another kind";
            return Err(DataError { kind: DataErrorKind::Syntax(message.to_owned()), range });
        }
    })
}
