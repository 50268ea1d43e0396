//! `invalid-plan`: keys and values that Bolt refuses in a plan in YAML (`Bolt::PAL::YamlPlan`).

use marotte_diagnostics::rules;
use marotte_hiera::data::{Inner, Places};
use marotte_pcore::value::Value;
use marotte_resolve::spelling::nearest;
use marotte_resolve::yaml_plans::{OF_PLAN_PARAMETERS, OF_PLANS};
use marotte_text::TextRange;

use super::Plan;

/// The keys that every step may have.
const OF_STEPS: [&str; 3] = ["description", "name", "targets"];

/// An action of a step, identified by a key.
struct Action {
    key: &'static str,
    /// The other keys that it needs.
    needs: &'static [&'static str],
    /// The keys that it may have besides those of every step.
    takes: &'static [&'static str],
}

const ACTIONS: [Action; 10] = [
    Action { key: "command", needs: &["targets"], takes: &["catch_errors", "env_vars", "run_as"] },
    Action {
        key: "download",
        needs: &["destination", "targets"],
        takes: &["catch_errors", "destination", "run_as"],
    },
    Action { key: "eval", needs: &[], takes: &[] },
    Action { key: "message", needs: &[], takes: &[] },
    Action { key: "plan", needs: &[], takes: &["catch_errors", "parameters", "run_as"] },
    Action { key: "resources", needs: &["targets"], takes: &["catch_errors", "noop", "run_as"] },
    Action {
        key: "script",
        needs: &["targets"],
        takes: &["arguments", "catch_errors", "env_vars", "pwsh_params", "run_as"],
    },
    Action { key: "task", needs: &["targets"], takes: &["catch_errors", "noop", "parameters", "run_as"] },
    Action {
        key: "upload",
        needs: &["destination", "targets"],
        takes: &["catch_errors", "destination", "run_as"],
    },
    Action { key: "verbose", needs: &[], takes: &[] },
];

/// An entry of a hash, by the key that is meant.
#[derive(Clone, Copy)]
pub(super) struct Entry<'v> {
    pub(super) key: &'v str,
    pub(super) at: TextRange,
    pub(super) value: &'v Value,
    pub(super) places: &'v Places,
}

/// A step whose keys are known.
pub(super) struct Step<'v> {
    entries: Vec<Entry<'v>>,
    /// Whether keys were found that no step has, which may have been meant as any other.
    pub(super) has_unknown: bool,
}

impl<'v> Step<'v> {
    pub(super) fn get(&self, key: &str) -> Option<Entry<'v>> {
        self.entries.iter().find(|it| it.key == key).copied()
    }
}

