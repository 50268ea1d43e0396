//! One computation: the message to the worker, its questions, its result.

use marotte_eval::NoAnswer;
use marotte_pcore::value::{Hash, Value};
use marotte_ruby_eval::{Host, HostError};
use serde_json::{Value as Json, json};

use super::data::Values;
use super::memory::{Asked, Trace};
use super::{Outward, Session, WorkerLimits};

/// Something for a worker to compute.
pub(crate) struct Computation<'a> {
    pub(crate) kind: Kind<'a>,
    /// The name of the function or template.
    pub(crate) name: &'a str,
    /// The path of the file. None for a template that is given as text.
    pub(crate) path: Option<&'a str>,
    /// The text of the file.
    pub(crate) text: &'a str,
}

/// The kind of a computation.
#[derive(Clone, Copy)]
pub(crate) enum Kind<'a> {
    /// A template in ERB.
    Template,
    /// A call of a function.
    Function {
        /// Its arguments.
        arguments: &'a [Value],
        /// Whether it is of the 3.x API.
        is_legacy: bool,
        /// The index of the signature and the method that it names.
        signature: Option<(usize, &'a str)>,
        /// The number of the lambda.
        block: Option<usize>,
    },
}

impl Computation<'_> {
    /// Returns the message to the worker.
    pub(super) fn message(&self, values: &mut Values) -> Result<Json, NoAnswer> {
        let mut message = json!({ "name": self.name, "path": self.path, "text": self.text });
        match self.kind {
            Kind::Template => message["kind"] = "template".into(),
            Kind::Function { arguments, is_legacy, signature, block } => {
                let arguments: Result<Vec<Json>, HostError> =
                    arguments.iter().map(|it| values.write(it)).collect();
                message["kind"] = if is_legacy { "legacy" } else { "function" }.into();
                message["arguments"] = arguments.map_err(NoAnswer::Host)?.into();
                message["dispatch"] = signature.map(|(index, method)| json!([index, method])).into();
                message["block"] = block.into();
            }
        }
        Ok(message)
    }
}

/// Ends the worker of a session unless the computation finishes, because an interrupted worker may be in any state.
struct Guard<'a> {
    session: &'a Session,
    is_done: bool,
}

impl Drop for Guard<'_> {
    fn drop(&mut self) {
        let mut worker = self.session.worker.borrow_mut();
        match worker.as_mut() {
            Some(it) if self.is_done => it.leave(),
            _ => *worker = None,
        }
    }
}

/// Runs a computation in the worker of a session. Returns the value, and the questions if the computation has no effects.
pub(super) fn run(
    session: &Session,
    limits: WorkerLimits,
    outside: &dyn Outward,
    computation: &Computation<'_>,
    host: &mut dyn Host,
) -> Result<(Result<Value, NoAnswer>, Option<Trace>), NoAnswer> {
    // The evaluation may have less time left than a worker usually has.
    let left = host.time_left().unwrap_or(limits.time);
    let (limit, is_cut) = (limits.time.min(left), left < limits.time);
    let mut values = Values::default();
    let message = computation.message(&mut values)?;
    let lost = || NoAnswer::Failed("a worker of Ruby was lost in a nested call".to_owned());
    {
        let mut worker = session.worker.borrow_mut();
        let worker = worker.as_mut().ok_or_else(lost)?;
        worker.enter();
        if let (Kind::Function { .. }, Some(path)) = (computation.kind, computation.path) {
            worker.load(path, computation.text);
        }
        worker.call(message, limit.as_secs().max(1));
    }
    let mut guard = Guard { session, is_done: false };
    let mut trace = Some(Trace::default());
    let mut ended = None;
    loop {
        // The worker isn't borrowed while the host answers, because a nested computation may need it.
        let received = {
            let mut worker = session.worker.borrow_mut();
            let worker = worker.as_mut().ok_or_else(lost)?;
            worker.receive(limit, &|| outside.interrupted())
        };
        let failed = |failure| {
            NoAnswer::Failed(format!("the worker of Ruby for {} failed: {failure}", computation.name))
        };
        let message = received.map_err(failed).inspect_err(|_| {
            if !is_cut {
                session.note_failure(computation);
            }
        })?;
        if let Some(question) = message.get("ask") {
            let before = host.effects();
            let answered = answer(question, &mut values, outside, host);
            let reply = match answered {
                Ok(reply) => {
                    let is_library = question.get("what").is_some_and(|it| it == "library");
                    if host.effects() != before {
                        trace = None;
                    } else if let Some(trace) = trace.as_mut().filter(|_| !is_library) {
                        trace.asked.push(Asked::new(question, &reply, outside));
                    }
                    reply
                }
                Err(NoAnswer::Host(HostError::Raise { class, message })) => {
                    trace = None;
                    json!({ "raise": { "class": class, "message": message } })
                }
                Err(other) => {
                    ended.get_or_insert(other);
                    json!({ "abort": true })
                }
            };
            let mut worker = session.worker.borrow_mut();
            let worker = worker.as_mut().ok_or_else(lost)?;
            if let (Some("library"), Some(path), Some(text)) = (
                question.get("what").and_then(Json::as_str),
                reply.get("path").and_then(Json::as_str),
                reply.get("text").and_then(Json::as_str),
            ) {
                worker.load(path, text);
            }
            worker.send(&reply);
            continue;
        }
        guard.is_done = true;
        if let Some(ended) = ended {
            return Err(ended);
        }
        if let Some(end) = conclude(&message, &values, host) {
            if let (Some(trace), Some(worker)) = (&mut trace, session.worker.borrow().as_ref()) {
                trace.depends_on(message, worker.loaded());
            }
            return Ok((end, trace));
        }
        guard.is_done = false;
        return Err(failed("it sent an unexpected message".to_owned()));
    }
}

