//! `unresolved-variable`: a variable is read that nothing sets.

use std::cell::{OnceCell, RefCell};
use std::collections::BTreeMap;

use foldhash::{HashMap, HashSet};
use marotte_db::{Db, module_file};
use marotte_diagnostics::{Level, rules};
use marotte_hir::body::{BinaryOp, Body, Expr, LambdaId, Variable, parts};
use marotte_hir::{ExprId, Item, ItemKind, NameKind};
use marotte_infer::declarations::value_of;
use marotte_infer::inference::{element, is_fact, misspelled_part, outline};
use marotte_pcore::types::{Type, TypeKind};
use marotte_resolve::call::NamedCall;
use marotte_resolve::globals::{self, fact_by_name, fact_type, is_of_compiler};
use marotte_resolve::metadata::metadata;
use marotte_resolve::names::{Ancestors, AncestorsEnd, Lookup, ancestors, known, look_up};
use marotte_resolve::spelling::{Names, has_swapped_letters, is_slip, nearest};
use marotte_resolve::suggest::{in_misspelled_module, misspelled_global};
use marotte_text::Str;

use super::not_found;
use crate::analysis::names::fact_paths::fact_path;
use crate::analysis::names::foreign_names::{Used, meant_elsewhere, meant_fact};
use crate::analysis::variables::shared_reads::{Origin, origin};
use crate::analysis::variables::variable_tests::{Filled, VariableTest};
use crate::context::{At, Context};

pub(in crate::rules) fn check(context: &mut Context<'_, '_>) {
    // A template without parameters can read all variables of its caller.
    if context.item.kind(context.db) != ItemKind::Template || !context.body.parameters.is_empty() {
        let known = Known::default();
        for id in context.inference().unset() {
            local(context, &known, *id, true);
        }
        for id in context.inference().unbound() {
            local(context, &known, *id, false);
        }
    } else {
        let times = times_read(context);
        let own: Names = context.body.variables().cloned().collect();
        for id in context.inference().unbound() {
            beside_own(context, &times, &own, *id);
        }
    }
    let body = context.body;
    for (id, expr) in body.exprs() {
        if context.inference().is_unreachable(id) {
            continue;
        }
        match expr {
            Expr::Variable(variable) => match &**variable {
                Variable::Qualified { scope, name, .. } => qualified(context, id, scope, name),
                Variable::Top(name) => {
                    top(context, At::Expr(id), name, &format!("nothing sets the variable `$::{name}`"));
                }
                Variable::Local { .. } | Variable::Group(_) => {}
            },
            Expr::Access { target, keys } => {
                let [key] = keys[..] else { continue };
                if let Some(name) = fact_by_name(body, expr) {
                    top(context, At::Expr(key), name, &format!("there is no fact `{name}`"));
                } else if is_fact(body, *target) {
                    whole(context, *target, key);
                    part(context, *target, key);
                } else if matches!(body.expr(*target), Expr::Variable(_)) {
                    of_variable(context, *target, key);
                }
            }
            Expr::Binary(it) if it.op == BinaryOp::In && globals::is_facts(body, it.right) => {
                if let Expr::String(name) = body.expr(it.left) {
                    top(context, At::Expr(it.left), name, &format!("there is no fact `{name}`"));
                }
            }
            _ => {
                if let Some(call) = NamedCall::of(expr) {
                    path(context, &fact_path(body, &call));
                }
            }
        }
    }
}

/// Classifiers and sites have variables and facts of their own: only certain misspellings are reported.
fn top(context: &mut Context<'_, '_>, at: At, name: &str, message: &str) {
    let (db, file, environment) = (context.db, context.file, context.environment);
    if globals::is_global(db, file, environment, name) {
        return;
    }
    let meant = misspelled_global(db, file, environment, name).map(Str::from);
    if let Some(meant) = meant.or_else(|| meant_fact(context, name)) {
        let finding = context.report(rules::UNRESOLVED_VARIABLE, at, message);
        finding.level = Level::Warning;
        finding.label = Some(format!("did you mean `{meant}`?"));
    }
}

