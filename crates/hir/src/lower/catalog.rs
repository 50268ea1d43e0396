use marotte_syntax::ast::{self, BinaryOp, ExprKind};

use super::Lowerer;
use crate::Place;
use crate::body::{
    Attribute, AttributeName, Collector, Expr, Query, QueryKind, Resource, ResourceBody, Segment,
};

impl Lowerer {
    /// Lowers an expression that is only evaluated while compiling a catalog.
    pub(super) fn catalog(&mut self, expr: &ast::Expr) -> Expr {
        match &expr.kind {
            ExprKind::Resource(it) => {
                let type_name = match &it.type_name.kind {
                    // A string isn't the name of a type.
                    ExprKind::String(text) => {
                        let place = Place { range: it.type_name.range, anchor: it.type_name.anchor() };
                        self.add(Expr::Interpolated([Segment::Text(text.clone())].into()), place)
                    }
                    _ => self.expr(&it.type_name),
                };
                let bodies = it.bodies.iter().map(|it| ResourceBody {
                    title: self.expr(&it.title),
                    attributes: self.attributes(&it.attributes),
                });
                let bodies = bodies.collect();
                Expr::Resource(Box::new(Resource { form: it.form, type_name, bodies }))
            }
            ExprKind::ResourceDefaults(it) => {
                Expr::ResourceDefaults(self.expr(&it.type_ref), self.attributes(&it.attributes))
            }
            ExprKind::ResourceOverride(it) => {
                Expr::ResourceOverride(it.form, self.expr(&it.resources), self.attributes(&it.attributes))
            }
            ExprKind::Collector(it) => Expr::Collector(Box::new(Collector {
                type_ref: self.expr(&it.type_ref),
                exported: it.query.exported,
                query: it.query.condition.as_ref().map(|it| Box::new(self.query(it))),
                attributes: self.attributes(&it.attributes),
            })),
            _ => Expr::Missing,
        }
    }

    fn attributes(&mut self, attributes: &[ast::Attribute]) -> Box<[Attribute]> {
        let attributes = attributes.iter().filter_map(|it| {
            let name = match &it.name {
                ast::AttributeName::Name(name) => AttributeName::Name(name.clone()),
                ast::AttributeName::Unfold => AttributeName::Unfold,
                ast::AttributeName::Error => return None,
            };
            let at = self.mark(it.name_range);
            Some(Attribute { name, at, append: it.append, value: self.expr(&it.value) })
        });
        attributes.collect()
    }

    fn query(&mut self, expr: &ast::Expr) -> Query {
        let expr = expr.unparenthesized();
        let place = Place { range: expr.range, anchor: expr.anchor() };
        let kind = match &expr.kind {
            ExprKind::Binary(it) if it.op == BinaryOp::And => {
                QueryKind::And(Box::new(self.query(&it.left)), Box::new(self.query(&it.right)))
            }
            ExprKind::Binary(it) if it.op == BinaryOp::Or => {
                QueryKind::Or(Box::new(self.query(&it.left)), Box::new(self.query(&it.right)))
            }
            ExprKind::Binary(it) => match (&it.left.unparenthesized().kind, it.op) {
                (ExprKind::Name(_) | ExprKind::Variable(_), BinaryOp::Equal) => {
                    QueryKind::Equal(self.expr(&it.left), self.expr(&it.right))
                }
                (ExprKind::Name(_) | ExprKind::Variable(_), BinaryOp::NotEqual) => {
                    QueryKind::NotEqual(self.expr(&it.left), self.expr(&it.right))
                }
                _ => QueryKind::Other(self.expr(expr)),
            },
            _ => QueryKind::Other(self.expr(expr)),
        };
        Query { at: self.add(Expr::Missing, place), kind }
    }
}
