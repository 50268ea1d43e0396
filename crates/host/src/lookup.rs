//! The command `lookup`: looks up keys, explains the steps, and prints the result as `puppet lookup` does.

use marotte_diagnostics::issues;
use std::str::FromStr;

use marotte_eval::{EvaluationError, Interpreter};
use marotte_hiera::data::write_yaml;
use marotte_hiera::explain::Selection;
use marotte_hiera::{Query, assert_type, not_found};
use marotte_pcore::dialect::Dialect;
use marotte_pcore::format::{inspected, plain_text};
use marotte_pcore::value::{Hash, Value};
use marotte_text::Str;
use serde_json::json;

/// The options of the command line.
#[derive(Clone, Debug, Default)]
pub struct LookupOptions {
    /// The keys: the first one that is found wins.
    pub keys: Vec<Str>,
    /// The name of a merge strategy.
    pub merge: Option<String>,
    /// The prefix of elements that remove others.
    pub knock_out_prefix: Option<String>,
    /// Sort merged arrays.
    pub sort_merged_arrays: bool,
    /// Merge hashes in arrays, by index.
    pub merge_hash_arrays: bool,
    /// The required type of the value.
    pub value_type: Option<String>,
    /// The default value.
    pub default: Option<String>,
    /// Explain the steps.
    pub explain: bool,
    /// Explain how `lookup_options` were found.
    pub explain_options: bool,
    /// The output format.
    pub render_as: Option<RenderAs>,
}

/// An output format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RenderAs {
    /// Plain text.
    S,
    /// As JSON.
    Json,
    /// As YAML.
    Yaml,
}

impl FromStr for RenderAs {
    type Err = String;

    fn from_str(text: &str) -> Result<RenderAs, String> {
        match text {
            "s" => Ok(RenderAs::S),
            "json" => Ok(RenderAs::Json),
            "yaml" => Ok(RenderAs::Yaml),
            other => Err(format!("`{other}` is not a format; there are `s`, `json` and `yaml`")),
        }
    }
}

/// The strategies of the command, in the order of its messages.
const STRATEGIES: [&str; 4] = ["first", "hash", "unique", "deep"];

/// Looks up keys, and returns the text to print.
///
/// # Errors
/// If nothing is found, or an error occurs; when explaining, only errors outside of the lookup.
pub fn run_lookup(
    interpreter: &mut Interpreter<'_>,
    options: &LookupOptions,
) -> Result<String, EvaluationError> {
    let only_options = options.explain_options && !options.explain;
    let explains = options.explain || options.explain_options;
    let keys: Vec<Str> = match (&options.keys[..], only_options) {
        ([], false) => return Err(EvaluationError::runtime("No keys were given to lookup.")),
        // The options of keys that belong to no module.
        ([], true) => vec!["__global__".into()],
        (keys, _) => keys.to_vec(),
    };
    let merge = merge(options)?;
    let value_type = options.value_type.as_deref().map(|it| interpreter.read_type(it)).transpose()?;
    if explains {
        interpreter.hiera().explain(Selection { options: options.explain_options, only_options });
    }
    let query =
        Query { names: &keys, value_type: value_type.as_ref(), merge: merge.as_ref(), ..Query::default() };
    let found = interpreter.lookup_data(&query).and_then(|found| match (found, &options.default) {
        (Some(found), _) => Ok(found),
        (None, Some(default)) => {
            let default = Value::from(default.as_str());
            let checked = assert_type(interpreter.dialect(), "Default value", value_type.as_ref(), &default);
            checked.map(|()| default).map_err(|wrong| EvaluationError::runtime(wrong.message))
        }
        (None, None) => Err(EvaluationError::new(issues::LOOKUP_ERROR, not_found(&keys).message)),
    });
    if !explains {
        return Ok(render(interpreter.dialect(), &found?, options.render_as.unwrap_or(RenderAs::Yaml)));
    }
    if let Err(error) = &found {
        if error.issue == issues::RUNTIME_ERROR {
            interpreter.hiera().explained();
            return found.map(|_| String::new());
        }
        interpreter.hiera().remark(|| error.message.clone());
    }
    let steps = interpreter.hiera().explained().unwrap_or_default();
    Ok(match options.render_as {
        None | Some(RenderAs::S) => steps.text(&|value| inspected(value).unwrap_or_default()),
        Some(format) => render(interpreter.dialect(), &steps.data(), format),
    })
}

fn merge(options: &LookupOptions) -> Result<Option<Value>, EvaluationError> {
    let deep = options.merge.as_deref() == Some("deep");
    let needs_deep =
        options.sort_merged_arrays || options.merge_hash_arrays || options.knock_out_prefix.is_some();
    if needs_deep && !deep {
        return Err(EvaluationError::runtime(
            "The options --knock-out-prefix, --sort-merged-arrays, and --merge-hash-arrays are only available with '--merge deep'",
        ));
    }
    let Some(name) = &options.merge else { return Ok(None) };
    if !STRATEGIES.contains(&name.as_str()) {
        return Err(EvaluationError::runtime(
            "The --merge option only accepts 'first', 'hash', 'unique', or 'deep'",
        ));
    }
    let mut merge: Hash = [("strategy".into(), name.as_str().into())].into_iter().collect();
    if deep {
        merge.insert("sort_merged_arrays".into(), options.sort_merged_arrays.into());
        merge.insert("merge_hash_arrays".into(), options.merge_hash_arrays.into());
        if let Some(prefix) = &options.knock_out_prefix {
            merge.insert("knockout_prefix".into(), prefix.as_str().into());
        }
    }
    Ok(Some(Value::Hash(merge.into())))
}

fn render(dialect: &Dialect, value: &Value, format: RenderAs) -> String {
    match format {
        RenderAs::S => plain_text(dialect, value).unwrap_or_default() + "\n",
        RenderAs::Json => json(dialect, value).to_string() + "\n",
        RenderAs::Yaml => write_yaml(dialect, value),
    }
}

fn json(dialect: &Dialect, value: &Value) -> serde_json::Value {
    match value {
        Value::Undef => serde_json::Value::Null,
        Value::Boolean(it) => json!(it),
        Value::Integer(it) => it.to_i64().map_or_else(|| json!(it.to_string()), |it| json!(it)),
        Value::Float(it) => json!(it),
        Value::String(it) => json!(&**it),
        Value::Array(elements) => elements.iter().map(|it| json(dialect, it)).collect(),
        Value::Hash(hash) => {
            let key = |key: &Value| plain_text(dialect, key).unwrap_or_default();
            serde_json::Value::Object(
                hash.iter().map(|(it, value)| (key(it), json(dialect, value))).collect(),
            )
        }
        other => json!(plain_text(dialect, other).unwrap_or_default()),
    }
}