/// Converts the last message of a worker to the result of a computation. None if it isn't such a message.
pub(super) fn conclude(
    message: &Json,
    values: &Values,
    host: &mut dyn Host,
) -> Option<Result<Value, NoAnswer>> {
    if let Some(result) = message.get("result") {
        return Some(values.read(result, host));
    }
    if let Some(error) = message.get("ended").and_then(Json::as_str) {
        return Some(Err(NoAnswer::Ended(error.to_owned())));
    }
    if let Some(construct) = message.get("unsupported").and_then(Json::as_str) {
        return Some(Err(NoAnswer::Unsupported(construct.to_owned())));
    }
    let raised = message.get("raise")?;
    let text = |key| raised.get(key).and_then(Json::as_str).map(str::to_owned);
    let line = raised.get("line").and_then(Json::as_u64).and_then(|it| u32::try_from(it).ok());
    let place = text("path").zip(line);
    Some(Err(NoAnswer::Raised { message: text("message").unwrap_or_default(), place }))
}

/// Answers a question of a worker.
pub(super) fn answer(
    question: &Json,
    values: &mut Values,
    outside: &dyn Outward,
    host: &mut dyn Host,
) -> Result<Json, NoAnswer> {
    let text = |key| question.get(key).and_then(Json::as_str).unwrap_or_default();
    let name = text("name");
    let write = |values: &mut Values, value: &Value| -> Result<Json, NoAnswer> {
        Ok(json!({ "answer": values.write(value).map_err(NoAnswer::Host)? }))
    };
    match text("what") {
        "variable" => match host.variable(name).map_err(NoAnswer::Host)? {
            Some(value) => write(values, &value),
            None => {
                if question.get("strict").is_some() {
                    host.missing_variable(name).map_err(NoAnswer::Host)?;
                }
                Ok(json!({ "answer": null, "missing": true }))
            }
        },
        "variables" => {
            let is_recursive = question.get("own").is_none();
            let all = host.variables(is_recursive).map_err(NoAnswer::Host)?;
            let all: Hash = all.into_iter().map(|(name, it)| (Value::from(name.as_str()), it)).collect();
            write(values, &Value::Hash(all.into()))
        }
        "set" => {
            let value = values.read(question.get("value").unwrap_or(&Json::Null), host)?;
            host.set_variable(name, value).map_err(NoAnswer::Host)?;
            Ok(json!({ "answer": null }))
        }
        "function" => {
            let arguments = arguments(question, values, host)?;
            let is_top = question.get("top").and_then(Json::as_bool).unwrap_or(false);
            let value = host.call_function(name, arguments, None, is_top).map_err(NoAnswer::Host)?;
            write(values, &value)
        }
        "yield" => {
            let number = question.get("block").and_then(Json::as_u64).unwrap_or_default();
            let arguments = arguments(question, values, host)?;
            let number = usize::try_from(number).unwrap_or(usize::MAX);
            let value = host.call_block(number, arguments).map_err(NoAnswer::Host)?;
            write(values, &value)
        }
        "member" => {
            let object = values.read(question.get("object").unwrap_or(&Json::Null), host)?;
            let arguments = arguments(question, values, host)?;
            let value = host.call_member(&object, name, arguments).map_err(NoAnswer::Host)?;
            write(values, &value)
        }
        "has_function" => Ok(json!({ "answer": host.has_function(name) })),
        "setting" => {
            let value = host.setting(name).map_err(NoAnswer::Host)?;
            write(values, &value)
        }
        "file" => {
            let found = host.find_file(text("folder"), name).map_err(NoAnswer::Host)?;
            Ok(json!({ "answer": found }))
        }
        "log" => {
            host.log(text("level"), text("message"));
            Ok(json!({ "answer": null }))
        }
        "library" => match outside.library(name) {
            Ok(Some(it)) => Ok(json!({ "path": it.path, "text": it.text })),
            Ok(None) => Ok(json!({ "missing": true })),
            Err(reason) => Err(NoAnswer::Unsupported(reason)),
        },
        other => Err(NoAnswer::Unsupported(format!("the question `{other}`"))),
    }
}

fn arguments(question: &Json, values: &Values, host: &mut dyn Host) -> Result<Vec<Value>, NoAnswer> {
    let given = question.get("arguments").and_then(Json::as_array).map(Vec::as_slice).unwrap_or_default();
    given.iter().map(|it| values.read(it, host)).collect()
}
