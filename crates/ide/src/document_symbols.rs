//! The outline of a file.

use marotte_db::File;
use marotte_hiera::Format;
use marotte_hir::parse;
use marotte_resolve::data_files::{HieraFileKind, TopKey, hiera_file, top_keys};
use marotte_syntax::ast::{Expr, ExprKind, Parameter};
use marotte_text::TextRange;

use crate::symbol::capitalized;
use crate::token::is_code;
use crate::{Db, SymbolKind};

/// A definition or declaration in a file, with its contents.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DocumentSymbol {
    /// The name as displayed to the user: `ntp::config`, `$servers`, `File['/etc/motd']`.
    pub name: String,
    /// A short description of the symbol: the type of a parameter.
    pub detail: Option<String>,
    /// The kind of the symbol.
    pub kind: SymbolKind,
    /// The range of the whole definition.
    pub range: TextRange,
    /// The range of the name, within `range`.
    pub selection: TextRange,
    /// The contents, in source order.
    pub children: Vec<DocumentSymbol>,
}

/// The definitions in a manifest or template: classes, resource types, functions, types, plans and nodes, and in them
/// parameters, variables and resources.
///
/// `class ntp($port) { file { '/etc/ntp.conf': } }` results in the class `ntp` with the children `$port` and
/// `File['/etc/ntp.conf']`.
///
/// For a data file, these are its keys.
pub fn document_symbols(db: &dyn Db, file: File) -> Vec<DocumentSymbol> {
    if let Some(hiera) = hiera_file(db, file) {
        return match hiera.kind {
            HieraFileKind::Data { format, .. } => keys(db, file, format),
            HieraFileKind::Configuration => Vec::new(),
        };
    }
    if !is_code(db, file) {
        return Vec::new();
    }
    let parsed = parse(db, file);
    let text = parsed.source().text();
    let tree = parsed.program();
    let mut symbols = Vec::new();
    let collector = Collector { text };
    if let Some(parameters) = tree.template.as_ref().and_then(|it| it.parameters.as_deref()) {
        collector.parameters(parameters, &mut symbols);
    }
    for expr in &tree.body {
        collector.expr(expr, &mut symbols);
    }
    symbols
}

fn keys(db: &dyn Db, file: File, format: Format) -> Vec<DocumentSymbol> {
    let keys = top_keys(db, file, format).into_iter().flatten();
    let symbol = |it: TopKey| DocumentSymbol {
        name: it.key.to_string(),
        detail: None,
        kind: SymbolKind::DataKey,
        range: it.key_range.cover(it.value_range),
        selection: it.key_range,
        children: Vec::new(),
    };
    keys.map(symbol).collect()
}

struct Collector<'t> {
    text: &'t str,
}

impl<'t> Collector<'t> {
    fn expr(&self, expr: &Expr, into: &mut Vec<DocumentSymbol>) {
        match &expr.kind {
            ExprKind::Class(it) => self.definition(
                expr,
                SymbolKind::Class,
                &it.name,
                it.name_range,
                &it.parameters,
                &it.body,
                into,
            ),
            ExprKind::Define(it) => self.definition(
                expr,
                SymbolKind::Define,
                &it.name,
                it.name_range,
                &it.parameters,
                &it.body,
                into,
            ),
            ExprKind::Function(it) => self.definition(
                expr,
                SymbolKind::Function,
                &it.name,
                it.name_range,
                &it.parameters,
                &it.body,
                into,
            ),
            ExprKind::Plan(it) => self.definition(
                expr,
                SymbolKind::Plan,
                &it.name,
                it.name_range,
                &it.parameters,
                &it.body,
                into,
            ),
            ExprKind::TypeAlias(it) => {
                self.definition(expr, SymbolKind::DataType, &it.name, it.name_range, &[], &[], into)
            }
            ExprKind::Node(it) => {
                let Some(names) = it.matches_range() else { return };
                self.definition(expr, SymbolKind::Node, self.slice(names), names, &[], &it.body, into);
            }
            ExprKind::Assignment(it) => {
                self.targets(&it.left, expr.range, into);
                self.expr(&it.right, into);
            }
            ExprKind::Resource(it) => {
                let type_name = capitalized(self.slice(it.type_name.range));
                for body in &it.bodies {
                    let mut children = Vec::new();
                    for attribute in &body.attributes {
                        self.expr(&attribute.value, &mut children);
                    }
                    into.push(DocumentSymbol {
                        name: format!("{type_name}[{}]", self.slice(body.title.range)),
                        detail: None,
                        kind: SymbolKind::Resource,
                        range: body.range.cover(body.title.range),
                        selection: body.title.range,
                        children,
                    });
                }
            }
            _ => expr.for_each_child(&mut |child| self.expr(child, into)),
        }
    }

