//! The validation of node definitions.

use marotte_text::TextRange;

use super::{Checker, Place, head};
use crate::SyntaxErrorKind;
use crate::ast::{Expr, ExprKind, NodeDefinition, Segment};

impl Checker<'_> {
    pub(super) fn node(&mut self, expr: &Expr, node: &NodeDefinition, place: Place) {
        if self.catalog_code_is_allowed(expr) {
            let keyword = head(expr.range, 4);
            self.check_place(expr, keyword, place, false);
            for host in &node.matches {
                self.host(host, expr);
            }
            self.effect_last(&node.body, expr.label());
            if let Some(parent) = &node.parent {
                self.report(parent.range, SyntaxErrorKind::NodeInheritance);
            }
        }
        self.inners(&node.matches);
        if let Some(parent) = &node.parent {
            self.inner(parent);
        }
        self.block(&node.body, Place::Block);
    }

    fn host(&mut self, host: &Expr, node: &Expr) {
        match &host.kind {
            ExprKind::String(name) | ExprKind::Name(name) | ExprKind::Reference(name) => {
                self.host_name(name, host.range);
            }
            ExprKind::Interpolated(segments) => {
                let first = segments.iter().find_map(|segment| match segment {
                    Segment::Expr(expr) => Some(expr.range),
                    Segment::Text(_) => None,
                });
                self.report(first.unwrap_or(host.range), SyntaxErrorKind::HostnameInterpolation);
            }
            ExprKind::Integer { .. }
            | ExprKind::LargeInteger { .. }
            | ExprKind::Float(_)
            | ExprKind::Boolean(_)
            | ExprKind::Default
            | ExprKind::Regex(_)
            | ExprKind::Error => {}
            _ => self.illegal_expression(host, "hostname", node.label()),
        }
    }

    fn host_name(&mut self, name: &str, range: TextRange) {
        if !name
            .bytes()
            .all(|byte| matches!(byte, b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'_' | b'-' | b'.'))
        {
            self.report(range, SyntaxErrorKind::IllegalHostnameCharacters(name.into()));
        }
    }
}
