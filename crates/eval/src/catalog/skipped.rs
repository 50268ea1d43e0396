//! The possible effects of expressions on a catalog, found by scanning them, and everything that they may call, without
//! evaluating them.

use std::rc::Rc;
use std::sync::Arc;

use marotte_catalog::{METAPARAMETERS, Reference};
use marotte_hir::body::{
    Attribute, AttributeName, Callee, Collector, Expr, Resource, Target, TargetKind, Variable, When, parts,
};
use marotte_hir::{Body, ExprId};
use marotte_pcore::value::Value;
use marotte_ruby::function::{Declares, Sets};
use marotte_ruby_eval::program::{Effects, Program};
use marotte_text::{Str, unrooted};

use super::Definition;
use super::definition::Wanted;
use super::doubt::{Cause, Change, Seen, Which};
use super::instance::{DoubtfulDefault, ResourceId, ResourceKind};
use super::relationship::BOTH;
use crate::RubyFile;
use crate::interpreter::{Env, Evaluated, Interpreter};

/// The context of an expression that may be evaluated.
#[derive(Clone, Copy, PartialEq, Eq)]
enum At {
    /// The code is part of the body being evaluated, whose variables it sees and sets.
    Here,
    /// The code is in a lambda of that body, which has variables of its own.
    Lambda,
    /// The code is in a function or template, which only sees the top scope.
    Function,
    /// The code is in a class or defined type, which has a scope of its own.
    Definition,
}

/// The work list of a scan.
struct Walk<'e, 'w> {
    it: &'w mut Interpreter<'e>,
    env: &'w Env<'w>,
    by: Cause,
    open: Vec<(At, Arc<Body>, ExprId)>,
    /// Whether the catalog may have been changed.
    touched: bool,
}

/// Titles. None if they are unknown.
type Titles = Option<Vec<Str>>;

impl Interpreter<'_> {
    /// Doubts all possible effects of evaluating expressions. Returns whether these may change the catalog.
    pub(crate) fn doubt(&mut self, env: &Env<'_>, ids: &[ExprId], by: &Cause) -> bool {
        let open = ids.iter().rev().map(|id| (At::Here, Arc::clone(&env.code.body), *id)).collect();
        // Assigned variables shadow outer ones.
        self.walk(env, open, by, |walk| walk.assignments())
    }

    /// Records doubt about all possible effects of calling a function written in Ruby. Returns whether these may change the
    /// catalog.
    pub(crate) fn doubt_function(&mut self, env: &Env<'_>, name: &str, by: &Cause) -> bool {
        self.walk(env, Vec::new(), by, |walk| walk.ruby_function(At::Here, name))
    }

    /// Records doubt about all possible effects of evaluating a template in ERB. Returns whether these may change the catalog.
    pub(crate) fn doubt_program(&mut self, env: &Env<'_>, program: &Program, by: &Cause) -> bool {
        self.walk(env, Vec::new(), by, |walk| walk.ruby(At::Here, &program.effects()))
    }

    /// Doubts all possible effects of the body of a resource that may or may not be evaluated.
    pub(super) fn doubt_body(&mut self, id: ResourceId, by: &Cause) {
        let Some(state) = &self.catalog else { return };
        if let ResourceKind::Define(definition) = state.resource(id).kind.clone() {
            self.in_top_scope(|it, env| it.walk(env, Vec::new(), by, |walk| walk.definition(&definition)));
        }
    }

    /// Doubts the effects of a resource of a type that is declared under an unknown title.
    pub(super) fn doubt_declared(&mut self, env: &Env<'_>, type_name: &str, by: &Cause) {
        self.walk(env, Vec::new(), by, |walk| walk.declared(&type_name.into(), None));
    }

    /// Doubts the body of a new resource that may be realized.
    pub(super) fn doubt_realized(&mut self, id: ResourceId) -> Evaluated<()> {
        let state = self.state()?;
        let instance = state.resource(id);
        if instance.is_virtual
            && let Some(by) = state.doubts.may_be_realized(&instance.reference).cloned()
        {
            self.doubt_body(id, &by);
        }
        Ok(())
    }

    /// Returns the code of all existing classes and defined types. None if it is unknown.
    fn everything_defined(&self) -> Option<Vec<Arc<Body>>> {
        self.requests.definitions()
    }

    fn walk(
        &mut self,
        env: &Env<'_>,
        open: Vec<(At, Arc<Body>, ExprId)>,
        by: &Cause,
        first: impl FnOnce(&mut Walk<'_, '_>),
    ) -> bool {
        if self.catalog.is_none() {
            return false;
        }
        let was_quiet = self.is_quiet;
        self.read_quietly(true);
        let mut walk = Walk { it: self, env, by: by.computed(), open, touched: false };
        first(&mut walk);
        while let Some((at, body, id)) = walk.open.pop() {
            walk.expression(at, &body, id);
        }
        let touched = walk.touched;
        self.read_quietly(was_quiet);
        touched
    }

    /// Sets whether messages and the findings of files are left out: skipped code may never be evaluated.
    fn read_quietly(&mut self, is_quiet: bool) {
        self.is_quiet = is_quiet;
        self.requests.read_quietly(is_quiet);
    }

    /// Why a resource that does not exist in the catalog may exist: skipped code may have declared it, under this title
    /// or an equivalent one.
    pub(crate) fn may_exist(&self, reference: &Reference) -> Option<Cause> {
        let doubts = &self.catalog.as_ref()?.doubts;
        if let Some(by) = doubts.may_be_declared(reference) {
            return Some(Arc::clone(by));
        }
        doubts.may_be_declared_of(&reference.type_name)?;
        if reference.type_name.contains(':') {
            return None;
        }
        let native = self.requests.native_type(&reference.type_name.to_lowercase()).ok()??;
        let wanted = native.parse_title(&reference.title)?;
        let mut titles = doubts.titles_of(&reference.type_name);
        titles.find(|(it, _)| native.parse_title(it).as_ref() == Some(&wanted)).map(|(_, by)| Arc::clone(by))
    }
}

