//! The steps of a lookup as data: the output of `--explain --render-as json`.

use marotte_pcore::value::{Hash, Value};
use marotte_text::Str;

use super::{Event, Step, StepKind};

impl Step {
    /// Returns all steps as nested hashes.
    pub fn data(&self) -> Value {
        match (&self.kind, &self.branches[..]) {
            (StepKind::Root | StepKind::Merge(_), [only]) => only.data(),
            (StepKind::Root, branches) => {
                let mut hash = Hash::default();
                if !branches.is_empty() {
                    hash.insert("branches".into(), self.branches());
                }
                Value::Hash(hash.into())
            }
            (StepKind::MergeSource(source), _) => {
                let mut hash = Hash::default();
                hash.insert("type".into(), "merge_source".into());
                hash.insert("merge_source".into(), (*source).into());
                Value::Hash(hash.into())
            }
            _ => Value::Hash(self.hash().into()),
        }
    }

    fn branches(&self) -> Value {
        Value::Array(self.branches.iter().map(Step::data).collect())
    }

    fn hash(&self) -> Hash {
        let mut hash = Hash::default();
        let mut insert = |key: &str, value: Value| hash.insert(key.into(), value);
        if !self.branches.is_empty() {
            insert("branches", self.branches());
        }
        if let Some(key) = &self.key {
            insert("key", text(key));
        }
        if let Some(event) = self.event {
            if event.has_value() {
                insert("value", self.value.clone().unwrap_or(Value::Undef));
            }
            insert("event", event.name().into());
        }
        if !self.texts.is_empty() {
            insert("texts", Value::Array(self.texts.iter().map(|it| Value::from(it.as_str())).collect()));
        }
        insert("type", self.kind.name().into());
        match &self.kind {
            StepKind::Interpolate(expression) => insert("expression", text(expression)),
            StepKind::Merge(strategy) => {
                insert("merge", strategy.kind.name().into());
                if let Some(options) = strategy.shown_options() {
                    insert("options", Value::Hash(options.into()));
                }
            }
            StepKind::Provider { name, config, module } => {
                insert("name", name.as_str().into());
                if let Some(config) = config {
                    insert("configuration_path", text(config));
                }
                if let Some(module) = module {
                    insert("module", text(module));
                }
            }
            StepKind::Path { original, path } => {
                insert("original_path", text(original));
                insert("path", text(path));
            }
            StepKind::Uri { original, uri } => {
                insert("original_uri", text(original));
                insert("uri", text(uri));
            }
            StepKind::Scope(name) => insert("name", name.as_str().into()),
            _ => {}
        }
        hash
    }
}

impl StepKind {
    fn name(&self) -> &'static str {
        match self {
            // The reference uses the same name for the search for a key as for the whole lookup.
            StepKind::Root | StepKind::Meta | StepKind::Data => "root",
            StepKind::InvalidKey => "invalid_key",
            StepKind::MergeSource(_) => "merge_source",
            StepKind::Module(_) => "module",
            StepKind::Interpolate(_) => "interpolate",
            StepKind::Merge(_) => "merge",
            StepKind::Provider { .. } => "data_provider",
            StepKind::Path { .. } => "path",
            StepKind::Uri { .. } => "uri",
            StepKind::SubLookup(_) => "sub_key",
            StepKind::Segment => "segment",
            StepKind::Scope(_) => "scope",
        }
    }
}

impl Event {
    fn has_value(self) -> bool {
        matches!(self, Event::Found | Event::FoundInOverrides | Event::FoundInDefaults | Event::Result)
    }

    fn name(self) -> &'static str {
        match self {
            Event::Found => "found",
            Event::FoundInOverrides => "found_in_overrides",
            Event::FoundInDefaults => "found_in_defaults",
            Event::NotFound => "not_found",
            Event::LocationNotFound => "location_not_found",
            Event::ModuleNotFound => "module_not_found",
            Event::ModuleProviderNotFound => "module_provider_not_found",
            Event::Result => "result",
        }
    }
}

fn text(it: &Str) -> Value {
    Value::String(it.clone())
}
