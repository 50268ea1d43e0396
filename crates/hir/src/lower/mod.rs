//! Lowering: from the syntax tree of a file to its definitions and their bodies.

mod assigned;
mod catalog;
mod expr;
mod frames;
mod signature;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use marotte_syntax::ast::{self, Block, ExprKind, Program};
use marotte_text::{Str, TextRange};

use crate::body::{Head, Parameter};
use crate::{Body, ExprId, Place, Signature, SourceMap};
use frames::Frames;

/// A lowered file: its top-level code and its definitions.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Lowered {
    /// The statements outside of definitions; for a template, its text.
    pub main: Arc<Body>,
    /// The places of the expressions of `main`.
    pub main_map: Arc<SourceMap>,
    /// The parameters of a template.
    pub main_signature: Arc<Signature>,
    /// Whether a template declares parameters, even an empty list.
    pub declares_parameters: bool,
    /// The definitions in the order of the text, outer ones first.
    pub definitions: Vec<Definition>,
}

impl Lowered {
    /// The variables that each of the bodies reads and doesn't set. Classes that inherit are left out: they also read
    /// those of the parent.
    pub(crate) fn open_reads(&self) -> Box<[Str]> {
        let without_parent = self.definitions.iter().filter(|it| it.signature.parent.is_none());
        let bodies = without_parent.map(|it| &it.body).chain([&self.main]);
        bodies.flat_map(|it| it.open_reads()).cloned().collect()
    }

    /// The part of a file that those who load it can see: no positions, and only the [head](Body::head) of the bodies
    /// that are evaluated later and separately: those of classes, resource types and nodes. It stays equal when lines
    /// move and when such bodies are edited.
    #[must_use]
    pub fn outline(&self) -> Lowered {
        let definitions = self.definitions.iter().map(|it| Definition {
            body: match it.kind {
                DefinitionKind::Class(_) | DefinitionKind::Define | DefinitionKind::Node(_) => {
                    Arc::new(it.body.head())
                }
                _ => Arc::clone(&it.body),
            },
            map: Arc::default(),
            name_range: TextRange::default(),
            parent_range: None,
            ..it.clone()
        });
        Lowered { main_map: Arc::default(), definitions: definitions.collect(), ..self.clone() }
    }
}

/// A definition with its body.
#[derive(Clone, Debug, PartialEq)]
pub struct Definition {
    /// The kind of the definition.
    pub kind: DefinitionKind,
    /// The name as written, prefixed by those of the classes around it. Empty for nodes.
    pub name: Str,
    /// The interface of the definition.
    pub signature: Arc<Signature>,
    /// The code that it evaluates.
    pub body: Arc<Body>,
    /// The places of the body's expressions.
    pub map: Arc<SourceMap>,
    /// The range of the name.
    pub name_range: TextRange,
    /// The range of the name of the class that it inherits from.
    pub parent_range: Option<TextRange>,
}

/// A kind of [`Definition`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DefinitionKind {
    /// A function: `function name() { … }`.
    Function,
    /// A type alias: its body is the type expression.
    TypeAlias,
    /// A type mapping: its body is the type expression, then the mapping.
    TypeMapping,
    /// A class, with the class that it inherits from.
    Class(Option<Str>),
    /// A defined type: `define name { … }`.
    Define,
    /// A node. Names are matched against its body's first expressions, as many as this number.
    Node(usize),
    /// A plan: `plan name() { … }`.
    Plan,
}

/// Lowers the code of a file and its definitions to bodies.
pub fn lower(program: &Program) -> Lowered {
    let mut definitions = Vec::new();
    let parameters = program.template.as_ref().map(|it| it.parameters.as_deref());
    let (main, main_map) = match parameters {
        Some(parameters) => {
            let mut lowerer = Lowerer::default();
            let parameters = parameters.unwrap_or_default();
            lowerer.function(parameters, None, &program.body)
        }
        None => {
            let mut lowerer = Lowerer::default();
            lowerer.body.statements = lowerer.block(&program.body);
            lowerer.finish()
        }
    };
    collect(&program.body, &mut definitions);
    let main_signature = Arc::new(signature::of(parameters.flatten().unwrap_or_default(), None, None));
    Lowered {
        main,
        main_map,
        main_signature,
        declares_parameters: parameters.is_some_and(|it| it.is_some()),
        definitions,
    }
}