/// A name that is too short for a certain misspelling still counts as one if the part that is read belongs to another fact.
fn whole(context: &mut Context<'_, '_>, target: ExprId, part: ExprId) {
    let (db, file, environment, body) = (context.db, context.file, context.environment, context.body);
    let fact = body.expr(target);
    let (Some(name), Expr::Access { keys, .. }, Expr::String(part)) =
        (fact_by_name(body, fact), fact, body.expr(part))
    else {
        return;
    };
    if globals::is_global(db, file, environment, name)
        || misspelled_global(db, file, environment, name).is_some()
    {
        return;
    }
    if let (Some(meant), [key]) = (globals::fact_with_part(name, part), &keys[..]) {
        let message = format!("there is no fact `{name}`");
        let finding = context.report(rules::UNRESOLVED_VARIABLE, At::Expr(*key), message);
        finding.level = Level::Warning;
        finding.label = Some(format!("did you mean `{meant}`?"));
    }
}

/// Checks the path that a call reads from the hash of all facts.
fn path(context: &mut Context<'_, '_>, path: &[(ExprId, &str)]) {
    let Some((name, parts)) = path.split_first() else { return };
    top(context, At::Expr(name.0), name.1, &format!("there is no fact `{}`", name.1));
    let names: Vec<&str> = parts.iter().map(|it| it.1).collect();
    if let Some((number, meant)) = misspelled_step(context, name.1, &names)
        && let Some((at, part)) = parts.get(number)
    {
        let message = format!("no machine has the part `{part}` of this fact");
        let finding = context.report(rules::UNRESOLVED_VARIABLE, At::Expr(*at), message);
        finding.level = Level::Warning;
        finding.label = Some(format!("did you mean `{meant}`?"));
    }
}

/// The number of the first step into a fact that leads to no part of it, but nearly to one, and the name of that one.
pub(super) fn misspelled_step(
    context: &Context<'_, '_>,
    fact: &str,
    parts: &[&str],
) -> Option<(usize, String)> {
    let mut found = fact_type(context.db, context.environment, fact);
    for (number, part) in parts.iter().enumerate() {
        let whole = found?;
        let key = Type::literal(*part);
        if let Some(meant) = misspelled_part(&whole, &key) {
            return Some((number, meant.to_owned()));
        }
        found = element(&whole, &key);
    }
    None
}

/// Checks a key of a variable that is a fact, or is set by the compiler.
fn of_variable(context: &mut Context<'_, '_>, target: ExprId, key: ExprId) {
    let (body, inference) = (context.body, context.inference());
    let (Some(whole), Some(name)) = (inference.type_of(target), inference.type_of(key)) else { return };
    if misspelled_part(whole, name).is_some() && is_fact(body, value_of(body, target)) {
        part(context, target, key);
        return;
    }
    let (Expr::Variable(variable), Expr::String(name), TypeKind::Struct(parts)) =
        (body.expr(target), body.expr(key), whole.kind())
    else {
        return;
    };
    let (variable, is_local) = match &**variable {
        Variable::Top(variable) => (variable, false),
        Variable::Local { name: variable, .. } => (variable, true),
        _ => return,
    };
    let names = || parts.iter().map(|it| it.name.as_str());
    if !is_of_compiler(variable)
        || names().any(|it| it == name)
        || is_local && !inference.unbound().contains(&target)
    {
        return;
    }
    let label = match nearest(name, names()) {
        Some(meant) => format!("did you mean `{meant}`?"),
        None => "no such key".to_owned(),
    };
    let keys: Vec<String> = names().map(|it| format!("`{it}`")).collect();
    let message = format!("`${variable}` has no key `{name}`");
    let finding = context.report(rules::UNRESOLVED_VARIABLE, At::Expr(key), message);
    finding.label = Some(label);
    finding.notes.push(format!("its keys are {}", keys.join(", ")));
}

/// Some parts of facts exist on some machines only: only certain misspellings are reported.
fn part(context: &mut Context<'_, '_>, target: ExprId, key: ExprId) {
    let inference = context.inference();
    let (Some(fact), Some(name)) = (inference.type_of(target), inference.type_of(key)) else { return };
    let Some(meant) = misspelled_part(fact, name) else { return };
    let finding =
        context.report(rules::UNRESOLVED_VARIABLE, At::Expr(key), "no machine has this part of the fact");
    finding.level = Level::Warning;
    finding.label = Some(format!("did you mean `{meant}`?"));
}

