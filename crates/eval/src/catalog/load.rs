//! Lookup of classes, defined types and nodes: in main manifests and in module files (C18–C22, C31).

use std::cell::{Cell, OnceCell};
use std::collections::HashMap;
use std::rc::Rc;

use marotte_diagnostics::issues;
use marotte_hir::{self as hir, ExprId};
use marotte_pcore::types::{StructElement, Type};
use marotte_pcore::value::Value;
use marotte_text::{Str, normalized};

use super::Definition;
use super::definition::{DefinitionKind, FUNCTION, Redefinition, TYPE_ALIAS, Wanted};
use super::instance::ResourceKind;
use super::metaparameters::{self, check_parameter_names};
use crate::interpreter::{Env, Evaluated, Interpreter, redefined};
use crate::request::Manifest;
use crate::{Code, EvaluationError, Origin, Place, Unit, UnitSource};

impl Interpreter<'_> {
    /// Finds a class by name, loading its file if necessary.
    pub(crate) fn find_class(&mut self, name: &str) -> Evaluated<Option<Rc<Definition>>> {
        self.find_definition(Wanted::Class, name)
    }

    /// Finds a resource type by name: a native type takes precedence over a defined type, but can't have `::` in its name (C31).
    pub(crate) fn find_resource_kind(&mut self, name: &str) -> Evaluated<Option<ResourceKind>> {
        if let Some(known) = self.state()?.definitions.resource_kinds.get(name) {
            return Ok(Some(known.clone()));
        }
        let lower = name.to_lowercase();
        let native = if lower.contains(':') { None } else { self.requests.native_type(&lower)? };
        let found = match native {
            Some(native) => Some(ResourceKind::Native(native)),
            None => self.find_definition(Wanted::Define, &lower)?.map(ResourceKind::Define),
        };
        if let Some(kind) = &found
            && !self.is_quiet
        {
            self.state()?.definitions.resource_kinds.insert(name.into(), kind.clone());
        }
        Ok(found)
    }

    /// Finds a resource type in order to declare resources of it. As in the reference, a native type is loaded then,
    /// which fails if the program has a defined type of the same name.
    pub(crate) fn load_resource_kind(&mut self, name: &str) -> Evaluated<Option<ResourceKind>> {
        let kind = self.find_resource_kind(name)?;
        // The type of stages is always loaded.
        if let Some(ResourceKind::Native(native)) = &kind
            && native.name != "stage"
            && let Some(own) = self.state()?.definitions.get(Wanted::Define, &native.name)
        {
            return Err(in_the_way(&own).into());
        }
        Ok(kind)
    }

    /// Whether a resource type exists, by its name in lower case.
    pub(crate) fn is_resource_type(&mut self, name: &str) -> Evaluated<bool> {
        if self.catalog.is_none() {
            return Ok(self.requests.is_resource_type(name));
        }
        if self.state()?.definitions.coming.contains(name) {
            return Ok(true);
        }
        Ok(self.find_resource_kind(name)?.is_some())
    }

    fn find_definition(&mut self, wanted: Wanted, name: &str) -> Evaluated<Option<Rc<Definition>>> {
        let lower = Str::from(name.strip_prefix("::").unwrap_or(name).to_lowercase());
        let definitions = &self.state()?.definitions;
        if let Some(found) = definitions.get(wanted, &lower) {
            if !self.is_quiet {
                self.note_loaded(&lower, &found)?;
            }
            return Ok(Some(found));
        }
        if lower.is_empty() || definitions.missing.contains(&(wanted, lower.clone())) {
            return Ok(None);
        }
        let segments: Vec<&str> = lower.split("::").collect();
        for count in (1..=segments.len()).rev() {
            let Some((module, path)) = segments.get(..count).and_then(<[&str]>::split_first) else {
                continue;
            };
            // A module's own class is loaded first, whatever the name.
            self.load_manifest(module, "")?;
            self.load_manifest(module, &path.join("/"))?;
            if let Some(found) = self.state()?.definitions.get(wanted, &lower) {
                return Ok(Some(found));
            }
        }
        if !self.is_quiet {
            self.state()?.definitions.missing.insert((wanted, lower));
        }
        Ok(None)
    }

    /// Notes that the files are loaded in which a name is looked for, if they have only been searched so far for the possible
    /// effects of skipped code.
    fn note_loaded(&mut self, lower: &Str, found: &Definition) -> Evaluated<()> {
        let is_noted = |it: &mut Self| -> Evaluated<bool> {
            let read = &it.state()?.definitions.read_quietly;
            let is_in = |it: &Code| matches!(&*it.origin, Origin::File { path, .. } if read.contains(path));
            Ok(read.is_empty() || !found.code.iter().any(is_in))
        };
        let segments: Vec<&str> = lower.split("::").collect();
        for count in (1..=segments.len()).rev() {
            let Some((module, path)) = segments.get(..count).and_then(<[&str]>::split_first) else {
                continue;
            };
            if is_noted(self)? {
                break;
            }
            for path in [String::new(), path.join("/")] {
                if let Some(Manifest { path, .. }) = self.requests.manifest(module, &path)? {
                    self.state()?.definitions.read_quietly.remove(&path);
                }
            }
        }
        Ok(())
    }

    /// Loads a file of a module, once.
    fn load_manifest(&mut self, module: &str, path: &str) -> Evaluated<()> {
        let Some(Manifest { path, lowered }) = self.requests.manifest(module, path)? else { return Ok(()) };
        if !self.state()?.definitions.loaded.insert(path.clone()) {
            return Ok(());
        }
        if self.is_quiet {
            self.state()?.definitions.read_quietly.insert(path.clone());
        }
        let unit = Unit { lowered, source: UnitSource::File(path) };
        self.define_all(&unit, module)
    }

    /// Loads the main manifests: their code outside of definitions forms one class (C22).
    pub(super) fn load_main(&mut self) -> Evaluated<Rc<Definition>> {
        let units = self.requests.main_manifests()?;
        let mut main = Definition { module: Some(Str::new()), ..Definition::empty_class("") };
        for Manifest { path, lowered } in units {
            let unit = Unit { lowered, source: UnitSource::File(path) };
            self.define_all(&unit, "")?;
            main.code.push(unit.main());
        }
        if main.code.is_empty() {
            main.module = None;
        }
        Ok(Rc::new(main))
    }

    /// Adds all definitions of a file.
    pub(super) fn define_all(&mut self, unit: &Unit, module: &str) -> Evaluated<()> {
        self.declare(unit)?;
        // Types of parameters may mean each of them.
        let defines = unit.lowered.definitions.iter().filter(|it| it.kind == hir::DefinitionKind::Define);
        let defines: Vec<Str> = defines.map(|it| normalized(&it.name)).collect();
        self.state()?.definitions.coming.extend(defines);
        let mut made = Vec::new();
        // The first defined type of each name among them.
        let mut made_defines: HashMap<Str, Option<Place>> = HashMap::new();
        for (index, it) in unit.lowered.definitions.iter().enumerate() {
            let code = Code { body: it.body.clone(), origin: unit.origin(Some(index)) };
            let place = Place { origin: code.origin.clone(), expr: None };
            let mut definition = Definition {
                kind: DefinitionKind::Class,
                name: normalized(&it.name),
                module: Some(module.into()),
                parent: None,
                accepts: Vec::new(),
                place: Some(place),
                code: vec![code.clone()],
                whole: OnceCell::new(),
                overrides_everything: Cell::new(false),
            };
            match &it.kind {
                hir::DefinitionKind::Class(parent) => {
                    definition.parent = parent.as_ref().map(|it| normalized(it));
                }
                hir::DefinitionKind::Define => definition.kind = DefinitionKind::Define,
                hir::DefinitionKind::Node(matches) => {
                    made.extend(self.nodes(definition, &code, *matches)?);
                    continue;
                }
                hir::DefinitionKind::Function => {
                    let added =
                        self.state()?.definitions.add_other(FUNCTION, &it.name, definition.place.clone());
                    added.map_err(|again| again.at(definition.place))?;
                    continue;
                }
                hir::DefinitionKind::TypeAlias => {
                    // The resource type of a definition is loaded before the aliases that follow it.
                    let name = normalized(&it.name);
                    let earlier = made_defines.get(&name).cloned();
                    let known = self.state()?.definitions.get(Wanted::Define, &name);
                    if let Some(earlier) = earlier.or_else(|| known.map(|it| it.place.clone())) {
                        return Err(Redefinition { message: redefined(&name), earlier }
                            .at(definition.place)
                            .into());
                    }
                    let added =
                        self.state()?.definitions.add_other(TYPE_ALIAS, &it.name, definition.place.clone());
                    added.map_err(|again| again.at(definition.place))?;
                    continue;
                }
                _ => continue,
            }
            definition.accepts = self.accepted(&code)?;
            self.check_metaparameters(&definition)?;
            if matches!(definition.kind, DefinitionKind::Define) {
                let place = definition.place.clone();
                made_defines.entry(definition.name.clone()).or_insert(place);
            }
            made.push(definition);
        }
        for it in made {
            let place = it.place.clone();
            let added = self.state()?.definitions.add(it);
            added.map_err(|again| again.at(place))?;
        }
        Ok(())
    }

    /// The parameters that resources accept; the types of parameters are evaluated in the top scope.
    fn accepted(&mut self, code: &Code) -> Evaluated<Vec<StructElement>> {
        let top = Rc::clone(&self.top);
        let env = Env { code, frame: None, scope: &top, own_frames: 0 };
        let mut accepted = metaparameters::accepted();
        for it in &code.body.parameters {
            let value = it.type_expr.map_or_else(|| Ok(Type::any()), |id| self.eval_type(&env, id))?;
            let element = StructElement { name: it.name.clone(), optional: it.default.is_some(), value };
            match accepted.iter_mut().find(|it| it.name == element.name) {
                Some(known) => *known = element,
                None => accepted.push(element),
            }
        }
        Ok(accepted)
    }

    fn check_metaparameters(&mut self, definition: &Definition) -> Evaluated<()> {
        for warning in check_parameter_names(definition)? {
            if let Some(place) = &definition.place {
                self.warn(issues::METAPARAMETER_INHERITS, warning, place.clone());
            }
        }
        Ok(())
    }

    /// Splits a node definition into one per matcher (C32).
    fn nodes(&mut self, node: Definition, code: &Code, matches: usize) -> Evaluated<Vec<Definition>> {
        let top = Rc::clone(&self.top);
        let env = Env { code, frame: None, scope: &top, own_frames: 0 };
        let patterns = code.body.statements.get(..matches).unwrap_or_default();
        patterns.iter().map(|id| self.node_match(&env, *id, &node, matches)).collect()
    }

    fn node_match(
        &mut self,
        env: &Env<'_>,
        id: ExprId,
        node: &Definition,
        matches: usize,
    ) -> Evaluated<Definition> {
        let (name, regexp) = match self.eval(env, id)? {
            Value::Regexp(it) => (marotte_hir::pattern_name(it.source()), Some(it)),
            Value::Default => ("default".to_owned(), None),
            Value::String(name) => (name.to_lowercase().to_string(), None),
            other => (marotte_pcore::print::literal(&other), None),
        };
        Ok(Definition {
            kind: DefinitionKind::Node(regexp, matches),
            name: name.into(),
            module: node.module.clone(),
            parent: None,
            code: node.code.clone(),
            whole: OnceCell::new(),
            place: node.place.clone(),
            accepts: metaparameters::accepted(),
            overrides_everything: Cell::new(false),
        })
    }
}

/// The error that a defined type has the name of a native type.
fn in_the_way(own: &Definition) -> EvaluationError {
    let name = &own.name;
    let message = format!("Could not autoload puppet/type/{name}: {}", redefined(name));
    let mut error = EvaluationError::new(issues::REDEFINITION, message);
    error.others_mut().related.extend(own.place.clone());
    error
}
