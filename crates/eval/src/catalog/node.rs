//! The choice and the evaluation of node definitions (C32–C34).

use std::rc::Rc;

use marotte_diagnostics::issues;
use marotte_pcore::ops::{self, BinaryOperator};
use marotte_pcore::value::Value;

use super::Definition;
use super::definition::DefinitionKind;
use super::provenance::{DeclarationKind, Reads, Trace, TraceKind};
use crate::EvaluationError;
use crate::interpreter::{Evaluated, Interpreter, Scope};

impl Interpreter<'_> {
    /// Evaluates the node definition that matches the node's name: one of that name, else the first whose pattern matches; else
    /// the one that matches `default` likewise.
    pub(super) fn evaluate_node(&mut self) -> Evaluated<()> {
        let nodes = self.state()?.definitions.nodes().to_vec();
        if nodes.is_empty() {
            return Ok(());
        }
        let name = self.requests.node().name.to_lowercase();
        let found = match matching(&nodes, &name)? {
            None => matching(&nodes, "default")?,
            found => found,
        };
        let Some(node) = found else {
            let name = self.requests.node().name;
            let message = format!("Could not find node statement with name 'default' or '{name}'");
            return Err(EvaluationError::new(issues::UNMATCHED_NODE, message).into());
        };
        let top = Rc::clone(&self.top);
        let place = node.place.clone();
        let resource = self.ensure_class(&top, node, None, (DeclarationKind::Node, place))?;
        self.evaluate_resource(resource)?;
        let scope = self.state()?.class_scopes.get(&node.name).cloned();
        self.state()?.node_scope = scope;
        Ok(())
    }

    /// Makes the captures of a node's pattern readable in its body (C33).
    pub(super) fn capture_node_name(&mut self, scope: &Rc<Scope>, node: &Definition) -> Evaluated<()> {
        let DefinitionKind::Node(Some(regexp), _) = &node.kind else { return Ok(()) };
        let name = Value::String(self.requests.node().name.to_lowercase());
        let strict = self.settings.strict;
        let pattern = Value::Regexp(regexp.clone());
        let matched = ops::binary(self.dialect(), strict, BinaryOperator::Match, &name, &pattern);
        if let Ok(outcome) = matched {
            scope.replace_captures(outcome.variables.map(Rc::new));
        }
        Ok(())
    }

    /// Evaluates the classes that a classifier assigns to the node: those with parameters first (F1).
    pub(super) fn evaluate_node_classes(&mut self) -> Evaluated<()> {
        let scope = match &self.state()?.node_scope {
            Some(scope) => Rc::clone(scope),
            None => Rc::clone(&self.top),
        };
        let (mut plain, mut declared) = (Vec::new(), Vec::new());
        for (name, parameters) in self.requests.node().classes {
            if parameters.is_empty() {
                plain.push(name);
                continue;
            }
            match self.find_class(&name)? {
                Some(class) => declared.push((class, parameters)),
                None => {
                    let node = self.requests.node().name;
                    let message = format!("Could not find class {name} for {node}");
                    return Err(EvaluationError::runtime(message).into());
                }
            }
        }
        for (class, given) in declared {
            let parameters = given.iter().map(|(name, value)| {
                let parameter = super::instance::Parameter {
                    value: value.clone(),
                    source: Rc::clone(&class),
                    place: None,
                    append: false,
                    trace: self.is_tracing().then(|| {
                        let reads = Reads::default();
                        Trace::new(TraceKind::Classifier, None, None, value.clone(), reads).into()
                    }),
                };
                (name.as_str().unwrap_or_default().into(), parameter)
            });
            let parameters = parameters.collect();
            self.ensure_class(&scope, &class, Some(parameters), (DeclarationKind::Classifier, None))?;
        }
        self.include_named(&scope, &plain, false, (DeclarationKind::Classifier, None))?;
        Ok(())
    }
}

/// The node definition of a name, or else the first whose pattern matches it.
fn matching<'n>(nodes: &'n [Rc<Definition>], name: &str) -> Evaluated<Option<&'n Rc<Definition>>> {
    if let Some(found) = nodes.iter().find(|it| it.name == name) {
        return Ok(Some(found));
    }
    for it in nodes {
        if let DefinitionKind::Node(Some(regexp), _) = &it.kind
            && regexp.is_match(name).map_err(|error| EvaluationError::runtime(error.to_string()))?
        {
            return Ok(Some(it));
        }
    }
    Ok(None)
}