impl Walk<'_, '_> {
    /// Doubts the variables that are assigned in the body being evaluated.
    fn assignments(&mut self) {
        let body = Arc::clone(&self.env.code.body);
        let mut open: Vec<ExprId> = self.open.iter().map(|(.., id)| *id).collect();
        while let Some(id) = open.pop() {
            let expr = body.expr(id);
            if let Expr::Assign { target, .. } = expr {
                self.assigned(target);
            }
            parts(&body, expr, &mut |part, when| {
                if !matches!(when, When::Called(_)) {
                    open.push(part);
                }
            });
        }
    }

    fn expression(&mut self, at: At, body: &Arc<Body>, id: ExprId) {
        let expr = body.expr(id);
        match expr {
            Expr::Resource(it) => self.resource(at, body, it),
            Expr::ResourceDefaults(of, attributes) => self.defaults(at, body, *of, attributes),
            Expr::ResourceOverride(_, of, attributes) => {
                for which in self.resources(at, body, *of) {
                    self.changed(which, attributes);
                }
            }
            Expr::Collector(it) => self.collector(body, it),
            Expr::Relationship { left, right, .. } => {
                for side in [*left, *right] {
                    for which in self.resources(at, body, side) {
                        for name in BOTH {
                            self.change(which.clone(), Change::Extended(name));
                        }
                    }
                }
            }
            Expr::Call(call) => match &call.callee {
                Callee::Function(name) => {
                    self.call(at, body, name, &call.arguments);
                }
                Callee::Type(_) | Callee::Other(_) => {}
            },
            Expr::MethodCall(call) => {
                let arguments: Vec<ExprId> = [call.receiver].iter().chain(&call.arguments).copied().collect();
                self.call(at, body, &call.name, &arguments);
            }
            _ => {}
        }
        let open = &mut self.open;
        parts(body, expr, &mut |part, when| {
            let at = match (at, when) {
                (At::Here, When::Called(_)) => At::Lambda,
                _ => at,
            };
            open.push((at, Arc::clone(body), part));
        });
    }

