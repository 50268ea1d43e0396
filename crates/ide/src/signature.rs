//! Signatures of definitions and functions, as displayed to the user.

use marotte_check::semantics;
use marotte_db::{File, source_text};
use marotte_eval::functions::builtin;
use marotte_hir::{Item, ItemKind, places};
use marotte_pcore::create::named;
use marotte_pcore::dialect::Dialect;
use marotte_pcore::relation::named_constructors;
use marotte_pcore::types::CallableType;
use marotte_pcore::{mismatch, print};
use marotte_resolve::ruby::ruby_functions;
use marotte_text::{normalized, unrooted};

use crate::symbol::Symbol;
use crate::token::slice;
use crate::{Db, bolt};

/// A signature of a function.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Signature {
    /// The part before the parameters: `class ntp`, `ntp::f`, `each`.
    pub(crate) head: String,
    /// The parameters, in order.
    pub(crate) parameters: Vec<SignatureParameter>,
    /// The type of the lambda.
    pub(crate) block: Option<String>,
    /// The type of the result.
    pub(crate) returns: Option<String>,
    /// The part after the parameters: ` inherits ntp::params`.
    pub(crate) tail: String,
}

/// A parameter of a [`Signature`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct SignatureParameter {
    /// The name without `$`; empty if it has none.
    pub(crate) name: String,
    /// The whole declaration: `Integer $port = 123`.
    pub(crate) text: String,
    /// The parameter is optional.
    pub(crate) is_optional: bool,
    /// The parameter takes all further arguments.
    pub(crate) is_rest: bool,
}

impl Signature {
    /// The signature of a function whose description has the parameters, and the types of the lambda and of the result, as texts.
    fn written(name: &str, parameters: &str, block: Option<&str>, returns: Option<&str>) -> Signature {
        Signature {
            head: name.to_owned(),
            parameters: split_parameters(parameters),
            block: block.map(str::to_owned),
            returns: returns.map(str::to_owned),
            tail: String::new(),
        }
    }

    /// The signature on one line, or with a line for each parameter if there are many.
    pub(crate) fn text(&self) -> String {
        const LONGEST: usize = 80;
        let texts: Vec<&str> = self.parameters.iter().map(|it| it.text.as_str()).collect();
        let block = self.block.as_ref().map(|it| format!(" |{it}|")).unwrap_or_default();
        let returns = self.returns.as_ref().map(|it| format!(" >> {it}")).unwrap_or_default();
        let is_definition = self.head.starts_with("class ") || self.head.starts_with("define ");
        let line = match texts.is_empty() && is_definition {
            true => format!("{}{}", self.head, self.tail),
            false => format!("{}({}){}{block}{returns}", self.head, texts.join(", "), self.tail),
        };
        if line.len() <= LONGEST || texts.len() < 2 {
            return line;
        }
        format!("{}(\n  {},\n){}{block}{returns}", self.head, texts.join(",\n  "), self.tail)
    }
}

/// The signature of a definition. It is memoized, because lists show those of many functions, and has no places.
#[salsa::tracked(returns(ref))]
pub(crate) fn of_item<'db>(db: &'db dyn Db, item: Item<'db>) -> Signature {
    let body = item.body(db);
    let map = places(db, item).map;
    let text = source_text(db, item.file(db)).text();
    let written = |id| map.place(id).map(|it| slice(text, it.range).to_owned());
    let parameters = body.parameters.iter().map(|it| {
        let mut all = String::new();
        if let Some(written) = it.type_expr.and_then(written) {
            all = format!("{written} ");
        }
        all += if it.captures_rest { "*$" } else { "$" };
        all += &it.name;
        if let Some(default) = it.default.and_then(written) {
            all += &format!(" = {}", shortened(&default));
        }
        SignatureParameter {
            name: it.name.to_string(),
            text: all,
            is_optional: it.default.is_some() || it.captures_rest,
            is_rest: it.captures_rest,
        }
    });
    let name = unrooted(item.name(db));
    let head = match item.kind(db) {
        ItemKind::Class => format!("class {name}"),
        ItemKind::Define => format!("define {name}"),
        ItemKind::Plan => format!("plan {name}"),
        ItemKind::TypeAlias => format!("type {name}"),
        ItemKind::Template => "template".to_owned(),
        _ => name.to_owned(),
    };
    let parent = item.signature(db).parent.as_ref();
    Signature {
        head,
        parameters: parameters.collect(),
        block: None,
        returns: body.return_type.and_then(written),
        tail: parent.map(|it| format!(" inherits {it}")).unwrap_or_default(),
    }
}

/// The default value of a parameter on one short line. Secrets are left out.
fn shortened(text: &str) -> String {
    const LONGEST: usize = 60;
    if text.contains("Sensitive") {
        return "Sensitive(…)".to_owned();
    }
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line,
    }
}

