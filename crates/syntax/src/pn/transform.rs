//! The reference's `PNTransformer`, node by node.

use marotte_text::Str;

use super::Pn;
use crate::ast::{
    Attribute, AttributeName, Expr, ExprKind, Hash, If, Lambda, Parameter, Program, Resource, ResourceForm,
    Segment, UnaryOp,
};

type Entries = Vec<(Str, Pn)>;

/// Converts the tree of a program to the form that the reference dumps.
pub fn to_pn(program: &Program) -> Pn {
    let Some(template) = &program.template else {
        return match &*program.body {
            [] => Pn::Call("nop", vec![]),
            [single] => expr(single),
            body => Pn::Call("block", list(body)),
        };
    };
    let mut entries = Entries::new();
    let parameters = template.parameters.as_deref().unwrap_or_default();
    params(&mut entries, parameters);
    entries.push(("body".into(), Pn::List(vec![Pn::Call("epp", list(&program.body))])));
    Pn::Call("lambda", vec![Pn::Map(entries)])
}

fn list(exprs: &[Expr]) -> Vec<Pn> {
    exprs.iter().map(expr).collect()
}

fn string(text: &str) -> Pn {
    Pn::String(text.into())
}

fn call(name: &'static str, entries: Entries) -> Pn {
    Pn::Call(name, vec![Pn::Map(entries)])
}

fn entry(key: &str, value: Pn) -> (Str, Pn) {
    (key.into(), value)
}