    fn state<T>(&mut self, change: impl FnOnce(&mut super::State) -> T) -> Option<T> {
        self.touched = true;
        self.it.catalog.as_deref_mut().map(change)
    }

    fn change(&mut self, which: Which, change: Change<'_>) {
        let by = Arc::clone(&self.by);
        self.state(|it| it.doubt_parameter(which, change, &by));
    }

    /// Doubts variables that may be set in the enclosing scope or frame.
    fn assigned(&mut self, target: &Target) {
        match &target.kind {
            TargetKind::Variable(name, slot) => match (self.env.frame, slot) {
                (Some(frame), Some(slot)) => frame.doubt(usize::from(*slot), &self.by),
                _ => {
                    // Other code can read it.
                    self.touched = true;
                    self.env.scope.doubt(name, &self.by);
                }
            },
            TargetKind::Several(targets) => targets.iter().for_each(|it| self.assigned(it)),
            TargetKind::Other => {}
        }
    }

    /// The strings that an expression evaluates to, if they are known without evaluation.
    fn texts(&self, at: At, body: &Body, id: ExprId) -> Titles {
        match body.expr(id) {
            Expr::String(text) => Some(vec![text.clone()]),
            Expr::Array(elements) => {
                let all = elements.iter().map(|it| self.texts(at, body, *it)).collect::<Option<Vec<_>>>()?;
                Some(all.into_iter().flatten().collect())
            }
            Expr::Splat(inner) => self.texts(at, body, *inner),
            Expr::Variable(variable) if at == At::Here => texts_of(&self.variable(variable)?),
            _ => None,
        }
    }

    fn variable(&self, variable: &Variable) -> Option<Value> {
        match variable {
            Variable::Local { name, .. } => self.it.find_variable(self.env, name),
            Variable::Top(name) => self.it.global(name),
            Variable::Qualified { scope, name, .. } => self.it.qualified(scope, name),
            Variable::Group(_) => None,
        }
    }

    /// The resources that an expression refers to.
    fn resources(&self, at: At, body: &Body, id: ExprId) -> Vec<Which> {
        let any = || vec![Which::any()];
        match body.expr(id) {
            Expr::Access { target, keys } => {
                let Expr::Reference(name) = body.expr(*target) else { return any() };
                if matches!(&*name.to_lowercase(), "resource" | "type") {
                    return any();
                }
                let titles: Titles = keys
                    .iter()
                    .map(|key| match body.expr(*key) {
                        // `Class[a]` and `Class[A]`, whose key is a type.
                        Expr::Reference(name) => Some(vec![name.clone()]),
                        _ => self.texts(at, body, *key),
                    })
                    .collect::<Option<Vec<_>>>()
                    .map(|it| it.into_iter().flatten().collect());
                one_or_all(name, titles)
            }
            Expr::Array(elements) => elements.iter().flat_map(|it| self.resources(at, body, *it)).collect(),
            Expr::String(text) => match Reference::parse(text) {
                Some(reference) => vec![Which::one(reference)],
                None => any(),
            },
            Expr::Resource(it) => {
                let Expr::String(name) = body.expr(it.type_name) else { return any() };
                let titles = it.bodies.iter().map(|it| self.texts(at, body, it.title));
                let titles = titles.collect::<Option<Vec<_>>>();
                one_or_all(name, titles.map(|it| it.into_iter().flatten().collect()))
            }
            Expr::Collector(it) => match body.expr(it.type_ref) {
                Expr::Reference(name) => vec![Which::of_type(name)],
                _ => any(),
            },
            // Its sides are scanned separately.
            Expr::Relationship { .. } => Vec::new(),
            Expr::Variable(variable) if at == At::Here => {
                let values = self.variable(variable).map(|it| super::flattened([it])).unwrap_or_default();
                let references: Option<Vec<Which>> =
                    values.iter().map(|it| Some(Which::one(Reference::of_value(it)?))).collect();
                references.filter(|it| !it.is_empty()).unwrap_or_else(any)
            }
            Expr::Call(call) => match &call.callee {
                Callee::Function(name) if matches!(&**name, "include" | "contain" | "require") => {
                    let classes = call.arguments.iter().map(|it| self.texts(at, body, *it));
                    let classes = classes.collect::<Option<Vec<_>>>();
                    one_or_all("class", classes.map(|it| it.into_iter().flatten().collect()))
                }
                _ => any(),
            },
            _ => any(),
        }
    }