fn local<'db>(context: &mut Context<'db, '_>, known: &Known<'db>, id: ExprId, is_set_later: bool) {
    let Expr::Variable(variable) = context.body.expr(id) else { return };
    let Variable::Local { name, .. } = &**variable else { return };
    if globals::is_global(context.db, context.file, context.environment, name) {
        return;
    }
    let (inference, body) = (context.inference(), context.body);
    let names =
        known.names.get_or_init(|| inference.outline().names().chain(body.variables()).cloned().collect());
    let may_be = |it: &str| !known.is_made_of(body, id, it);
    let meant = match name.as_str() {
        "true" | "false" | "undef" | "default" => Some(name.to_string()),
        _ => of_module(context, name),
    };
    let is_meant = meant.is_some() || names.slip(name, may_be).is_some();
    let asked = match is_set_later {
        false => context.variable_test(name),
        true if known.is_filled_in(context, name) => VariableTest::Value,
        true => VariableTest::None,
    };
    let is_known = || globals::is_read_by_manifest(context.db, context.environment, name.clone());
    if asked == VariableTest::Presence || (!is_meant && (known.is_applied(context, id) || is_known())) {
        return;
    }
    let similar = meant.or_else(|| names.nearest(name, may_be).map(|it| format!("${it}")));
    let origin = match is_set_later || is_meant {
        true => Origin::Nowhere,
        false => origin(context.db, context.file, context.environment, name),
    };
    // A name that only lacks the module's prefix is for the site to set.
    let is_another = |it: &String| {
        let it = it.trim_start_matches('$');
        name.ends_with(it) || !is_near_behind_prefix(name, it)
    };
    let is_alone = || !is_meant && similar.as_ref().is_none_or(is_another);
    let is_doubtful = match origin {
        Origin::Nowhere | Origin::Unknown if asked == VariableTest::Value => is_set_later || is_alone(),
        Origin::Nowhere => !is_set_later && similar.is_none() && is_of_site(context),
        Origin::Unknown => similar.is_none(),
        Origin::Perhaps => true,
        Origin::Site if similar.is_none() => return,
        Origin::Site => true,
    };
    let message = if is_set_later {
        format!("the variable `${name}` is read before it is set")
    } else {
        format!("nothing sets the variable `${name}`")
    };
    // A misspelled definition is one error, however often the variable is read.
    if context.add_place(rules::UNRESOLVED_VARIABLE, &message, At::Expr(id), "it is read here, too") {
        return;
    }
    let is_own_default = known.own_defaults.get_or_init(|| own_defaults(body)).contains(&id);
    let is_program = matches!(context.item.kind(context.db), ItemKind::Program | ItemKind::Node(_));
    let finding = context.report(rules::UNRESOLVED_VARIABLE, At::Expr(id), message);
    if is_doubtful || (is_program && !is_set_later) {
        // A top-scope variable may come from a classifier, or be a fact of some machines.
        finding.level = Level::Warning;
    }
    if !is_set_later {
        finding.label = Some(match similar {
            _ if is_own_default => "a parameter cannot be its own default value".to_owned(),
            Some(similar) => format!("did you mean `{similar}`?"),
            None => "no such variable, and no fact that is known".to_owned(),
        });
    }
}

/// Whether code may belong to a site whose modules aren't all available: these, or its node classifier, may set the variables
/// that it reads. Published modules have metadata, and rely only on the modules listed there.
fn is_of_site(context: &Context<'_, '_>) -> bool {
    /// The usual names of a site's own modules, whatever metadata these have.
    const OF_SITES: [&str; 5] = ["profile", "profiles", "role", "roles", "site"];
    let (db, environment) = (context.db, context.environment);
    let is_published = module_file(db, context.file).is_some_and(|it| {
        !OF_SITES.contains(&&*it.module) && metadata(db, environment, it.module.clone()).is_some()
    });
    !environment.is_complete(db) && !is_published
}

/// Whether two names are similar apart from their common prefix: many start with their module's name.
fn is_near_behind_prefix(name: &str, other: &str) -> bool {
    let same = name.bytes().zip(other.bytes()).take_while(|(one, other)| one == other).count();
    let prefix = name.as_bytes()[..same].iter().rposition(|it| *it == b'_').map_or(0, |it| it + 1);
    nearest(&name[prefix..], [&other[prefix..]]).is_some()
}

