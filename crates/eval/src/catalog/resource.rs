//! Resource declarations: `type { title: … }` (F.2).

use marotte_diagnostics::{issues, rules};
use std::rc::Rc;

use foldhash::HashSet;
use marotte_catalog::{Kind, Named, Reference, Tags};
use marotte_hir::ExprId;
use marotte_hir::body::{Expr, Resource};
use marotte_pcore::infer::{generalize, infer};
use marotte_pcore::types::{ResourceType, TypeKind};
use marotte_pcore::value::{Unknown, UnknownSource, Value};
use marotte_syntax::ast::ResourceForm;
use marotte_text::Str;

use super::attribute::Attributes;
use super::doubt::Cause;
use super::instance::{Instance, Parameter, ResourceId, ResourceKind};
use super::provenance::TraceKind;
use super::tagging::add_tags;
use super::{Definition, flattened};
use crate::interpreter::{Env, Evaluated, Interpreter, Scope};
use crate::{EvaluationError, Place};

/// The data of a resource that is about to be created.
pub(super) struct NewResource<'a> {
    pub(super) kind: ResourceKind,
    pub(super) reference: Reference,
    /// The title, if it is not a string.
    pub(super) title: Option<Value>,
    pub(super) shown_kind: Kind,
    pub(super) parameters: Named<Parameter>,
    /// Why it may have more parameters than are known.
    pub(super) open: Option<Cause>,
    pub(super) place: Option<Place>,
    pub(super) form: ResourceForm,
    pub(super) scope: &'a Rc<Scope>,
    pub(super) source: Rc<Definition>,
}

/// The parameters given to resources.
#[derive(Clone)]
pub(super) struct Given {
    pub(super) parameters: Named<Parameter>,
    /// Why there may be more parameters than are known.
    pub(super) open: Option<Cause>,
}