fn expr(it: &Expr) -> Pn {
    match &it.kind {
        ExprKind::Undef => Pn::Nil,
        ExprKind::Default => Pn::Call("default", vec![]),
        ExprKind::Boolean(value) => Pn::Boolean(*value),
        ExprKind::Integer { value, radix: 10 } => Pn::Integer(*value),
        ExprKind::Integer { value, radix } => call(
            "int",
            vec![entry("radix", Pn::Integer(i64::from(*radix))), entry("value", Pn::Integer(*value))],
        ),
        // Never occurs in dumps, which are those of the reference.
        ExprKind::LargeInteger { digits, radix } => call(
            "int",
            vec![entry("radix", Pn::Integer(i64::from(*radix))), entry("value", Pn::String(digits.clone()))],
        ),
        ExprKind::Float(value) => Pn::Float(*value),
        ExprKind::String(text) => Pn::String(text.clone()),
        ExprKind::Regex(pattern) => Pn::Call("regexp", vec![Pn::String(regexp_source(pattern))]),
        ExprKind::Name(name) => Pn::Call("qn", vec![Pn::String(name.clone())]),
        ExprKind::Reference(name) => Pn::Call("qr", vec![Pn::String(name.clone())]),
        ExprKind::Variable(name) => Pn::Call("var", vec![Pn::String(name.clone())]),
        ExprKind::Reserved(word) => Pn::Call("reserved", vec![Pn::String(word.clone())]),
        ExprKind::Interpolated(segments) => Pn::Call("concat", segments.iter().map(segment).collect()),
        ExprKind::Heredoc(heredoc) => {
            let mut entries = Entries::new();
            if !heredoc.syntax.is_empty() {
                entries.push(entry("syntax", Pn::String(heredoc.syntax.clone())));
            }
            entries.push(entry("text", expr(&heredoc.text)));
            call("heredoc", entries)
        }
        ExprKind::Array(elements) => Pn::Call("array", list(elements)),
        ExprKind::Hash(it) => hash(it),
        ExprKind::Parenthesized(inner) => Pn::Call("paren", vec![expr(inner)]),
        ExprKind::Unary(unary) => match (unary.op, &unary.operand.kind) {
            (UnaryOp::Minus, ExprKind::Integer { value, .. }) => Pn::Integer(value.wrapping_neg()),
            (UnaryOp::Minus, ExprKind::Float(value)) => Pn::Float(-value),
            (UnaryOp::Minus, _) => Pn::Call("-", vec![expr(&unary.operand)]),
            (UnaryOp::Not, _) => Pn::Call("!", vec![expr(&unary.operand)]),
            (UnaryOp::Unfold, _) => Pn::Call("unfold", vec![expr(&unary.operand)]),
        },
        ExprKind::Binary(it) => Pn::Call(it.op.text(), vec![expr(&it.left), expr(&it.right)]),
        ExprKind::Assignment(it) => Pn::Call(it.op.text(), vec![expr(&it.left), expr(&it.right)]),
        ExprKind::Relationship(it) => Pn::Call(it.op.text(), vec![expr(&it.left), expr(&it.right)]),
        ExprKind::Access(access) => Pn::Call(
            "access",
            std::iter::once(expr(&access.target)).chain(access.keys.iter().map(expr)).collect(),
        ),
        ExprKind::Selector(selector) => {
            let entries = selector
                .entries
                .iter()
                .map(|entry| Pn::Call("=>", vec![expr(&entry.key), expr(&entry.value)]))
                .collect();
            Pn::Call("?", vec![expr(&selector.value), Pn::List(entries)])
        }
        ExprKind::Call(it) => invocation(
            if it.statement { "invoke" } else { "call" },
            expr(&it.callee),
            &it.arguments,
            it.lambda.as_deref(),
        ),
        ExprKind::MethodCall(it) => {
            let name = Pn::Call("qn", vec![Pn::String(it.name.clone())]);
            let functor = Pn::Call(".", vec![expr(&it.receiver), name]);
            invocation("call-method", functor, &it.arguments, it.lambda.as_deref())
        }
        ExprKind::Resource(it) => resource(it),
        ExprKind::ResourceDefaults(it) => {
            let mut entries = vec![entry("type", expr(&it.type_ref)), ops(&it.attributes)];
            form(&mut entries, it.form);
            call("resource-defaults", entries)
        }
        ExprKind::ResourceOverride(it) => {
            let mut entries = vec![entry("resources", expr(&it.resources)), ops(&it.attributes)];
            form(&mut entries, it.form);
            call("resource-override", entries)
        }
        ExprKind::Collector(it) => {
            let query = if it.query.exported { "exported-query" } else { "virtual-query" };
            let query = Pn::Call(query, it.query.condition.iter().map(expr).collect());
            let mut entries = vec![entry("type", expr(&it.type_ref)), entry("query", query)];
            if !it.attributes.is_empty() {
                entries.push(ops(&it.attributes));
            }
            call("collect", entries)
        }
        ExprKind::If(it) => if_(it),
        ExprKind::Unless(it) => {
            let mut entries = vec![entry("test", expr(&it.test))];
            branch(&mut entries, "then", Some(&it.body));
            branch(&mut entries, "else", it.otherwise.as_deref());
            call("unless", entries)
        }
        ExprKind::Case(case) => {
            let options = case
                .options
                .iter()
                .map(|option| {
                    let then = if option.body.is_empty() {
                        vec![Pn::Call("nop", vec![])]
                    } else {
                        list(&option.body)
                    };
                    Pn::Map(vec![
                        entry("when", Pn::List(list(&option.values))),
                        entry("then", Pn::List(then)),
                    ])
                })
                .collect();
            Pn::Call("case", vec![expr(&case.test), Pn::List(options)])
        }
        ExprKind::Class(it) => definition(
            "class",
            &it.name,
            it.parent.as_ref().map(|parent| &parent.0),
            &it.parameters,
            &it.body,
            None,
        ),
        ExprKind::Define(it) => definition("define", &it.name, None, &it.parameters, &it.body, None),
        ExprKind::Function(it) => {
            definition("function", &it.name, None, &it.parameters, &it.body, it.return_type.as_ref())
        }
        ExprKind::Plan(it) => definition("plan", &it.name, None, &it.parameters, &it.body, None),
        ExprKind::Node(node) => {
            let mut entries = vec![entry("matches", Pn::List(list(&node.matches)))];
            entries.extend(node.parent.iter().map(|parent| entry("parent", expr(parent))));
            branch(&mut entries, "body", Some(&node.body));
            call("node", entries)
        }
        ExprKind::Apply(it) => {
            let mut entries = vec![entry("args", Pn::List(list(&it.arguments)))];
            branch(&mut entries, "body", Some(&it.body));
            call("apply", entries)
        }
        ExprKind::TypeAlias(it) => {
            Pn::Call("type-alias", vec![Pn::String(it.name.clone()), expr(&it.type_expr)])
        }
        ExprKind::TypeMapping(it) => Pn::Call("type-mapping", vec![expr(&it.type_expr), expr(&it.mapping)]),
        ExprKind::TypeDefinition(it) => {
            let body =
                if it.body.is_empty() { Pn::Call("nop", vec![]) } else { Pn::Call("block", list(&it.body)) };
            let parent = it.parent.clone().map_or(Pn::Nil, Pn::String);
            Pn::Call("type-definition", vec![Pn::String(it.name.clone()), parent, body])
        }
        ExprKind::UntitledResource(parts) => Pn::Call("block", list(&**parts)),
        ExprKind::RenderText(text) => Pn::Call("render-s", vec![Pn::String(text.clone())]),
        ExprKind::Render(body) => {
            let rendered = match &**body {
                [single] => expr(single),
                body => Pn::Call("block", list(body)),
            };
            Pn::Call("render", vec![rendered])
        }
        ExprKind::Error => Pn::Call("error", vec![]),
    }
}

