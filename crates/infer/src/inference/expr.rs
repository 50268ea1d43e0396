//! Inference of expressions, one kind after the other.

use foldhash::HashSet;
use marotte_db::{environment_of, module_file};
use marotte_hir::ExprId;
use marotte_hir::body::{Attribute, Expr, Query, QueryKind, Segment, Target, TargetKind, Variable};
use marotte_hir::{Item, ItemKind, NameKind};
use marotte_pcore::infer::infer_set;
use marotte_pcore::types::{Size, StructElement, TupleType, Type, TypeKind};
use marotte_pcore::value::Value;
use marotte_resolve::dialect;
use marotte_resolve::globals::global_type;
use marotte_resolve::names::{Ancestors, AncestorsEnd, ancestors, known};
use marotte_text::Str;

use super::builder::{InferenceBuilder, Others};
use super::constant::constant;
use super::dependencies::reads;
use super::known::{Known, union};
use super::queries::outline;
use super::result::Outline;
use super::scope::Read;
use super::truth::truth;
use crate::declared::type_in;

/// The number of expressions between two checks for cancellation.
const OFTEN: usize = 256;

impl<'db> InferenceBuilder<'db> {
    /// Infers the type of an expression within the limits, and applies its effects on variables.
    pub(super) fn expr(&mut self, id: ExprId) -> Known {
        if !self.reachable {
            return None;
        }
        self.walked[id.index()] = true;
        if id.index().is_multiple_of(OFTEN) {
            self.db.unwind_if_revision_cancelled();
        }
        let known = self.expr_inner(id);
        // A call that doesn't return has no result.
        let known = if self.reachable { self.bounds.keep(known) } else { None };
        self.types[id.index()] = known.clone();
        known
    }

    fn expr_inner(&mut self, id: ExprId) -> Known {
        let body = self.body;
        match body.expr(id) {
            Expr::Missing | Expr::Reserved(_) => None,
            Expr::Undef | Expr::Definition => Some(Type::undef()),
            Expr::Default => Some(infer_set(dialect(), &Value::Default)),
            Expr::Boolean(value) => Some(infer_set(dialect(), &Value::Boolean(*value))),
            Expr::Integer(value) => Some(infer_set(dialect(), &Value::from(*value))),
            // Doesn't occur in checked files: all are parsed as Puppet 8.
            Expr::LargeInteger { .. } => None,
            Expr::Float(value) => Some(infer_set(dialect(), &Value::Float(*value))),
            Expr::String(text) => Some(Type::literal(text.clone())),
            Expr::Regexp(_) => Some(TypeKind::Regexp(None).into()),
            Expr::Reference(_) => self.denoted(id),
            Expr::Variable(variable) => self.variable(id, variable),
            Expr::Interpolated(segments) => self.interpolated(segments),
            Expr::Heredoc { text, .. } => self.expr(*text),
            Expr::Array(elements) => self.array(elements),
            Expr::Hash(entries) => self.hash(entries),
            Expr::Not(operand) => {
                let operand = self.expr(*operand);
                Some(TypeKind::Boolean(operand.as_ref().and_then(truth).map(|it| !it)).into())
            }
            Expr::Minus(operand) => self.minus(*operand),
            Expr::Splat(operand) => {
                let it = self.expr(*operand)?;
                matches!(it.resolved().kind(), TypeKind::Array(..) | TypeKind::Tuple(_)).then_some(it)
            }
            Expr::And(left, right) | Expr::Or(left, right) => {
                self.logical(*left, *right, matches!(body.expr(id), Expr::And(..)))
            }
            Expr::Binary(binary) => self.binary(binary),
            Expr::Assign { target, value, .. } => {
                let known = self.expr(*value);
                self.assign(target, known.clone());
                known
            }
            Expr::Relationship { left, right, .. } => {
                self.expr(*left);
                self.expr(*right)
            }
            Expr::Access { target, keys } => self.access(id, *target, keys),
            Expr::Selector(selector) => self.selector(selector),
            Expr::Call(call) => self.call(call),
            Expr::MethodCall(call) => self.method_call(call),
            Expr::If(choice) => self.choice(choice, true),
            Expr::Unless(choice) => self.choice(choice, false),
            Expr::Case(case) => self.case(case),
            Expr::Resource(resource) => {
                self.expr(resource.type_name);
                for it in &resource.bodies {
                    self.expr(it.title);
                    self.attributes(&it.attributes);
                }
                None
            }
            Expr::ResourceDefaults(target, attributes) | Expr::ResourceOverride(_, target, attributes) => {
                self.expr(*target);
                self.attributes(attributes);
                None
            }
            Expr::Collector(collector) => {
                self.expr(collector.type_ref);
                if let Some(query) = &collector.query {
                    self.query(query);
                }
                self.attributes(&collector.attributes);
                None
            }
            Expr::Apply(arguments, lambda) => {
                arguments.iter().for_each(|it| drop(self.expr(*it)));
                self.lambda(*lambda, &[]);
                None
            }
            Expr::RenderText(_) => Some(Type::undef()),
            Expr::Render(block) => {
                self.block(block);
                Some(Type::undef())
            }
        }
    }