    /// Doubts the resources that a declaration may add.
    fn resource(&mut self, at: At, body: &Body, it: &Resource) {
        let name = match body.expr(it.type_name) {
            Expr::String(name) | Expr::Reference(name) => name.clone(),
            _ => return self.everything(true),
        };
        for declared in &it.bodies {
            let titles = match body.expr(declared.title) {
                Expr::Default => continue,
                _ => self.texts(at, body, declared.title),
            };
            self.declared(&name, titles);
            // It may also be referenced by the values of its attributes.
            let other = declared.attributes.iter().find(|it| match &it.name {
                AttributeName::Name(name) => name == "alias" || !METAPARAMETERS.contains(&&**name),
                AttributeName::Unfold => true,
            });
            if other.is_some() && !name.eq_ignore_ascii_case("class") {
                self.named_otherwise(at, body, &name, &declared.attributes);
            }
        }
    }

    /// Doubts resources that may be found by names in their attributes.
    fn named_otherwise(&mut self, at: At, body: &Body, type_name: &Str, attributes: &[Attribute]) {
        let native = match type_name.contains(':') {
            true => None,
            false => self.it.requests.native_type(&type_name.to_lowercase()).ok().flatten(),
        };
        for attribute in attributes {
            let names = match &attribute.name {
                AttributeName::Unfold => None,
                AttributeName::Name(name) => {
                    let is_name = native.as_ref().is_some_and(|it| {
                        *name == it.namevar || it.namevars.as_ref().is_some_and(|all| all.contains(name))
                    });
                    if name != "alias" && name != "name" && !is_name {
                        continue;
                    }
                    self.texts(at, body, attribute.value)
                }
            };
            let by = Arc::clone(&self.by);
            for which in one_or_all(type_name, names) {
                self.state(|it| it.doubts.declare(which, &by));
            }
        }
    }

    /// Doubts resources of a type under these titles, or under any.
    fn declared(&mut self, type_name: &Str, titles: Titles) {
        if type_name.eq_ignore_ascii_case("class") {
            return match titles {
                None => self.everything(true),
                Some(titles) => titles.iter().for_each(|it| self.class(it, true)),
            };
        }
        let by = Arc::clone(&self.by);
        for which in one_or_all(type_name, titles) {
            self.state(|it| it.doubts.declare(which, &by));
        }
        if let Ok(Some(ResourceKind::Define(definition))) =
            self.it.find_resource_kind(&type_name.to_lowercase())
        {
            self.definition(&definition);
        }
    }

    /// Doubts a class that may have been declared: with parameters, or as by `include`.
    fn class(&mut self, name: &str, with_parameters: bool) {
        let reference = Reference::class(name);
        let by = Arc::clone(&self.by);
        let lower = unrooted(name).to_lowercase();
        let is_there = self.state(|it| {
            let is_there = it.class_scopes.contains_key(&*lower);
            if !is_there {
                it.doubts.declare(Which::one(reference.clone()), &by);
                if with_parameters {
                    it.doubts.declare_with_parameters(Which::one(reference), &by);
                }
            }
            is_there
        });
        if is_there == Some(false)
            && let Ok(Some(definition)) = self.it.find_class(&lower)
        {
            self.definition(&definition);
        }
    }

    /// Scans the body of a class or defined type that may be evaluated.
    fn definition(&mut self, definition: &Rc<Definition>) {
        let wanted = if definition.is_define() { Wanted::Define } else { Wanted::Class };
        let seen = Seen::definition(wanted, &definition.name);
        if self.state(|it| it.doubts.is_new(seen)) != Some(true) {
            return;
        }
        if let Some(parent) = &definition.parent {
            self.class(&parent.clone(), false);
        }
        for code in &definition.code {
            self.body(At::Definition, &self.it.whole(code).body);
        }
    }

