//! `legacy-fact`: a fact that agents of Puppet 8 don't send (I9).
//!
//! Of families of facts, such as `ipaddress_eth0`, only those with usual names: a site's own facts may be called `network_zone`.
//! Every agent sends the custom facts of modules, even those with the name of a legacy fact.

use std::cell::OnceCell;

use foldhash::HashSet;
use marotte_db::{Db, Environment, source_text};
use marotte_diagnostics::{Edit, Fix, rules};
use marotte_hiera::data::Inner;
use marotte_hiera::{ExpressionKind, expressions};
use marotte_hir::ExprId;
use marotte_hir::body::{Body, Expr, Segment, Variable};
use marotte_pcore::value::Value;
use marotte_resolve::call::NamedCall;
use marotte_resolve::custom_facts::{is_custom_fact, may_be_custom_fact};
use marotte_resolve::globals::{fact_by_name, is_set_by_program};
use marotte_ruby::core;
use marotte_text::{TextRange, unrooted};

use crate::analysis::names::fact_paths::fact_path;
use crate::context::{At, Context};
use crate::data::{DataContext, strings};

pub(in crate::rules) fn check(context: &mut Context<'_, '_>) {
    let body = context.body;
    let mut found: Vec<(ExprId, &str)> = Vec::new();
    let unbound: OnceCell<HashSet<ExprId>> = OnceCell::new();
    let is_unbound = |context: &Context<'_, '_>, id| {
        unbound.get_or_init(|| context.inference().unbound().iter().copied().collect()).contains(&id)
    };
    for (id, expr) in body.exprs() {
        match expr {
            Expr::Variable(variable) => match &**variable {
                Variable::Top(name) => found.push((id, name)),
                Variable::Local { name, .. } if core::is_legacy(name) && is_unbound(context, id) => {
                    found.push((id, name));
                }
                _ => {}
            },
            Expr::Access { .. } => found.extend(fact_by_name(body, expr).map(|name| (id, name.as_str()))),
            _ => {
                if let Some(call) = NamedCall::of(expr)
                    && let Some((at, name)) = fact_path(body, &call).first()
                {
                    found.push((*at, name));
                }
            }
        }
    }
    let segments = OnceCell::new();
    for (id, name) in found {
        let Some(fact) = legacy(context.db, context.environment, name) else { continue };
        let is_variable = matches!(body.expr(id), Expr::Variable(_));
        if is_variable && is_set_by_program(context.db, context.file, context.environment, name) {
            continue;
        }
        // Only a custom fact hides a fact of Facter from `$::name` and `$facts['name']`: no program can set a fact's
        // top-scope variable.
        let is_fact = !matches!(body.expr(id), Expr::Variable(it) if matches!(&**it, Variable::Local { .. }));
        let is_safe = is_fact && is_replaceable(context.db, context.environment, &fact);
        let keys = fact.keys();
        let is_replaced = !fact.has_other_form && !matches!(body.expr(id), Expr::String(_));
        let fix = keys.as_ref().filter(|_| is_replaced).map(|keys| {
            let is_segment = segments.get_or_init(|| interpolated(body)).contains(&id);
            replace(context, id, keys, is_safe, is_segment)
        });
        let finding = context.report(rules::LEGACY_FACT, At::Expr(id), format!("`{name}` is a legacy fact"));
        finding.label = keys.map(|keys| fact.advice(&format!("$facts{keys}")));
        finding.notes.push(NOTE.to_owned());
        finding.fix = fix;
    }
}

/// The note of all findings about legacy facts.
pub(crate) const NOTE: &str = "agents of Puppet 8 send legacy facts only if `include_legacy_facts` is set";

/// A legacy fact.
pub(crate) struct LegacyFact {
    pub(crate) name: String,
    /// The path of the fact that replaces it.
    pub(crate) replacement: Option<String>,
    /// Whether that fact has another type or another unit.
    pub(crate) has_other_form: bool,
}

impl LegacyFact {
    /// The keys of the replacement: `['os']['family']`.
    pub(crate) fn keys(&self) -> Option<String> {
        self.replacement.as_ref().map(|it| it.split('.').map(|key| format!("['{key}']")).collect())
    }

    /// Tells what to use instead, given as code.
    pub(crate) fn advice(&self, code: &str) -> String {
        let form = if self.has_other_form { ", whose value has another form" } else { "" };
        format!("use `{code}`{form}")
    }
}

/// Returns the legacy fact of this name. None if a module adds a custom fact of the same name.
pub(crate) fn legacy(db: &dyn Db, environment: Environment, name: &str) -> Option<LegacyFact> {
    let (fact, replacement) = match core::legacy_fact(name) {
        Some(_) if is_custom_fact(db, environment, name.into()) => return None,
        Some(fact) => (fact, fact.replacement.as_ref().map(|it| it.to_string())),
        None => {
            let member = core::legacy_member(name)?;
            // A module may compute the names of facts that begin like it.
            let is_own = may_be_custom_fact(db, environment, name.into());
            (member.family, (!is_own).then_some(member.replacement)?)
        }
    };
    Some(LegacyFact { name: name.to_owned(), replacement, has_other_form: core::has_other_form(fact) })
}

/// Reports the legacy facts that interpolations in data read.
pub(in crate::rules) fn check_data(context: &mut DataContext<'_, '_>) {
    let document = context.document;
    for (text, range) in strings(&document.value, &document.places) {
        texts(context, text, range, None);
    }
}