/// Ruby fixes the encoding of a pattern that requires characters beyond ASCII, and prints that as a group.
fn regexp_source(pattern: &Str) -> Str {
    if crate::regex_text::fixes_encoding(pattern) {
        Str::from(format!("(?-imx:{pattern})"))
    } else {
        pattern.clone()
    }
}

fn segment(segment: &Segment) -> Pn {
    match segment {
        Segment::Text(text) => Pn::String(text.clone()),
        Segment::Expr(inner) => Pn::Call("str", vec![expr(inner)]),
    }
}

fn hash(hash: &Hash) -> Pn {
    let entries = hash.entries.iter().map(|entry| Pn::Call("=>", vec![expr(&entry.key), expr(&entry.value)]));
    Pn::Call("hash", entries.collect())
}

fn invocation(name: &'static str, functor: Pn, arguments: &[Expr], block: Option<&Lambda>) -> Pn {
    let mut entries = vec![entry("functor", functor), entry("args", Pn::List(list(arguments)))];
    entries.extend(block.map(|block| entry("block", lambda(block))));
    call(name, entries)
}

fn lambda(lambda: &Lambda) -> Pn {
    let mut entries = Entries::new();
    params(&mut entries, &lambda.parameters);
    entries.extend(lambda.return_type.iter().map(|returns| entry("returns", expr(returns))));
    branch(&mut entries, "body", Some(&lambda.body));
    call("lambda", entries)
}

/// Adds a branch; an empty block adds no entry.
fn branch(entries: &mut Entries, key: &str, body: Option<&[Expr]>) {
    if let Some(body) = body.filter(|body| !body.is_empty()) {
        entries.push(entry(key, Pn::List(list(body))));
    }
}

/// Converts an `if`; every `elsif` becomes an `if` in the `else` of the one before.
fn if_(it: &If) -> Pn {
    let mut rest = it.otherwise.as_deref().filter(|body| !body.is_empty()).map(list);
    for arm in it.arms.iter().rev() {
        let mut entries = vec![entry("test", expr(&arm.test))];
        branch(&mut entries, "then", Some(&arm.body));
        entries.extend(rest.take().map(|rest| entry("else", Pn::List(rest))));
        rest = Some(vec![call("if", entries)]);
    }
    rest.and_then(|mut rest| rest.pop()).unwrap_or(Pn::Nil)
}

fn resource(resource: &Resource) -> Pn {
    let bodies = resource
        .bodies
        .iter()
        .map(|body| Pn::Map(vec![entry("title", expr(&body.title)), ops(&body.attributes)]))
        .collect();
    let mut entries = vec![entry("type", expr(&resource.type_name)), entry("bodies", Pn::List(bodies))];
    form(&mut entries, resource.form);
    call("resource", entries)
}

fn form(entries: &mut Entries, form: ResourceForm) {
    match form {
        ResourceForm::Regular => {}
        ResourceForm::Virtual => entries.push(entry("form", string("virtual"))),
        ResourceForm::Exported => entries.push(entry("form", string("exported"))),
    }
}

fn ops(attributes: &[Attribute]) -> (Str, Pn) {
    let ops = attributes
        .iter()
        .map(|attribute| match &attribute.name {
            AttributeName::Name(name) => {
                let arrow = if attribute.append { "+>" } else { "=>" };
                Pn::Call(arrow, vec![Pn::String(name.clone()), expr(&attribute.value)])
            }
            AttributeName::Unfold => Pn::Call("splat-hash", vec![expr(&attribute.value)]),
            AttributeName::Error => Pn::Call("error", vec![]),
        })
        .collect();
    entry("ops", Pn::List(ops))
}

fn definition(
    kind: &'static str,
    name: &Str,
    parent: Option<&Str>,
    parameters: &[Parameter],
    body: &[Expr],
    return_type: Option<&Expr>,
) -> Pn {
    let mut entries = vec![entry("name", Pn::String(name.clone()))];
    entries.extend(parent.map(|parent| entry("parent", Pn::String(parent.clone()))));
    params(&mut entries, parameters);
    branch(&mut entries, "body", Some(body));
    entries.extend(return_type.map(|returns| entry("returns", expr(returns))));
    call(kind, entries)
}

fn params(entries: &mut Entries, parameters: &[Parameter]) {
    if parameters.is_empty() {
        return;
    }
    let described = parameters
        .iter()
        .map(|parameter| {
            let mut entries = Entries::new();
            entries.extend(parameter.type_expr.iter().map(|it| entry("type", expr(it))));
            if parameter.captures_rest {
                entries.push(entry("splat", Pn::Boolean(true)));
            }
            entries.extend(parameter.value.iter().map(|value| entry("value", expr(value))));
            (parameter.name.clone(), Pn::Map(entries))
        })
        .collect();
    entries.push(entry("params", Pn::Map(described)));
}