    #[expect(
        clippy::too_many_arguments,
        reason = "what definitions have in common, and one place that makes symbols of them"
    )]
    fn definition(
        &self,
        expr: &Expr,
        kind: SymbolKind,
        name: &str,
        name_range: TextRange,
        parameters: &[Parameter],
        body: &[Expr],
        into: &mut Vec<DocumentSymbol>,
    ) {
        let mut children = Vec::new();
        self.parameters(parameters, &mut children);
        for it in body {
            self.expr(it, &mut children);
        }
        into.push(DocumentSymbol {
            name: name.to_owned(),
            detail: None,
            kind,
            range: expr.range.cover(name_range),
            selection: name_range,
            children,
        });
    }

    fn parameters(&self, parameters: &[Parameter], into: &mut Vec<DocumentSymbol>) {
        into.extend(parameters.iter().map(|it| DocumentSymbol {
            name: format!("${}", it.name),
            detail: it.type_expr.as_ref().map(|it| self.slice(it.range).to_owned()),
            kind: SymbolKind::Parameter,
            range: it.range.cover(it.name_range),
            selection: it.name_range,
            children: Vec::new(),
        }));
    }

    fn targets(&self, target: &Expr, range: TextRange, into: &mut Vec<DocumentSymbol>) {
        match &target.kind {
            ExprKind::Variable(name) => into.push(DocumentSymbol {
                name: format!("${name}"),
                detail: None,
                kind: SymbolKind::Variable,
                range: range.cover(target.range),
                selection: target.range,
                children: Vec::new(),
            }),
            _ => target.for_each_child(&mut |child| self.targets(child, child.range, into)),
        }
    }

    /// The text of a range. A repaired tree may have ranges that aren't in the text.
    fn slice(&self, range: TextRange) -> &'t str {
        self.text.get(usize::from(range.start())..usize::from(range.end())).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::{Fixture, assert_text};

    fn outline(symbols: &[DocumentSymbol], depth: usize, out: &mut String) {
        for it in symbols {
            let detail = it.detail.as_ref().map(|it| format!(" : {it}")).unwrap_or_default();
            *out += &format!("{}{:?} {}{detail}\n", "  ".repeat(depth), it.kind, it.name);
            outline(&it.children, depth + 1, out);
        }
    }

    #[test]
    fn data_has_keys() {
        let fixture = Fixture::new(
            "
            //- /hiera.yaml
            version: 5
            hierarchy: [{name: a, path: a.yaml}]
            //- /data/a.yaml
            ntp::port: 1
            other: {a: 1}
            ",
        );
        let mut out = String::new();
        outline(&document_symbols(fixture.db(), fixture.file("/data/a.yaml")), 0, &mut out);
        assert_text(&out, "DataKey ntp::port\nDataKey other");
    }

    #[test]
    fn definitions_hold_what_is_in_them() {
        let fixture = Fixture::new(
            "
            //- /modules/ntp/manifests/init.pp
            class ntp(Integer $port = 123) inherits ntp::params {
              $dir = '/etc'
              [$a, $b] = [1, 2]
              if $port {
                file { '/etc/ntp.conf': ensure => file;
                       ['/a', '/b']: }
              }
              define inner { }
            }
            function ntp::f($x) { $x }
            type Ntp::T = String
            node default, 'a' { include ntp }
            ",
        );
        let mut out = String::new();
        outline(&document_symbols(fixture.db(), fixture.file("/modules/ntp/manifests/init.pp")), 0, &mut out);
        assert_text(
            &out,
            "
            Class ntp
              Parameter $port : Integer
              Variable $dir
              Variable $a
              Variable $b
              Resource File['/etc/ntp.conf']
              Resource File[['/a', '/b']]
              Define ntp::inner
            Function ntp::f
              Parameter $x
            DataType Ntp::T
            Node default, 'a'
            ",
        );
    }
}