/// Reports the legacy facts that the interpolations of a `hiera.yaml` read, and the variables of `mapped_paths`.
pub(in crate::rules) fn check_configuration(context: &mut DataContext<'_, '_>) {
    let document = context.document;
    for (_, _, value, places) in document.entries().into_iter().flatten() {
        let (Value::Array(levels), Inner::Elements(inner)) = (value, &places.inner) else {
            for (text, range) in strings(value, places) {
                texts(context, text, range, None);
            }
            continue;
        };
        for (level, places) in levels.iter().zip(inner.iter()) {
            let mapped = places.entries(level).into_iter().flatten();
            let mapped = mapped.filter(|(key, ..)| key.as_str() == Some("mapped_paths"));
            let mapped: Vec<_> = mapped.flat_map(|(_, _, value, places)| strings(value, places)).collect();
            // `mapped_paths` has a variable, the name that each of its elements has in the path, and the path.
            if let Some((name, range)) = mapped.first() {
                in_data(context, *range, name);
            }
            let element = mapped.get(1).map(|it| it.0);
            for (text, range) in strings(level, places) {
                texts(context, text, range, element);
            }
        }
    }
}

/// Reports the legacy facts that the interpolations of a text read, except the variable `other`, which `mapped_paths` sets.
fn texts(context: &mut DataContext<'_, '_>, text: &str, range: TextRange, other: Option<&str>) {
    for expression in expressions(text) {
        if let ExpressionKind::Variable(name) = expression.kind
            && Some(name) != other
        {
            let at = context.range_of(range, text, expression.range.clone());
            in_data(context, at, name);
        }
    }
}

/// Reports a variable of an interpolation if it is a legacy fact: `osfamily`, or `facts.osfamily`.
fn in_data(context: &mut DataContext<'_, '_>, at: TextRange, written: &str) {
    let name = unrooted(written);
    let fact = name.strip_prefix("facts.").unwrap_or(name).split('.').next().unwrap_or_default();
    let is_variable = !name.starts_with("facts.");
    // Another rule reports an access to a part of a value that isn't a hash.
    let Some(found) = legacy(context.db, context.environment, fact) else { return };
    if is_variable && is_set_by_program(context.db, context.file, context.environment, fact) {
        return;
    }
    let replacement = found.replacement.as_ref().map(|it| format!("facts.{it}"));
    let finding = context.report(rules::LEGACY_FACT, at, format!("`{fact}` is a legacy fact"));
    finding.label = replacement.map(|it| found.advice(&it));
    finding.notes.push(NOTE.to_owned());
}

/// Whether the replacement of a legacy fact means the same wherever the fact is read, and no module adds a fact of its name.
pub(crate) fn is_replaceable(db: &dyn Db, environment: Environment, fact: &LegacyFact) -> bool {
    fact.replacement.as_deref().is_some_and(|it| is_same(&fact.name, it))
        && !may_be_custom_fact(db, environment, fact.name.as_str().into())
}

/// Whether a legacy fact and its replacement have the same value on every machine, and the hash that contains the replacement exists
/// on every machine whose operating system Facter recognizes with its release.
fn is_same(name: &str, replacement: &str) -> bool {
    let is_everywhere = ["os", "networking", "processors", "identity", "ruby", "system_uptime"];
    let is_deeper = replacement.starts_with("os.release.");
    let is_of_system = is_everywhere.iter().any(|it| {
        replacement.strip_prefix(it).and_then(|it| it.strip_prefix('.')).is_some_and(|it| !it.contains('.'))
    });
    ALIASES.contains(&name) && (is_of_system || is_deeper)
}

/// The legacy facts that Facter resolves together with a part of a structured fact, from one value, on every platform that has them
/// (`ALIASES` in its `lib/facter/facts`). It computes the others separately, such as lists of interfaces and amounts of
/// memory.
const ALIASES: [&str; 29] = [
    "architecture",
    "domain",
    "fqdn",
    "gid",
    "hardwareisa",
    "hardwaremodel",
    "hostname",
    "id",
    "ipaddress",
    "ipaddress6",
    "macaddress",
    "netmask",
    "netmask6",
    "network",
    "network6",
    "operatingsystem",
    "operatingsystemmajrelease",
    "operatingsystemrelease",
    "osfamily",
    "physicalprocessorcount",
    "processorcount",
    "rubyplatform",
    "rubysitedir",
    "rubyversion",
    "scope6",
    "uptime",
    "uptime_days",
    "uptime_hours",
    "uptime_seconds",
];

/// The expressions that strings interpolate.
fn interpolated(body: &Body) -> HashSet<ExprId> {
    let segments = body.exprs().filter_map(|(_, expr)| match expr {
        Expr::Interpolated(segments) => Some(segments),
        _ => None,
    });
    let expressions = segments.flat_map(|it| it.iter()).filter_map(|it| match it {
        Segment::Expr(id) => Some(*id),
        Segment::Text(_) => None,
    });
    expressions.collect()
}

fn replace(context: &Context<'_, '_>, id: ExprId, keys: &str, safe: bool, is_segment: bool) -> Fix {
    let range = context.range(At::Expr(id));
    let text = source_text(context.db, context.file).text();
    // `"$osfamily"`, `"${osfamily}"`, and `$osfamily`.
    let has_dollar = text[range].starts_with('$');
    let is_bare = is_segment && has_dollar && !text[..range.start().into()].ends_with("${");
    let text = match (has_dollar, is_bare) {
        (_, true) => format!("${{facts{keys}}}"),
        (true, false) => format!("$facts{keys}"),
        (false, false) => format!("facts{keys}"),
    };
    Fix { title: format!("replace with `{text}`"), safe, edits: vec![Edit { range, text }] }
}