/// The signatures of a function. Empty if they aren't known.
pub(crate) fn of_function(db: &dyn Db, from: File, name: &str, symbol: &Symbol<'_>) -> Vec<Signature> {
    match symbol {
        Symbol::Item(item) => vec![of_item(db, *item).clone()],
        Symbol::BuiltinFunction(name) => {
            let Some(builtin) = builtin(name) else { return Vec::new() };
            let texts = builtin
                .overloads
                .iter()
                .filter(|it| matches!(it.body, marotte_eval::functions::Body::Run(_)));
            texts.map(|it| Signature::written(name, it.parameters, it.block, it.returns)).collect()
        }
        Symbol::BoltFunction(name) => {
            let all = bolt::function(name).into_iter().flat_map(|it| it.signatures);
            all.map(|it| Signature::written(name, it.parameters, it.block, it.returns)).collect()
        }
        Symbol::RubyFunction(file, name) => of_ruby(db, *file, name),
        _ => semantics::signatures(db, from, name).iter().map(|it| of_callable(name, it)).collect(),
    }
}

/// The signatures of the constructors of a type. Empty if it has none, or if they aren't known.
pub(crate) fn of_constructors(db: &dyn Db, name: &str, symbol: &Symbol<'_>) -> Vec<Signature> {
    let dialect = Dialect::puppet8();
    let of_type = match symbol {
        Symbol::BuiltinType(name) => named(dialect, name),
        Symbol::Item(item) => semantics::aliased_type(db, *item),
        _ => None,
    };
    let all = of_type.and_then(|it| named_constructors(dialect, &it)).unwrap_or_default();
    let signature = |it: &mismatch::Signature| {
        let mut signature = of_callable(unrooted(name), &it.callable);
        signature.returns = None;
        for (parameter, name) in signature.parameters.iter_mut().zip(&it.parameter_names) {
            parameter.name = name.to_string();
            parameter.text =
                format!("{} ${name}{}", parameter.text, if parameter.is_optional { "?" } else { "" });
        }
        signature
    };
    all.iter().map(signature).collect()
}

fn of_ruby(db: &dyn Db, file: File, name: &str) -> Vec<Signature> {
    use marotte_ruby::function::Count;
    let functions = ruby_functions(db, file);
    let Some(found) = functions.functions.iter().find(|it| normalized(&it.name) == name) else {
        return Vec::new();
    };
    let dispatches = found.dispatches.iter().filter(|it| !it.mismatch);
    dispatches
        .map(|it| {
            let parameters = it.parameters.iter().map(|it| {
                let typed = it.parameter_type.as_deref().unwrap_or("Any");
                let is_rest = matches!(it.count, Count::Repeated | Count::RequiredRepeated);
                let is_optional = !matches!(it.count, Count::Required | Count::RequiredRepeated);
                let (star, tail) =
                    (if is_rest { "*" } else { "" }, if is_optional && !is_rest { "?" } else { "" });
                SignatureParameter {
                    name: it.name.to_string(),
                    text: format!("{typed} {star}${}{tail}", it.name),
                    is_optional,
                    is_rest,
                }
            });
            Signature {
                head: name.to_owned(),
                parameters: parameters.collect(),
                block: it.block.as_ref().map(|it| {
                    let written = it.block_type.as_deref().unwrap_or("Callable");
                    if it.optional { format!("Optional[{written}]") } else { written.to_owned() }
                }),
                returns: it.return_type.as_ref().map(ToString::to_string),
                tail: String::new(),
            }
        })
        .collect()
}

fn of_callable(name: &str, callable: &CallableType) -> Signature {
    let tuple = callable.parameters.as_ref();
    let types = tuple.map(|it| it.types.iter().map(print::short).collect::<Vec<_>>()).unwrap_or_default();
    let least = tuple.map_or(0, |it| it.size_range().min);
    let parameters = types.into_iter().zip(0..).map(|(text, index)| SignatureParameter {
        name: String::new(),
        text,
        is_optional: index >= least,
        is_rest: false,
    });
    Signature {
        head: name.to_owned(),
        parameters: parameters.collect(),
        block: callable.block.as_ref().map(print::short),
        returns: callable.returns.as_ref().map(print::short),
        tail: String::new(),
    }
}

/// Splits parameters in the form in which Puppet declares them, `Integer $a, Hash[String, Any] *$b = {}`, at the commas outside
/// of brackets.
fn split_parameters(text: &str) -> Vec<SignatureParameter> {
    let (mut depth, mut from, mut parts) = (0_i32, 0, Vec::new());
    for (at, letter) in text.char_indices() {
        match letter {
            '[' | '{' | '(' => depth += 1,
            ']' | '}' | ')' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(&text[from..at]);
                from = at + 1;
            }
            _ => {}
        }
    }
    parts.push(&text[from..]);
    let parts = parts.into_iter().map(str::trim).filter(|it| !it.is_empty());
    parts
        .map(|it| {
            let name = it.split_once('$').map_or("", |(_, rest)| rest);
            let end = name.find(|it: char| !it.is_alphanumeric() && it != '_').unwrap_or(name.len());
            SignatureParameter {
                name: name[..end].to_owned(),
                text: it.to_owned(),
                is_optional: it.contains(" = ") || it.contains('*') || it.ends_with('?'),
                is_rest: it.contains("*$"),
            }
        })
        .collect()
}