/// Collects definitions: those at the top level, and those in classes.
fn collect(block: &Block, definitions: &mut Vec<Definition>) {
    for expr in block {
        let mut lowerer = Lowerer::default();
        let (kind, name, name_range, (body, map)) = match &expr.kind {
            ExprKind::Function(it) => {
                let body = lowerer.function(&it.parameters, it.return_type.as_ref(), &it.body);
                (DefinitionKind::Function, it.name.clone(), it.name_range, body)
            }
            ExprKind::Plan(it) => {
                let body = lowerer.function(&it.parameters, None, &it.body);
                (DefinitionKind::Plan, it.name.clone(), it.name_range, body)
            }
            ExprKind::TypeAlias(it) => {
                lowerer.body.statements = [lowerer.expr(&it.type_expr)].into();
                (DefinitionKind::TypeAlias, it.name.clone(), it.name_range, lowerer.finish())
            }
            ExprKind::TypeMapping(it) => {
                lowerer.body.statements = [lowerer.expr(&it.type_expr), lowerer.expr(&it.mapping)].into();
                (DefinitionKind::TypeMapping, Str::new(), expr.range, lowerer.finish())
            }
            ExprKind::Class(it) => {
                let parent = it.parent.as_ref().map(|(name, _)| name.clone());
                let body = lowerer.scope(&it.parameters, &it.body);
                (DefinitionKind::Class(parent), it.name.clone(), it.name_range, body)
            }
            ExprKind::Define(it) => {
                let body = lowerer.scope(&it.parameters, &it.body);
                (DefinitionKind::Define, it.name.clone(), it.name_range, body)
            }
            ExprKind::Node(it) => {
                let mut statements: Vec<ExprId> = it.matches.iter().map(|it| lowerer.expr(it)).collect();
                lowerer.end_head(statements.len());
                statements.extend(lowerer.block(&it.body));
                lowerer.body.statements = statements.into();
                (DefinitionKind::Node(it.matches.len()), Str::new(), expr.range, lowerer.finish())
            }
            _ => continue,
        };
        let signature = Arc::new(match &expr.kind {
            ExprKind::Function(it) => signature::of(&it.parameters, it.return_type.as_ref(), None),
            ExprKind::Plan(it) => signature::of(&it.parameters, None, None),
            ExprKind::Class(it) => {
                let parent = it.parent.as_ref().map(|(name, _)| name.clone());
                signature::of(&it.parameters, None, parent)
            }
            ExprKind::Define(it) => signature::of(&it.parameters, None, None),
            _ => Signature::default(),
        });
        let parent_range = match &expr.kind {
            ExprKind::Class(it) => it.parent.as_ref().map(|(_, range)| *range),
            _ => None,
        };
        definitions.push(Definition { kind, name, signature, body, map, name_range, parent_range });
        match &expr.kind {
            ExprKind::Class(it) => collect(&it.body, definitions),
            ExprKind::Node(it) => collect(&it.body, definitions),
            _ => {}
        }
    }
}

/// The state while one body is built.
#[derive(Default)]
struct Lowerer {
    body: Body,
    map: SourceMap,
    frames: Frames,
}

impl Lowerer {
    /// Lowers the body of a definition whose variables are local: its parameters and the variables that it sets.
    fn function(
        &mut self,
        parameters: &[ast::Parameter],
        return_type: Option<&ast::Expr>,
        block: &Block,
    ) -> (Arc<Body>, Arc<SourceMap>) {
        // The return type is evaluated where the function is defined.
        self.body.return_type = return_type.map(|it| self.expr(it));
        let frame = self.enter(parameters, block);
        self.body.frame = Some(frame);
        self.body.parameters = self.parameters(parameters);
        self.body.statements = self.block(block);
        self.leave();
        self.finish()
    }

    /// Lowers the body of a definition that sets variables of a scope that other code can read.
    fn scope(&mut self, parameters: &[ast::Parameter], block: &Block) -> (Arc<Body>, Arc<SourceMap>) {
        self.body.parameters = self.parameters(parameters);
        self.end_head(0);
        self.body.statements = self.block(block);
        self.finish()
    }

    /// Ends the head of the body: only the evaluation of the body needs the expressions that follow.
    fn end_head(&mut self, statements: usize) {
        self.body.head = Head {
            exprs: self.body.exprs.len(),
            lambdas: self.body.lambdas.len(),
            frames: self.body.frames.len(),
            statements,
        };
    }

    fn finish(&mut self) -> (Arc<Body>, Arc<SourceMap>) {
        self.body.exprs.shrink_to_fit();
        self.body.calls.shrink_to_fit();
        self.map.places.shrink_to_fit();
        (Arc::new(std::mem::take(&mut self.body)), Arc::new(std::mem::take(&mut self.map)))
    }

    fn parameters(&mut self, parameters: &[ast::Parameter]) -> Box<[Parameter]> {
        let parameters = parameters.iter().map(|it| {
            let at = Place { range: it.name_range, anchor: it.range.start() };
            let variable = self.variable(&it.name);
            Parameter {
                name: it.name.clone(),
                at: self.add(variable, at),
                type_expr: it.type_expr.as_ref().map(|it| self.expr(it)),
                captures_rest: it.captures_rest,
                default: it.value.as_ref().map(|it| self.expr(it)),
            }
        });
        parameters.collect()
    }

    fn block(&mut self, block: &[ast::Expr]) -> crate::body::Block {
        block.iter().map(|it| self.expr(it)).collect()
    }

    fn exprs(&mut self, exprs: &[ast::Expr]) -> Box<[ExprId]> {
        exprs.iter().map(|it| self.expr(it)).collect()
    }

    /// Adds a marker expression, which gives a name a place in the source map.
    fn mark(&mut self, range: TextRange) -> ExprId {
        self.add(crate::body::Expr::Missing, Place { range, anchor: range.start() })
    }

    fn add(&mut self, expr: crate::body::Expr, place: Place) -> ExprId {
        let id = ExprId::new(self.body.exprs.len());
        if matches!(expr, crate::body::Expr::Call(_) | crate::body::Expr::MethodCall(_)) {
            self.body.calls.push(id);
        }
        self.body.exprs.push(expr);
        self.map.places.push(place);
        id
    }
}
