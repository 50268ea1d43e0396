//! The assignment of variables to slots.

use marotte_syntax::ast;
use marotte_text::{Str, is_qualified, split_namespace, unrooted};

use super::Lowerer;
use super::assigned::assigned;
use crate::body::{Candidate, Expr, Frame, FrameId, Variable};

/// The frames around the code that is being lowered, innermost last.
#[derive(Default)]
pub(super) struct Frames(Vec<FrameId>);

impl Lowerer {
    /// Opens the frame of a function, lambda or template: its parameters, and the variables that its statements set.
    pub(super) fn enter(&mut self, parameters: &[ast::Parameter], block: &[ast::Expr]) -> FrameId {
        let frame = Frame::new(parameters.iter().map(|it| it.name.clone()).chain(assigned(block)));
        let id = FrameId(u32::try_from(self.body.frames.len()).unwrap_or(u32::MAX));
        self.body.frames.push(frame);
        self.frames.0.push(id);
        id
    }

    /// Closes the innermost frame.
    pub(super) fn leave(&mut self) {
        self.frames.0.pop();
    }

    /// The slot of a variable that is set here. `None` outside of frames, or if there are more variables than slot numbers.
    pub(super) fn slot(&self, name: &str) -> Option<u16> {
        let frame = self.body.frame(*self.frames.0.last()?);
        u16::try_from(frame.slot(name)?).ok()
    }

    /// Lowers a read of a variable.
    pub(super) fn variable(&self, name: &str) -> Expr {
        Expr::Variable(Box::new(self.resolve(name)))
    }

    fn resolve(&self, name: &str) -> Variable {
        if !name.is_empty() && name.bytes().all(|it| it.is_ascii_digit()) {
            // A number too large for any group is a group that never exists.
            return Variable::Group(name.parse().unwrap_or(u32::MAX));
        }
        let absolute = name.strip_prefix("::");
        match split_namespace(absolute.unwrap_or(name)) {
            Some((scope, name)) => {
                Variable::Qualified { scope: scope.into(), name: name.into(), absolute: absolute.is_some() }
            }
            None if absolute.is_some() => Variable::Top(unrooted(name).into()),
            None => Variable::Local { name: name.into(), candidates: self.candidates(name) },
        }
    }

    fn candidates(&self, name: &str) -> Box<[Candidate]> {
        let frames = self.frames.0.iter().rev().enumerate();
        let found = frames.filter_map(|(up, frame)| {
            let slot = u16::try_from(self.body.frame(*frame).slot(name)?).ok()?;
            Some(Candidate { up: u16::try_from(up).ok()?, slot })
        });
        found.collect()
    }
}

/// Collects the names that an assignment to this target sets.
pub(super) fn target_names(target: &ast::Expr, names: &mut Vec<Str>) {
    match &target.unparenthesized().kind {
        ast::ExprKind::Variable(name) if !is_qualified(name) => names.push(name.clone()),
        ast::ExprKind::Array(elements) => elements.iter().for_each(|it| target_names(it, names)),
        _ => {}
    }
}
