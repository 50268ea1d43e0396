use lib_ruby_parser::Node;

use super::Lowerer;
use crate::Symbol;
use crate::program::tree::{KeywordParameter, KeywordRest, Parameter, Parameters};

impl Lowerer<'_> {
    /// The parameters of a method or block, whose variables come first in the scope that was just opened.
    pub(super) fn parameters(&mut self, node: Option<&Node>, is_block: bool) -> Parameters {
        let nodes = match node {
            None => return Parameters { is_plain: true, ..Parameters::default() },
            Some(Node::Args(it)) => &it.args[..],
            Some(other) => std::slice::from_ref(other),
        };
        let mut parameters = Parameters::default();
        let (mut required, mut optional, mut post, mut keywords) = (vec![], vec![], vec![], vec![]);
        let mut has_sole = false;
        // Plain parameters come first among the variables, so that arguments can be moved there at once.
        let mut slots: Vec<Option<u32>> = nodes
            .iter()
            .map(|it| match it {
                Node::Arg(arg) => Some(self.declare(&arg.name)),
                Node::Procarg0(sole) => match &sole.args[..] {
                    [Node::Arg(arg)] => Some(self.declare(&arg.name)),
                    _ => None,
                },
                _ => None,
            })
            .collect();
        for (node, slot) in nodes.iter().zip(&mut slots) {
            let parameter = match (node, slot.take()) {
                (Node::Procarg0(_), Some(slot)) => {
                    has_sole = true;
                    Some(Parameter::Slot(slot))
                }
                (_, Some(slot)) => Some(Parameter::Slot(slot)),
                (Node::Procarg0(it), None) => {
                    has_sole = true;
                    Some(Parameter::Nested(Box::new(self.targets(&it.args))))
                }
                (Node::Mlhs(it), None) => Some(Parameter::Nested(Box::new(self.targets(&it.items)))),
                _ => None,
            };
            if let Some(parameter) = parameter {
                match optional.is_empty() && parameters.rest.is_none() {
                    true => required.push(parameter),
                    false => post.push(parameter),
                }
                continue;
            }
            match node {
                Node::Optarg(it) => {
                    let slot = self.declare(&it.name);
                    let default = self.expr(&it.default);
                    optional.push((slot, default));
                }
                Node::Restarg(it) => {
                    let slot = match it.name.as_deref() {
                        Some(name) => self.declare(name),
                        None => self.hidden(),
                    };
                    if it.name.is_none() {
                        self.scope().anonymous.rest = Some(slot);
                    }
                    parameters.rest = Some(Some(slot));
                }
                Node::Kwarg(it) => {
                    let slot = self.declare(&it.name);
                    keywords.push(KeywordParameter { name: Symbol::new(&it.name), slot, default: None });
                }
                Node::Kwoptarg(it) => {
                    let slot = self.declare(&it.name);
                    let default = Some(self.expr(&it.default));
                    keywords.push(KeywordParameter { name: Symbol::new(&it.name), slot, default });
                }
                Node::Kwrestarg(it) => {
                    let slot = match it.name.as_deref() {
                        Some(name) => self.declare(name),
                        None => self.hidden(),
                    };
                    if it.name.is_none() {
                        self.scope().anonymous.keyword_rest = Some(slot);
                    }
                    parameters.keyword_rest = KeywordRest::Rest(slot);
                }
                Node::Kwnilarg(_) => parameters.keyword_rest = KeywordRest::Refused,
                Node::Blockarg(it) => {
                    let slot = match it.name.as_deref() {
                        Some(name) => self.declare(name),
                        None => self.hidden(),
                    };
                    if it.name.is_none() {
                        self.scope().anonymous.block = Some(slot);
                    }
                    parameters.block = Some(slot);
                }
                Node::ForwardArg(_) => {
                    let (rest, keyword_rest, block) = (self.hidden(), self.hidden(), self.hidden());
                    parameters.rest = Some(Some(rest));
                    parameters.keyword_rest = KeywordRest::Rest(keyword_rest);
                    parameters.block = Some(block);
                    self.scope().anonymous = super::Anonymous {
                        rest: Some(rest),
                        keyword_rest: Some(keyword_rest),
                        block: Some(block),
                    };
                }
                Node::Shadowarg(it) => {
                    self.declare(&it.name);
                }
                _ => {}
            }
        }
        parameters.is_plain = optional.is_empty()
            && post.is_empty()
            && keywords.is_empty()
            && parameters.rest.is_none()
            && parameters.block.is_none()
            && matches!(parameters.keyword_rest, KeywordRest::None)
            && required
                .iter()
                .enumerate()
                .all(|(index, it)| matches!(it, Parameter::Slot(slot) if *slot as usize == index));
        let needed = required.len() + post.len();
        let most = parameters.rest.is_none().then_some(needed + optional.len());
        let takes_keywords = !keywords.is_empty() || !matches!(parameters.keyword_rest, KeywordRest::None);
        // `|a|` and `|a, &b|` take the array as it is; `|a,|`, which the parser does not mark as sole, spreads it.
        let is_sole = most == Some(1) && needed == 1 && (has_sole || parameters.block.is_some());
        let keeps_for_keywords = takes_keywords && most == Some(1);
        parameters.is_spread =
            is_block && (needed > 0 || optional.len() > 1) && !is_sole && !keeps_for_keywords;
        parameters.required = required.into();
        parameters.optional = optional.into();
        parameters.post = post.into();
        parameters.keywords = keywords.into();
        parameters
    }
}