/// Facts about a body that each of its unknown variables needs.
#[derive(Default)]
struct Known<'db> {
    /// The names that are set.
    names: OnceCell<Names>,
    /// The assignments in whose values a variable is read.
    read_by: OnceCell<HashMap<ExprId, Vec<ExprId>>>,
    /// The variables that an assignment sets.
    set_by: RefCell<HashMap<ExprId, HashSet<&'db str>>>,
    /// The variables for which the body may provide a default.
    filled: OnceCell<Filled<'db>>,
    /// The blocks of `apply`.
    applied: OnceCell<Vec<LambdaId>>,
    /// The variables in defaults of the parameters of their names.
    own_defaults: OnceCell<HashSet<ExprId>>,
}

impl<'db> Known<'db> {
    /// Whether the value of a variable is computed from an expression, which isn't a misspelling of the variable then.
    fn is_made_of(&self, body: &'db Body, id: ExprId, name: &str) -> bool {
        let read_by = self.read_by.get_or_init(|| {
            let mut read_by: HashMap<ExprId, Vec<ExprId>> = HashMap::default();
            for (assignment, expr) in body.exprs() {
                let Expr::Assign { value, .. } = expr else { continue };
                each_part(body, *value, &mut |part| {
                    if matches!(body.expr(part), Expr::Variable(_)) {
                        read_by.entry(part).or_default().push(assignment);
                    }
                });
            }
            read_by
        });
        let mut set_by = self.set_by.borrow_mut();
        let mut sets = |assignment: &ExprId| {
            let names = set_by.entry(*assignment).or_insert_with(|| match body.expr(*assignment) {
                Expr::Assign { target, .. } => {
                    target.variables().into_iter().map(|it| it.1.as_str()).collect()
                }
                _ => HashSet::default(),
            });
            names.contains(name)
        };
        read_by.get(&id).is_some_and(|it| it.iter().any(&mut sets))
    }

    /// Whether the body provides a default for a variable.
    fn is_filled_in(&self, context: &Context<'db, '_>, name: &str) -> bool {
        self.filled.get_or_init(|| Filled::new(context.body)).contains(&context.flow(), name)
    }

    /// Whether an expression is in the block of an `apply`, which also reads the variables of targets.
    fn is_applied(&self, context: &Context<'db, '_>, id: ExprId) -> bool {
        let blocks = self.applied.get_or_init(|| {
            let block = |expr: &Expr| match expr {
                Expr::Apply(_, block) => Some(*block),
                _ => None,
            };
            context.body.exprs().filter_map(|(_, expr)| block(expr)).collect()
        });
        !blocks.is_empty() && blocks.iter().any(|it| context.flow().is_in(id, *it))
    }
}

/// Calls `found` with an expression and its parts.
fn each_part(body: &Body, whole: ExprId, found: &mut dyn FnMut(ExprId)) {
    let mut open = vec![whole];
    while let Some(it) = open.pop() {
        found(it);
        parts(body, body.expr(it), &mut |part, _| open.push(part));
    }
}

/// The variables that the default of a parameter reads by the parameter's own name.
fn own_defaults(body: &Body) -> HashSet<ExprId> {
    let mut found = HashSet::default();
    for parameter in &body.parameters {
        let Some(default) = parameter.default else { continue };
        each_part(body, default, &mut |part| {
            if let Expr::Variable(variable) = body.expr(part)
                && matches!(&**variable, Variable::Local { name, .. } if *name == parameter.name)
            {
                found.insert(part);
            }
        });
    }
    found
}

/// Checks a variable read by a template that may be passed anything: only typos of variables that it sets itself
/// or reads several times are reported.
fn beside_own(context: &mut Context<'_, '_>, times: &BTreeMap<&str, usize>, own: &Names, id: ExprId) {
    let Expr::Variable(variable) = context.body.expr(id) else { return };
    let Variable::Local { name, .. } = &**variable else { return };
    // An additional underscore isn't a slip: such a name often denotes a value derived from the other variable.
    let meant = own.inner_slip(name).or_else(|| own.slip(name, |_| true));
    let meant = meant.or_else(|| read_often(times, name));
    let plain = |name: &str| name.replace('_', "");
    let Some(meant) = meant.filter(|it| plain(it) != plain(name)) else { return };
    if globals::is_global(context.db, context.file, context.environment, name) {
        return;
    }
    let message = format!("the template neither sets `${name}` nor declares it as a parameter");
    let label = format!("did you mean `${meant}`?");
    let finding = context.report(rules::UNRESOLVED_VARIABLE, At::Expr(id), message);
    finding.level = Level::Warning;
    finding.label = Some(label);
}