    /// Scans a body that may be evaluated.
    fn body(&mut self, at: At, body: &Arc<Body>) {
        let defaults = body.parameters.iter().filter_map(|it| it.default.as_ref());
        let all = body.statements.iter().chain(defaults);
        self.open.extend(all.map(|id| (at, Arc::clone(body), *id)));
    }

    /// Doubts defaults that may have been set for resources of a type.
    fn defaults(&mut self, at: At, body: &Body, of: ExprId, attributes: &[Attribute]) {
        let container = match at {
            At::Here | At::Lambda => self.env.scope.container.get(),
            At::Function => None,
            // Its resources are unknown as well.
            At::Definition => return,
        };
        let top = Rc::clone(&self.it.top);
        let Some(container) = container.or_else(|| top.container.get()) else { return };
        let type_name = match body.expr(of) {
            Expr::Reference(name) => Some(Reference::new(name, "").type_name),
            _ => None,
        };
        self.touched = true;
        let mut all = container.doubtful_defaults.borrow_mut();
        for attribute in attributes {
            let parameter = match &attribute.name {
                AttributeName::Name(name) => Some(name.clone()),
                AttributeName::Unfold => None,
            };
            let is_known = |it: &DoubtfulDefault| it.type_name == type_name && it.parameter == parameter;
            if !all.iter().any(is_known) {
                all.push(DoubtfulDefault {
                    type_name: type_name.clone(),
                    parameter,
                    by: Arc::clone(&self.by),
                });
            }
        }
    }

    /// Doubts attributes of resources that may have been overridden.
    fn changed(&mut self, which: Which, attributes: &[Attribute]) {
        for attribute in attributes {
            let change = match &attribute.name {
                AttributeName::Name(name) => Change::Replaced(name),
                AttributeName::Unfold => Change::Any,
            };
            self.change(which.clone(), change);
        }
    }

    /// Doubts resources that may have been collected.
    fn collector(&mut self, body: &Body, it: &Collector) {
        if it.exported {
            if let (true, Expr::Reference(name)) = (self.it.requests.has_store(), body.expr(it.type_ref)) {
                // Resources of other nodes would be declared.
                self.declared(name, None);
            } else {
                return;
            }
        }
        let which = match body.expr(it.type_ref) {
            Expr::Reference(name) => Which::of_type(name),
            _ => Which::any(),
        };
        self.realized(which.clone());
        if !it.attributes.is_empty() {
            // The defaults of the collector's scope are applied with its overrides.
            self.change(which, Change::Any);
        }
    }

    fn realized(&mut self, which: Which) {
        let by = Arc::clone(&self.by);
        let found = self.state(|it| it.doubt_virtual(which, &by)).unwrap_or_default();
        for id in found {
            let kind = self.state(|it| it.resource(id).kind.clone());
            if let Some(ResourceKind::Define(definition)) = kind {
                self.definition(&definition);
            }
        }
    }

    /// Doubts the effects of a function that may be called.
    fn call(&mut self, at: At, body: &Body, name: &str, arguments: &[ExprId]) {
        let name = name.strip_prefix("::").unwrap_or(name);
        if self.it.builtin(name).is_some() {
            return self.builtin(at, body, name, arguments);
        }
        self.function(at, name);
    }

    /// Doubts the effects of a function that is not built in.
    fn function(&mut self, at: At, name: &str) {
        if let Some(called) = self.it.function_body(name) {
            let seen = Seen::Function(name.into());
            if self.it.catalog.as_mut().is_some_and(|it| it.doubts.is_new(seen)) {
                self.body(At::Function, &called);
            }
        } else {
            self.ruby_function(at, name);
        }
    }

    /// Records doubt about the effects of a function written in Ruby.
    fn ruby_function(&mut self, at: At, name: &str) {
        if let Some(it) = self.it.requests.ruby_function(name) {
            self.ruby(at, &Effects { declares: it.declares, sets: it.sets });
        }
    }