    fn attributes(&mut self, attributes: &[Attribute]) {
        attributes.iter().for_each(|it| drop(self.expr(it.value)));
    }

    fn query(&mut self, query: &Query) {
        match &query.kind {
            QueryKind::Equal(_, value) | QueryKind::NotEqual(_, value) | QueryKind::Other(value) => {
                self.expr(*value);
            }
            QueryKind::And(left, right) | QueryKind::Or(left, right) => {
                self.query(left);
                self.query(right);
            }
        }
    }

    /// The type of a type.
    pub(super) fn denoted(&mut self, id: ExprId) -> Known {
        type_in(self.db, self.item.file(self.db), self.item.body(self.db), id).map(Type::of)
    }

    fn interpolated(&mut self, segments: &[Segment]) -> Known {
        let mut text = Some(String::new());
        for segment in segments {
            match segment {
                Segment::Text(it) => {
                    if let Some(text) = &mut text {
                        text.push_str(it);
                    }
                }
                Segment::Expr(id) => {
                    let value = self.expr(*id).as_ref().and_then(constant);
                    // Numbers have string forms of their own, and collections long ones.
                    text = match (text, value) {
                        (Some(text), Some(Value::String(it))) => Some(text + &it),
                        _ => None,
                    };
                    text = text.filter(|it| !self.bounds.is_too_long(it.len()));
                }
            }
        }
        match text {
            Some(text) => Some(Type::literal(text)),
            None => Some(Type::string()),
        }
    }

    fn array(&mut self, elements: &[ExprId]) -> Known {
        let mut types = Vec::with_capacity(elements.len());
        let mut is_exact = true;
        for id in elements {
            let known = self.expr(*id);
            if matches!(self.body.expr(*id), Expr::Splat(_)) {
                is_exact = false;
            }
            types.push(known.unwrap_or_else(Type::any));
        }
        if !is_exact {
            return Some(Type::array(Type::any(), None));
        }
        if types.is_empty() {
            return Some(infer_set(dialect(), &Value::Array(Vec::new().into())));
        }
        Some(Type::tuple(types))
    }

    fn hash(&mut self, entries: &[(ExprId, ExprId)]) -> Known {
        let mut elements: Option<Vec<StructElement>> = Some(Vec::new());
        let mut names: HashSet<Str> = HashSet::default();
        let (mut keys, mut values) = (Vec::new(), Vec::new());
        for (key, value) in entries {
            let key = self.expr(*key);
            let value = self.expr(*value);
            keys.push(key.clone());
            values.push(value.clone());
            let (key, value) = (key.as_ref().and_then(constant), value.unwrap_or_else(Type::any));
            elements = match (elements, key) {
                (Some(mut elements), Some(Value::String(name)))
                    if !name.is_empty() && names.insert(name.clone()) =>
                {
                    elements.push(StructElement { name, optional: false, value });
                    Some(elements)
                }
                _ => None,
            };
        }
        match elements {
            Some(elements) if elements.is_empty() => {
                Some(infer_set(dialect(), &Value::Hash(Default::default())))
            }
            Some(elements) => Some(TypeKind::Struct(elements.into()).into()),
            None => {
                let any = |known: Known| known.unwrap_or_else(Type::any);
                // Computed keys may be equal.
                let size = Size { min: 1, max: Some(entries.len() as u64) };
                Some(Type::hash(any(union(keys)), any(union(values)), Some(size)))
            }
        }
    }

    fn assign(&mut self, target: &Target, known: Known) {
        match &target.kind {
            TargetKind::Variable(name, _) => {
                self.types[target.at.index()] = known.clone();
                self.scopes.set(name, known);
            }
            TargetKind::Several(targets) => {
                for (index, target) in targets.iter().enumerate() {
                    let part = known.as_ref().and_then(|it| part(it, index, target));
                    self.assign(target, part);
                }
            }
            TargetKind::Other => {}
        }
    }

