//! References to resources whose attributes an expression reads or sets: `Class['ntp']`, `Resource['class', 'ntp']`.

use marotte_hir::ExprId;
use marotte_hir::body::{Body, Expr};
use marotte_infer::literal::class_names;
use marotte_text::{Str, normalized};

/// The resources that a reference denotes.
pub(super) struct Referenced {
    /// The resource type, in lower case.
    pub(super) type_name: Str,
    /// The titles in brackets; none for all resources of the type.
    titles: Vec<ExprId>,
}

impl Referenced {
    /// Interprets an expression as a reference to a type or to resources. None if it is something else, or if the type is computed.
    pub(super) fn of(body: &Body, id: ExprId) -> Option<Referenced> {
        match body.expr(id) {
            Expr::Reference(name) => Some(Referenced { type_name: normalized(name), titles: Vec::new() }),
            Expr::Access { target, keys } => {
                let referenced = Referenced::of(body, *target).filter(|it| it.titles.is_empty())?;
                if referenced.type_name != "resource" {
                    return Some(Referenced { titles: keys.to_vec(), ..referenced });
                }
                let (first, titles) = keys.split_first()?;
                let (Expr::String(name) | Expr::Reference(name)) = body.expr(*first) else { return None };
                Some(Referenced { type_name: normalized(name), titles: titles.to_vec() })
            }
            _ => None,
        }
    }

    /// The resources whose attributes an expression sets outside of their declaration, or by whose attributes it searches them.
    pub(super) fn altered_by(body: &Body, expr: &Expr) -> Option<Referenced> {
        match expr {
            Expr::ResourceDefaults(it, _) | Expr::ResourceOverride(_, it, _) => Referenced::of(body, *it),
            Expr::Collector(it) => Referenced::of(body, it.type_ref),
            _ => None,
        }
    }

    /// Whether single resources are denoted, rather than all of a type.
    pub(super) fn has_titles(&self) -> bool {
        !self.titles.is_empty()
    }

    /// The owners of the attributes: each class, by its name. None for other types, and if no class is known.
    pub(super) fn owners(&self, body: &Body) -> Vec<Option<Str>> {
        let names = self.classes(body).0;
        if names.is_empty() { vec![None] } else { names.into_iter().map(Some).collect() }
    }

    /// Whether attributes that are set on the resources may be those of a type, or of a class.
    pub(super) fn may_be(&self, body: &Body, type_name: &str, class: &str) -> bool {
        let (classes, is_complete) = self.classes(body);
        self.type_name == type_name
            && (type_name != "class" || !is_complete || classes.iter().any(|it| it == class))
    }

    /// Whether it is known what has the attributes: a type, or each of the classes.
    pub(super) fn is_known(&self, body: &Body) -> bool {
        self.type_name != "class" || self.classes(body).1
    }

    /// The names of classes, normalized, and whether these are all.
    fn classes(&self, body: &Body) -> (Vec<Str>, bool) {
        if self.type_name != "class" {
            return (Vec::new(), true);
        }
        let mut names = Vec::new();
        let mut is_complete = self.has_titles();
        for title in &self.titles {
            let (found, all) = class_names(body, *title);
            is_complete &= all;
            names.extend(found.into_iter().map(|(_, it)| normalized(it)));
        }
        (names, is_complete)
    }
}