    /// Records doubt about the effects of code written in Ruby, and of the functions that it calls, with any arguments.
    fn ruby(&mut self, at: At, effects: &Effects) {
        let mut found: Vec<Str> = Vec::new();
        self.ruby_code(at, effects, &mut found);
        let mut next = 0;
        while let Some(name) = found.get(next).cloned() {
            next += 1;
            if let Some(builtin) = self.it.builtin(&name) {
                if builtin.may_change_catalog() {
                    self.everything(true);
                }
            } else if self.it.function_body(&name).is_some() {
                self.function(at, &name);
            } else if let Some(it) = self.it.requests.ruby_function(&name) {
                self.ruby_code(at, &Effects { declares: it.declares, sets: it.sets }, &mut found);
            }
        }
    }

    /// Records doubt about what one file of Ruby does itself, and adds the functions that it calls.
    fn ruby_code(&mut self, at: At, effects: &Effects, called: &mut Vec<Str>) {
        if matches!(at, At::Here | At::Lambda) {
            self.sets(&effects.sets);
        }
        match &effects.declares {
            Declares::Nothing => {}
            Declares::Anything => self.everything(true),
            Declares::Through(names) => {
                let new: Vec<Str> = names.iter().filter(|it| !called.contains(it)).cloned().collect();
                called.extend(new);
            }
        }
    }

    /// Doubts variables of the caller's scope that a Ruby function may set.
    fn sets(&mut self, sets: &Sets) {
        match sets {
            Sets::Nothing => return,
            Sets::Named(names) => names.iter().for_each(|it| self.env.scope.doubt(it, &self.by)),
            Sets::Anything => self.env.scope.doubt_all(&self.by),
        }
        self.touched = true;
    }

    fn builtin(&mut self, at: At, body: &Body, name: &str, arguments: &[ExprId]) {
        let texts = |it: &Self, from: usize| -> Titles {
            let given = arguments.get(from..).unwrap_or_default();
            let all = given.iter().map(|id| match body.expr(*id) {
                Expr::Access { target, keys } if is_class(body, *target) => {
                    let names = keys.iter().map(|key| match body.expr(*key) {
                        Expr::Reference(name) => Some(vec![name.clone()]),
                        _ => it.texts(at, body, *key),
                    });
                    Some(names.collect::<Option<Vec<_>>>()?.into_iter().flatten().collect())
                }
                _ => it.texts(at, body, *id),
            });
            Some(all.collect::<Option<Vec<Vec<Str>>>>()?.into_iter().flatten().collect())
        };
        match name {
            "include" | "contain" | "require" | "hiera_include" => {
                if name == "require" && matches!(at, At::Here | At::Lambda) {
                    let around = self.env.scope.container.get().map(|it| it.resource);
                    let reference =
                        around.and_then(|id| self.state(|state| state.resource(id).reference.clone()));
                    if let Some(reference) = reference {
                        self.change(Which::one(reference), Change::Extended("require"));
                    }
                }
                match texts(self, 0).filter(|_| name != "hiera_include") {
                    Some(classes) => classes.iter().for_each(|it| self.class(it, false)),
                    None => self.everything(false),
                }
            }
            "create_resources" => match arguments.first().and_then(|it| self.texts(at, body, *it)).as_deref()
            {
                Some([type_name]) => {
                    // The attributes may contain names.
                    self.declared(&Str::from(type_name.trim_start_matches('@')), None);
                }
                _ => self.everything(true),
            },
            "realize" => {
                let all: Vec<Which> = arguments.iter().flat_map(|it| self.resources(at, body, *it)).collect();
                all.into_iter().for_each(|it| self.realized(it));
            }
            "tag" => {
                let by = Arc::clone(&self.by);
                self.state(|it| it.doubts.tagged.get_or_insert(by).computed());
            }
            "call" => match arguments
                .split_first()
                .and_then(|(it, rest)| Some((self.texts(at, body, *it)?.into_iter().next()?, rest)))
            {
                Some((called, rest)) => self.call(at, body, &called.to_lowercase(), rest),
                None => self.everything(true),
            },
            "epp" => {
                let name = arguments.first().and_then(|it| self.texts(at, body, *it)?.into_iter().next());
                let Some(name) = name else { return };
                let seen = Seen::Template(name.clone());
                if self.it.catalog.as_mut().is_some_and(|it| it.doubts.is_new(seen)) {
                    match self.it.template(&name) {
                        Ok(Some(template)) => self.body(At::Function, &template.code.body),
                        Ok(None) => {}
                        // It is elsewhere, and may contain anything.
                        Err(_) => self.everything(true),
                    }
                }
            }
            "template" => {
                let names = arguments.iter().flat_map(|it| self.texts(at, body, *it).unwrap_or_default());
                for name in names.collect::<Vec<Str>>() {
                    match self.it.requests.find_file("templates", &name) {
                        Ok(Some(path)) => {
                            if let Ok(Some(program)) =
                                self.it.requests.ruby_program(RubyFile::Template(&path))
                            {
                                self.ruby(at, &program.effects());
                            }
                        }
                        Ok(None) => {}
                        Err(_) => self.everything(true),
                    }
                }
            }
            "inline_template" => {
                let texts = arguments.iter().flat_map(|it| self.texts(at, body, *it).unwrap_or_default());
                for text in texts.collect::<Vec<Str>>() {
                    if let Ok(program) = Program::template("(erb)", text.as_bytes()) {
                        self.ruby(at, &program.effects());
                    }
                }
            }
            _ => {}
        }
    }