impl Interpreter<'_> {
    /// Declares resources. The result is an array of references to them.
    pub(super) fn resource(&mut self, env: &Env<'_>, id: ExprId, resource: &Resource) -> Evaluated {
        let type_name = self.resource_type_name(env, resource.type_name)?;
        if resource.form == ResourceForm::Exported && !self.requests.has_store() {
            let message =
                "You cannot collect exported resources without storeconfigs being set; the export is ignored";
            self.warn(issues::RT_NO_STORECONFIGS_EXPORT, message.to_owned(), env.place(id));
        }
        let mut used = HashSet::default();
        let mut defaults = None;
        let mut bodies = Vec::with_capacity(resource.bodies.len());
        for body in &resource.bodies {
            let titles = self.titles(env, id, &type_name, body.title, &mut used)?;
            let mut parameters: Named<Parameter> = Named::default();
            let is_default = titles.contains(&Value::Default);
            let kind = if is_default { TraceKind::BodyDefault } else { TraceKind::Attribute };
            let Attributes { known, open } = self.attributes(env, &body.attributes, |_| kind.clone())?;
            self.note_open(env, id, open.as_ref());
            for (name, parameter) in known {
                if parameters.insert(name.clone(), parameter).is_some() {
                    let message = format!("The attribute '{name}' has already been set");
                    return Err(self.fail(env, id, rules::DUPLICATE_ATTRIBUTE, message));
                }
            }
            if is_default {
                defaults = Some((parameters.clone(), open.clone()));
            }
            bodies.push((titles, parameters, open));
        }
        let mut made = Vec::new();
        for (titles, parameters, open) in bodies {
            let (parameters, open) = match &defaults {
                None => (parameters, open),
                Some((defaults, open_defaults)) => {
                    let all = defaults.iter().map(|(name, it)| (name.clone(), it.clone()));
                    (all.chain(parameters).collect(), open.or_else(|| open_defaults.clone()))
                }
            };
            let titles: Vec<Value> = titles.into_iter().filter(|it| it.as_str().is_some()).collect();
            let place = Some(env.place(id));
            made.extend(self.declare_resources(
                env,
                &type_name,
                &titles,
                Given { parameters, open },
                place,
                resource.form,
            )?);
        }
        Ok(Value::Array(made.into_iter().collect()))
    }

    /// The type name of a resource expression.
    fn resource_type_name(&mut self, env: &Env<'_>, id: ExprId) -> Evaluated<Str> {
        let expr = env.code.body.expr(id);
        if let Expr::String(name) = expr {
            return Ok(name.clone());
        }
        let may_denote = match expr {
            Expr::Reference(_) => true,
            Expr::Access { target, .. } => matches!(env.code.body.expr(*target), Expr::Reference(_)),
            _ => false,
        };
        let value = self.eval(env, id)?;
        let value = self.decided(env, id, value)?;
        let actual = match &value {
            Value::Type(it) if may_denote => match it.resolved().kind() {
                TypeKind::Class(None) => return Ok("class".into()),
                TypeKind::Resource(ResourceType { type_name: Some(name), title: None, .. }) => {
                    return Ok(name.clone());
                }
                TypeKind::Class(_) | TypeKind::Resource(_) => it.to_string(),
                _ => generalize(&infer(self.dialect(), &value)).to_string(),
            },
            value => generalize(&infer(self.dialect(), value)).to_string(),
        };
        let message = format!(
            "Illegal Resource Type expression, expected result to be a type name, or untitled Resource, got {actual}"
        );
        Err(self.fail(env, id, issues::ILLEGAL_RESOURCE_TYPE, message))
    }

    /// The titles of a body: strings, or `default` (F7).
    fn titles(
        &mut self,
        env: &Env<'_>,
        id: ExprId,
        type_name: &str,
        title: ExprId,
        used: &mut HashSet<Value>,
    ) -> Evaluated<Vec<Value>> {
        let value = self.eval(env, title)?;
        if value == Value::Undef {
            let message = "Missing title. The title expression resulted in undef".to_owned();
            return Err(self.fail(env, title, issues::MISSING_TITLE, message));
        }
        let mut titles = flattened([value]);
        if let Some(by) = titles.iter().find_map(Value::unknown) {
            // The resources with the other titles exist nevertheless.
            titles.retain(|it| !it.has_unknown());
            self.doubt_resources(env, title, type_name, &by);
        }
        for (index, title_value) in titles.iter().enumerate() {
            let (issue, message) = match title_value {
                Value::Undef => (
                    issues::MISSING_TITLE_AT,
                    format!(
                        "Missing title at index {index}. The title expression resulted in an undef title"
                    ),
                ),
                Value::String(text) if text.is_empty() => (
                    issues::EMPTY_STRING_TITLE_AT,
                    format!(
                        "Empty string title at {index}. Title strings must have a length greater than zero."
                    ),
                ),
                Value::String(_) | Value::Default if used.insert(title_value.clone()) => continue,
                Value::String(_) | Value::Default => {
                    let shown = title_value.as_str().unwrap_or("default");
                    let message =
                        format!("The title '{shown}' has already been used in this resource expression");
                    return Err(self.fail(env, id, issues::DUPLICATE_TITLE, message));
                }
                other => {
                    let actual = generalize(&infer(self.dialect(), other));
                    (
                        issues::ILLEGAL_TITLE_TYPE_AT,
                        format!("Illegal title type at index {index}. Expected String, got {actual}"),
                    )
                }
            };
            return Err(self.fail(env, title, issue, message));
        }
        Ok(titles)
    }

    /// Declares resources of one type with the same parameters.
    pub(super) fn declare_resources(
        &mut self,
        env: &Env<'_>,
        type_name: &str,
        titles: &[Value],
        given: Given,
        place: Option<Place>,
        form: ResourceForm,
    ) -> Evaluated<Vec<Value>> {
        let is_class = type_name.eq_ignore_ascii_case("class");
        let native = if is_class { None } else { self.load_resource_kind(type_name)? };
        if !is_class && native.is_none() {
            return Err(EvaluationError::runtime(format!("Unknown resource type: '{type_name}'")).into());
        }
        let source = self.source(env)?;
        let type_name = Reference::new(type_name, "").type_name;
        let mut made = Vec::with_capacity(titles.len());
        let mut siblings = Vec::with_capacity(titles.len());
        for (title, given) in titles.iter().zip(std::iter::repeat_n(given, titles.len())) {
            let (title, other) = match title {
                Value::String(text) => (text, None),
                other => (&Str::from(marotte_pcore::print::literal(other)), Some(other.clone())),
            };
            let (kind, reference, shown_kind) = match &native {
                Some(kind) => {
                    let shown = match kind {
                        ResourceKind::Native(_) => Kind::CompilableType,
                        _ => Kind::DefinedType,
                    };
                    let reference = Reference { type_name: type_name.clone(), title: title.clone() };
                    (kind.clone(), reference, shown)
                }
                None => match self.find_class(title)? {
                    Some(class) => {
                        let reference = Reference::class(&class.name);
                        (ResourceKind::Container(class), reference, Kind::Class)
                    }
                    None => {
                        let message = format!("Could not find declared class {title}");
                        return Err(EvaluationError::runtime(message).into());
                    }
                },
            };
            let class = is_class.then(|| kind.definition().cloned()).flatten();
            let instance = self.new_instance(NewResource {
                kind,
                reference,
                title: other,
                shown_kind,
                parameters: given.parameters,
                open: given.open,
                place: place.clone(),
                form,
                scope: env.scope,
                source: Rc::clone(&source),
            })?;
            if let Some(class) = &class {
                self.instantiate_class(env.scope, class, &instance)?;
            }
            let reference = instance.reference.clone();
            let added = self.add_resource(env.scope, instance)?;
            siblings.push(added);
            if class.is_some() {
                self.showing_locals(env, |it| it.evaluate_resource(added))?;
            }
            made.push(reference.to_value());
        }
        if siblings.len() > 1 {
            let siblings: Rc<[ResourceId]> = siblings.into();
            let state = self.state()?;
            state.siblings.extend(siblings.iter().map(|it| (*it, Rc::clone(&siblings))));
        }
        Ok(made)
    }

    /// Creates a resource with its parameters, the defaults of its scope, and its own tags.
    pub(super) fn new_instance(&mut self, new: NewResource<'_>) -> Evaluated<Instance> {
        let NewResource {
            kind,
            reference,
            title,
            shown_kind,
            mut parameters,
            mut open,
            place,
            form,
            scope,
            source,
        } = new;
        let mut tags = Tags::default();
        if let Some(parameter) = parameters.get("tag") {
            self.charge_tags_of(&parameter.value)?;
            add_tags(&mut tags, &parameter.value, place.as_ref())?;
        }
        tags.add(&reference.type_name).map_err(|error| EvaluationError::runtime(error.to_string()))?;
        if title.is_none()
            && reference != Reference::main()
            && !(&*reference.title == "main" && place.is_none())
        {
            tags.add_title(&reference.title);
        }
        let defaults = self.defaults_of(scope, &reference.type_name);
        open = open.or(defaults.open);
        for (name, parameter) in defaults.known {
            if parameters.contains_key(&name) {
                continue;
            }
            if name == "tag" {
                self.charge_tags_of(&parameter.value)?;
                add_tags(&mut tags, &parameter.value, place.as_ref())?;
            }
            parameters.insert(name, parameter);
        }
        let Some(from_title) = kind.attributes_of_title(&reference.title) else {
            let title = &reference.title;
            let message = format!("No set of title patterns matched the title \"{title}\".");
            return Err(EvaluationError::runtime(message).into());
        };
        if let ResourceKind::Native(it) = &kind
            && !it.titles_are_known
        {
            open.get_or_insert_with(|| Unknown::new(UnknownSource::Title(it.name.clone())));
        }
        Ok(Instance {
            reference,
            title,
            kind,
            shown_kind,
            from_title,
            parameters,
            tags,
            place,
            is_virtual: form != ResourceForm::Regular,
            exported: form == ResourceForm::Exported,
            evaluated: false,
            has_scope_tags: false,
            scope: Rc::clone(scope),
            source,
            open,
            elsewhere: None,
        })
    }

    /// Adds a resource to the catalog, contained in the class or resource in whose scope it is declared.
    pub(super) fn add_resource(&mut self, scope: &Rc<Scope>, instance: Instance) -> Evaluated<ResourceId> {
        self.charge_resource(&instance)?;
        let place = instance.place.clone();
        let is_class = instance.is_class();
        let is_stage = instance.is_stage();
        let sets_stage = !is_class && *instance.value("stage") != Value::Undef;
        let reference = instance.reference.clone();
        let id = match self.state()?.add(instance) {
            Ok(id) => id,
            Err(clash) => {
                let mut error = EvaluationError::new(rules::DUPLICATE_DECLARATION, clash.message);
                error.others_mut().related.extend(self.state()?.resource(clash.earlier).place.clone());
                error.place = place;
                return Err(error.into());
            }
        };
        if sets_stage {
            let message = format!(
                "Only classes can set 'stage'; normal resources like {reference} cannot change run stage"
            );
            return Err(EvaluationError::runtime(message).into());
        }
        if !is_class
            && !is_stage
            && let Some(container) = scope.container.get().or_else(|| self.top.container.get())
        {
            let container = container.resource;
            self.state()?.contain(container, id);
        }
        self.doubt_realized(id)?;
        Ok(id)
    }

    /// Records that resources may have unknown attributes.
    pub(super) fn note_open(&mut self, env: &Env<'_>, at: ExprId, open: Option<&Cause>) {
        if let (Some(by), Some(state)) = (open, &mut self.catalog) {
            state.gaps.skip(by, &env.place(at));
        }
    }

    /// Records that resources of a type may be declared under unknown titles.
    pub(super) fn doubt_resources(&mut self, env: &Env<'_>, at: ExprId, type_name: &str, by: &Cause) {
        self.doubt_declared(env, type_name, by);
        let place = env.place(at);
        if let Some(state) = &mut self.catalog {
            state.gaps.skip(by, &place);
        }
    }
}
