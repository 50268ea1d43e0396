//! Titles of resources that are written as literals.

use std::collections::{BTreeMap, BTreeSet};

use marotte_text::{Str, normalized};

use crate::Lowered;
use crate::body::{Body, Expr, Resource};

/// Titles by resource types, whose names are in lower case.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Titles(BTreeMap<Str, BTreeSet<Str>>);

impl Titles {
    /// Collects the titles that a file writes out.
    pub(crate) fn of(file: &Lowered) -> Self {
        let mut all = Titles::default();
        for body in file.definitions.iter().map(|it| &it.body).chain([&file.main]) {
            for (_, expr) in body.exprs() {
                if let Expr::Resource(it) = expr {
                    all.add(body, it);
                }
            }
        }
        all
    }

    fn add(&mut self, body: &Body, resource: &Resource) {
        let (Expr::String(name) | Expr::Reference(name)) = body.expr(resource.type_name) else { return };
        let titles = self.0.entry(normalized(name)).or_default();
        let mut open: Vec<_> = resource.bodies.iter().map(|it| it.title).collect();
        while let Some(id) = open.pop() {
            match body.expr(id) {
                Expr::String(title) => {
                    titles.insert(title.clone());
                }
                Expr::Array(elements) => open.extend(elements),
                _ => {}
            }
        }
    }

    /// Whether a title is among those of a type, given by its name in lower case.
    pub fn has(&self, type_name: &str, title: &str) -> bool {
        self.0.get(type_name).is_some_and(|it| it.contains(title))
    }

    /// All titles, each with its type in lower case.
    pub fn all(&self) -> impl Iterator<Item = (&Str, &Str)> {
        self.0.iter().flat_map(|(of, titles)| titles.iter().map(move |it| (of, it)))
    }

    /// The titles of a type, given by its name in lower case.
    pub fn of_type(&self, type_name: &str) -> impl Iterator<Item = &Str> {
        self.0.get(type_name).into_iter().flatten()
    }
}

impl<'a> Extend<&'a Titles> for Titles {
    fn extend<I: IntoIterator<Item = &'a Titles>>(&mut self, others: I) {
        for (type_name, titles) in others.into_iter().flat_map(|it| &it.0) {
            self.0.entry(type_name.clone()).or_default().extend(titles.iter().cloned());
        }
    }
}