    /// Doubts everything: any resource may have been declared, and all code of the environment evaluated.
    fn everything(&mut self, with_parameters: bool) {
        let by = Arc::clone(&self.by);
        self.state(|it| {
            it.doubts.declare(Which::any(), &by);
            if with_parameters {
                it.doubts.declare_with_parameters(Which::any(), &by);
            }
        });
        self.realized(Which::any());
        let seen = Seen::Everything;
        if self.state(|it| it.doubts.is_new(seen)) != Some(true) {
            return;
        }
        self.state(|it| it.doubts.tagged.get_or_insert(by).computed());
        match self.it.everything_defined() {
            Some(bodies) => bodies.iter().for_each(|it| self.body(At::Definition, it)),
            None => self.change(Which::any(), Change::Any),
        }
    }
}

fn is_class(body: &Body, id: ExprId) -> bool {
    matches!(body.expr(id), Expr::Reference(name) if name.eq_ignore_ascii_case("class"))
}

fn one_or_all(type_name: &str, titles: Titles) -> Vec<Which> {
    match titles {
        None => vec![Which::of_type(type_name)],
        Some(titles) => titles.iter().map(|it| Which::one(Reference::new(type_name, it))).collect(),
    }
}

/// The strings of a value: itself or its elements.
fn texts_of(value: &Value) -> Titles {
    super::flattened([value.clone()])
        .into_iter()
        .map(|it| match (&it, Reference::of_value(&it)) {
            (Value::String(text), _) => Some(text.clone()),
            (_, Some(reference)) if reference.type_name == "Class" => Some(reference.title),
            _ => None,
        })
        .collect()
}

/// Whether evaluating an expression may render a part of a template.
pub(crate) fn may_render(body: &Body, id: ExprId) -> bool {
    contains(body, id, &|expr| matches!(expr, Expr::RenderText(_) | Expr::Render(_)))
}

/// Whether evaluating an expression may match regular expressions, so that their captures are visible after it.
pub(crate) fn may_match(body: &Body, id: ExprId) -> bool {
    use marotte_hir::body::BinaryOp;
    match body.expr(id) {
        Expr::If(_) | Expr::Unless(_) | Expr::Case(_) | Expr::Selector(_) => false,
        _ => contains(
            body,
            id,
            &|expr| matches!(expr, Expr::Binary(it) if matches!(it.op, BinaryOp::Match | BinaryOp::NoMatch)),
        ),
    }
}

fn contains(body: &Body, id: ExprId, is_wanted: &dyn Fn(&Expr) -> bool) -> bool {
    let mut open = vec![id];
    while let Some(id) = open.pop() {
        let expr = body.expr(id);
        if is_wanted(expr) {
            return true;
        }
        parts(body, expr, &mut |part, _| open.push(part));
    }
    false
}