    fn variable(&mut self, id: ExprId, variable: &Variable) -> Known {
        match variable {
            Variable::Group(_) => Some(Type::optional(Type::string())),
            Variable::Top(name) => self.global(name),
            Variable::Local { name, .. } => match self.scopes.read(name) {
                Read::Set(known) => known,
                Read::Perhaps => {
                    self.perhaps_unset.push(id);
                    None
                }
                Read::Unset => self.outer_variable(id, name),
            },
            Variable::Qualified { scope, name, .. } => {
                let class = known(self.db, self.item.file(self.db), NameKind::Class, scope)?;
                self.outline(class)?.variable(name)?.cloned()
            }
        }
    }

    /// A variable that the body doesn't set before: one of a parent class, or of the node or the top scope.
    fn outer_variable(&mut self, id: ExprId, name: &Str) -> Known {
        // Each class has its own, whatever it inherits.
        let is_special = matches!(name.as_str(), "title" | "name" | "module_name" | "caller_module_name");
        if is_special && matches!(self.item.kind(self.db), ItemKind::Class | ItemKind::Define) {
            let module = module_file(self.db, self.item.file(self.db));
            // A folder with another name is a module by the name that it will be installed under.
            let module = module.filter(|it| name == "module_name" && !it.module.contains('-'));
            return Some(module.map_or_else(Type::string, |it| Type::literal(it.module.clone())));
        }
        let Ancestors { classes, end } = ancestors(self.db, self.item);
        for class in classes {
            if let Some(known) = self.outline(class)?.variable(name) {
                return known.cloned();
            }
        }
        if end != AncestorsEnd::Nothing {
            // The variables set there are unknown.
            return None;
        }
        if self.assigned_later(name) {
            self.unset.push(id);
            return None;
        }
        self.unbound.push(id);
        self.global(name)
    }

    /// A variable of the top scope.
    fn global(&self, name: &str) -> Known {
        // A template sees the scope of the call that renders it.
        if self.item.kind(self.db) == ItemKind::Template {
            return None;
        }
        let file = self.item.file(self.db);
        global_type(self.db, file, environment_of(self.db, file), name)
    }

    fn assigned_later(&self, name: &Str) -> bool {
        // Variables of a scope without a frame have no slots; those of lambdas in it do.
        let has_frame = self.body.frame.is_some();
        let assigned = self.assigned.get_or_init(|| {
            let mut found = HashSet::default();
            for (_, expr) in self.body.exprs() {
                if let Expr::Assign { target, .. } = expr {
                    collect_targets(target, &mut found);
                }
            }
            found
        });
        assigned.contains(&(name.clone(), has_frame))
    }

    /// The outline of a body that this one refers to.
    pub(super) fn outline(&self, item: Item<'db>) -> Option<&'db Outline> {
        /// Enough for the frames between two bodies of a chain.
        const LEFT: usize = 1 << 20;
        const MORE: usize = 8 << 20;
        // What isn't among these could lead back here.
        if self.others == Others::Unknown || !reads(self.db, self.item).contains(&item) {
            return None;
        }
        Some(stacker::maybe_grow(LEFT, MORE, || outline(self.db, item)))
    }
}

/// The variables that an assignment sets, with whether they have slots.
fn collect_targets(target: &Target, found: &mut HashSet<(Str, bool)>) {
    match &target.kind {
        TargetKind::Variable(name, slot) => {
            found.insert((name.clone(), slot.is_some()));
        }
        TargetKind::Several(targets) => targets.iter().for_each(|it| collect_targets(it, found)),
        TargetKind::Other => {}
    }
}

/// The type of one part of a destructuring assignment.
fn part(it: &Type, index: usize, target: &Target) -> Known {
    match (it.resolved().kind(), &target.kind) {
        (TypeKind::Struct(elements), TargetKind::Variable(name, _)) => {
            let element = elements.iter().find(|it| it.name == *name)?;
            (!element.optional).then(|| element.value.clone())
        }
        (TypeKind::Tuple(TupleType { types, size: None }), _) => types.get(index).cloned(),
        (TypeKind::Array(element, _), _) => Some(element.clone()),
        _ => None,
    }
    .filter(|it| !matches!(it.kind(), TypeKind::Any))
}
