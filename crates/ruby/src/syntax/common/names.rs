//! Names that stand alone: reads of local variables, or calls without a receiver, arguments and parentheses.

use super::Reader;
use crate::syntax::tree::{Expr, ExprKind};

/// Finds the names in a program that stand alone and are not local variables, in order. `None` if the program has rare constructs
/// or an error, or if it is not obvious what a name means.
pub(crate) fn lone_names(text: &str) -> Option<Vec<&str>> {
    let mut reader = Reader::new(text);
    reader.names = Some(Names { scopes: vec![Vec::new()], alone: Vec::new() });
    reader.program()?;
    Some(reader.names?.alone.into_iter().map(|(_, name)| name).collect())
}

/// The names of a program, as far as it was read.
pub(super) struct Names<'t> {
    /// The local variables of the program and of the blocks around the current position.
    scopes: Vec<Vec<&'t str>>,
    /// The names that stand alone, each with its position.
    alone: Vec<(usize, &'t str)>,
}

impl Names<'_> {
    fn has(&self, name: &str) -> bool {
        self.scopes.iter().flatten().any(|it| *it == name)
    }
}

impl<'t> Reader<'t> {
    /// Records a name that stands alone.
    pub(super) fn note(&mut self, start: usize, name: &'t str) {
        if let Some(names) = &mut self.names
            && !names.has(name)
        {
            names.alone.push((start, name));
        }
    }

    /// Whether a name is that of a local variable, so that signs after it may mean something else than after the name of a method.
    pub(super) fn is_local(&self, name: &str) -> bool {
        self.names.as_ref().is_some_and(|it| it.has(name))
    }

    /// Records that a value is assigned to an expression that was just read.
    pub(super) fn note_assignment(&mut self, target: &Expr) {
        if let Some(names) = &mut self.names
            && matches!(target.kind, ExprKind::Name(_))
        {
            names.alone.pop_if(|(start, _)| *start == target.range.start);
            let name = &self.text[target.range.clone()];
            names.scopes.last_mut().into_iter().for_each(|it| it.push(name));
        }
    }

    /// Records a parameter of the current block.
    pub(super) fn note_parameter(&mut self, name: &'t str) {
        if let Some(names) = &mut self.names {
            names.scopes.last_mut().into_iter().for_each(|it| it.push(name));
        }
    }

    /// Reads a block, whose parameters and variables are not visible outside of it.
    pub(super) fn within_scope<T>(&mut self, read: impl FnOnce(&mut Self) -> Option<T>) -> Option<T> {
        if let Some(names) = &mut self.names {
            names.scopes.push(Vec::new());
        }
        let found = read(self)?;
        if let Some(names) = &mut self.names {
            names.scopes.pop();
        }
        Some(found)
    }
}