impl Plan<'_> {
    fn invalid(&mut self, at: TextRange, message: String, label: &str) {
        self.report(rules::INVALID_PLAN, at, message).label = Some(label.to_owned());
    }

    /// Returns the entries of a hash, which may have the known keys only. One that is nearly such a key counts as that one.
    fn entries<'v>(
        &mut self,
        what: &str,
        (value, places): (&'v Value, &'v Places),
        known: &[&'v str],
    ) -> (Vec<Entry<'v>>, bool) {
        let mut has_unknown = false;
        let missing: Vec<&'v str> =
            known.iter().copied().filter(|it| places.key(value, it).is_none()).collect();
        let mut entries = Vec::new();
        for (key, at, value, places) in places.entries(value).into_iter().flatten() {
            // Other keys are turned into texts.
            let Some(key) = key.as_str() else { continue };
            if known.contains(&key) {
                entries.push(Entry { key, at, value, places });
                continue;
            }
            let meant = nearest(key, missing.iter().copied());
            let label = meant.map_or("not a key of it".to_owned(), |it| format!("did you mean `{it}`?"));
            self.invalid(at, format!("{what} has no key `{key}`"), &label);
            match meant {
                Some(key) => entries.push(Entry { key, at, value, places }),
                None => has_unknown = true,
            }
        }
        (entries, has_unknown)
    }

    /// Returns the entries of a whole plan.
    pub(super) fn of_plan<'v>(&mut self, value: &'v Value, places: &'v Places) -> Vec<Entry<'v>> {
        if places.entries(value).is_none() {
            let message = "a plan in YAML is a hash with the key `steps`".to_owned();
            self.invalid(self.first_line(places.range), message, "not a hash");
            return Vec::new();
        }
        let (entries, has_unknown) = self.entries("a plan", (value, places), &OF_PLANS);
        let steps = entries.iter().find(|it| it.key == "steps");
        match steps {
            None if !has_unknown => {
                let message = "a plan in YAML has an array of `steps`".to_owned();
                self.invalid(self.first_line(places.range), message, "without `steps`");
            }
            Some(steps) if !matches!(steps.value, Value::Array(_)) => {
                let message = "the `steps` of a plan are an array".to_owned();
                self.invalid(steps.at, message, "not an array");
            }
            _ => {}
        }
        for it in &entries {
            if it.key == "private" && !matches!(it.value, Value::Boolean(_) | Value::Undef) {
                let message = "`private` is either `true` or `false`".to_owned();
                self.invalid(it.places.range, message, "neither of them");
            }
            if it.key == "parameters" && it.places.entries(it.value).is_none() {
                let message = "the `parameters` of a plan are a hash".to_owned();
                self.invalid(it.at, message, "not a hash");
            }
        }
        entries
    }

    /// Returns the entries of the description of a parameter.
    pub(super) fn of_parameter<'v>(
        &mut self,
        (name, at): (&str, TextRange),
        value: &'v Value,
        places: &'v Places,
    ) -> Vec<Entry<'v>> {
        if !is_name(name) {
            let message = format!("`{name}` is not a name for a parameter");
            self.invalid(at, message, "expected lower-case letters, digits and `_`");
        }
        if places.entries(value).is_none() && *value != Value::Undef {
            let message = format!("parameter `{name}` is described by a hash with keys such as `type`");
            let place = self.first_line(places.range);
            self.invalid(place, message, "not a hash");
        }
        self.entries("a parameter of a plan", (value, places), &OF_PLAN_PARAMETERS).0
    }

    /// Returns the entries of a step. None if it is not a hash.
    pub(super) fn of_step<'v>(&mut self, value: &'v Value, places: &'v Places) -> Option<Step<'v>> {
        let Some(entries) = places.entries(value) else {
            let message = "a step of a plan is a hash with the key of an action, such as `task`".to_owned();
            self.invalid(self.first_line(places.range), message, "not a hash");
            return None;
        };
        let keys: Vec<(&str, TextRange)> =
            entries.filter_map(|(key, at, ..)| Some((key.as_str()?, at))).collect();
        let is_action = |it: &&(&str, TextRange)| ACTIONS.iter().any(|action| action.key == it.0);
        let actions: Vec<_> = keys.iter().filter(is_action).collect();
        let meant = |(key, _): &(&str, TextRange)| nearest(key, ACTIONS.iter().map(|it| it.key));
        let is_known = |it: &&(&str, TextRange)| {
            OF_STEPS.contains(&it.0) || ACTIONS.iter().any(|action| action.takes.contains(&it.0))
        };
        let action = match &actions[..] {
            [only] => Some(only.0),
            [first, second, ..] => {
                let message =
                    format!("a step has one action, and this one has `{}` and `{}`", first.0, second.0);
                self.invalid(second.1, message, "the second action");
                return None;
            }
            [] => keys.iter().filter(|it| !is_known(it)).find_map(meant),
        };
        let Some(action) = ACTIONS.iter().find(|it| Some(it.key) == action) else {
            let message = "this step has no action, such as `task` or `command`".to_owned();
            self.invalid(self.first_line(places.range), message, "without an action");
            return None;
        };
        let known: Vec<&str> = OF_STEPS.iter().chain(action.takes).copied().chain([action.key]).collect();
        let what = format!("a step with `{}`", action.key);
        let (entries, has_unknown) = self.entries(&what, (value, places), &known);
        let step = Step { entries, has_unknown };
        let lacking = action.needs.iter().find(|it| step.get(it).is_none()).filter(|_| !has_unknown);
        if let (Some(lacking), Some(at)) = (lacking, step.get(action.key)) {
            self.invalid(at.at, format!("{what} needs `{lacking}`"), &format!("without `{lacking}`"));
        }
        self.values(&step);
        Some(step)
    }

    /// Reports values of a kind that a step does not take.
    fn values(&mut self, step: &Step<'_>) {
        for it in &step.entries {
            let of = match (it.key, it.value) {
                ("parameters", value) if !matches!(value, Value::Hash(_)) => "a hash",
                ("pwsh_params", value) if !matches!(value, Value::Hash(_) | Value::Undef) => "a hash",
                ("arguments", value) if !matches!(value, Value::Array(_) | Value::Undef) => "an array",
                ("resources", value) if !matches!(value, Value::Array(_)) => "an array",
                ("env_vars", value) if !matches!(value, Value::Hash(_) | Value::String(_)) => "a hash",
                _ => continue,
            };
            let message = format!("`{}` of a step is {of}", it.key);
            let place = self.first_line(it.places.range);
            self.invalid(place, message, &format!("not {of}"));
        }
        if let Some(name) = step.get("name") {
            let text = name.value.as_str();
            if !text.is_some_and(is_name) {
                let message = "the name of a step is that of a variable, without `$`".to_owned();
                let label = "expected lower-case letters, digits and `_`";
                self.invalid(self.first_line(name.places.range), message, label);
            } else if let Some(text) = text.filter(|it| self.known.contains(*it)) {
                let message = format!("a step or parameter before this one has the name `{text}`");
                self.invalid(name.places.range, message, "the second of the name");
            }
        }
        if let Some(resources) = step.get("resources") {
            self.resources(resources);
        }
    }

    /// Checks resources: `package: nginx`, or `type` and `title`, each with `parameters` or without.
    fn resources(&mut self, resources: Entry<'_>) {
        let (Value::Array(all), Inner::Elements(inner)) = (resources.value, &resources.places.inner) else {
            return;
        };
        for (resource, places) in all.iter().zip(inner.iter()) {
            let Some(entries) = places.entries(resource) else { continue };
            let keys: Vec<(&str, TextRange)> =
                entries.filter_map(|(key, at, ..)| Some((key.as_str()?, at))).collect();
            let at = |wanted: &str| keys.iter().find(|it| it.0 == wanted).map(|it| it.1);
            match (at("type"), at("title")) {
                (Some(_), Some(_)) => {}
                (Some(at), None) => {
                    self.invalid(at, "a resource with `type` needs `title`".to_owned(), "without `title`");
                }
                (None, Some(at)) => {
                    self.invalid(at, "a resource with `title` needs `type`".to_owned(), "without `type`");
                }
                (None, None) => {
                    let types: Vec<_> = keys.iter().filter(|it| it.0 != "parameters").collect();
                    match &types[..] {
                        [_] => {}
                        [] => {
                            let message = "this resource has no type".to_owned();
                            self.invalid(self.first_line(places.range), message, "without a type");
                        }
                        [first, second, ..] => {
                            let message =
                                format!("the type of this resource may be `{}` or `{}`", first.0, second.0);
                            self.invalid(second.1, message, "attributes are in `parameters`");
                        }
                    }
                }
            }
        }
    }
}

/// Whether a text is the name of a parameter or a step.
fn is_name(name: &str) -> bool {
    name.starts_with(|it: char| it.is_ascii_lowercase() || it == '_')
        && name.chars().all(|it| it.is_ascii_lowercase() || it.is_ascii_digit() || it == '_')
}