/// How often a template reads each of the variables that it does not set.
fn times_read<'b>(context: &Context<'b, '_>) -> BTreeMap<&'b str, usize> {
    let body = context.body;
    let mut times = BTreeMap::new();
    for id in context.inference().unbound() {
        if let Expr::Variable(variable) = body.expr(*id)
            && let Variable::Local { name, .. } = &**variable
        {
            *times.entry(name.as_str()).or_default() += 1;
        }
    }
    times
}

/// The variable that a template reads several times, if it reads this one once and the names are nearly equal.
fn read_often<'b>(times: &BTreeMap<&'b str, usize>, name: &str) -> Option<&'b str> {
    const MOST: usize = 200;
    if times.len() > MOST || times.get(name).is_none_or(|it| *it > 1) {
        return None;
    }
    let mut often = times.iter().filter(|it| *it.1 > 1).map(|it| *it.0);
    often.find(|it| is_slip(name, it) || has_swapped_letters(name, it))
}

/// The variable, with `$`, of the module's main class that has this name: only the class itself can read it by its short name.
fn of_module(context: &Context<'_, '_>, name: &str) -> Option<String> {
    let module = &module_file(context.db, context.file)?.module;
    let class = known(context.db, context.file, NameKind::Class, module)?;
    let is_set = class != context.item && outline(context.db, class).variable(name).is_some();
    is_set.then(|| format!("${module}::{name}"))
}

/// The names of the variables of a class and its ancestors.
#[salsa::tracked(returns(ref))]
pub(super) fn names_of<'db>(db: &'db dyn Db, class: Item<'db>) -> Names {
    let all = [class].into_iter().chain(ancestors(db, class).classes);
    all.flat_map(|it| outline(db, it).names().cloned()).collect()
}

fn no_class(name: &str) -> String {
    format!("there is no class `{name}`, whose variable this would be")
}

fn qualified(context: &mut Context<'_, '_>, id: ExprId, scope: &str, name: &str) {
    if scope == "settings" || name.starts_with(|it: char| it.is_ascii_digit()) {
        return;
    }
    let db = context.db;
    match look_up(db, context.file, NameKind::Class, scope) {
        Lookup::Unknown | Lookup::Missing if context.tests_qualified(scope, name) => {}
        Lookup::Unknown => {
            let meant = in_misspelled_module(db, context.file, NameKind::Class, scope);
            let meant = meant.map(|it| it.name(db).clone());
            if let Some(meant) = meant.or_else(|| meant_elsewhere(context, Used::Class, scope)) {
                let rule = rules::UNRESOLVED_VARIABLE;
                not_found::report_unknown(context, rule, At::Expr(id), no_class(scope), &meant);
            }
        }
        Lookup::Missing => {
            let (at, message) = (At::Expr(id), no_class(scope));
            not_found::report_class(context, rules::UNRESOLVED_VARIABLE, at, message, scope, None);
        }
        Lookup::Found(class) => {
            if !context.tests_qualified(scope, name) {
                of_class(context, At::Expr(id), class, name);
            }
        }
    }
}

/// Reports a variable that a class and its ancestors don't set.
pub(super) fn of_class(context: &mut Context<'_, '_>, at: At, class: Item<'_>, name: &str) {
    let db = context.db;
    let Ancestors { classes, end } = ancestors(db, class);
    let mut all = [class].into_iter().chain(classes);
    if end != AncestorsEnd::Nothing || all.any(|it| outline(db, it).variable(name).is_some()) {
        return;
    }
    // Set whenever a class is evaluated.
    if matches!(name, "title" | "name" | "module_name" | "caller_module_name")
        || globals::is_metaparameter(name)
    {
        return;
    }
    let label = match names_of(db, class).nearest(name, |_| true) {
        Some(similar) => format!("did you mean `${}::{similar}`?", class.name(db)),
        None => "no such variable".to_owned(),
    };
    let message = format!("the class `{}` sets no variable `${name}`", class.name(db));
    let related = context.defined(class, "the class is defined here");
    let finding = context.report(rules::UNRESOLVED_VARIABLE, at, message);
    finding.label = Some(label);
    finding.related.push(related);
}
