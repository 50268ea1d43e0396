//! The catalog of a node as one query, which depends on exactly what the evaluation requested.

use marotte_diagnostics::issues;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use marotte_db::Db;
use marotte_eval::catalog::Compiled;
use marotte_eval::{Effect, Effects, Interpreter, Log, Requests};

use super::inputs::lacks_facts;
use super::loading::{Loaded, LoadedFile};
use crate::contents::looked_up;
use crate::pool::Session;
use crate::reads::{Asked, Question, Recorder};
use crate::{DatabaseHost, Node};

/// The limit on the messages kept of one evaluation, in bytes: programs can log without end.
const LOG_LIMIT: usize = 64 << 20;

/// The result of a node's evaluation. It contains no line numbers: they are looked up when something is displayed.
#[derive(Clone, Debug)]
pub struct Evaluation {
    /// The catalog and the errors.
    pub compiled: Compiled,
    /// The logged messages, in order.
    pub logs: Logs,
    /// The files that were loaded, in order.
    pub loaded: Vec<LoadedFile>,
    /// Whether there are errors, and no facts, which may be the reason.
    pub lacks_facts: bool,
    /// The requests of the evaluation. None unless the [policy](crate::Policy) says that this is recorded.
    pub asked: Option<Asked>,
}

/// The messages of an evaluation.
#[derive(Clone, Debug, Default)]
pub struct Logs {
    /// The messages, in order.
    pub messages: Vec<Log>,
    /// The number of further messages, dropped because of the limit.
    pub dropped: usize,
    size: usize,
}

impl Effects for Logs {
    fn emit(&mut self, effect: Effect) {
        let Effect::Log(log) = effect;
        self.size = self.size.saturating_add(size_of::<Log>() + log.message.len());
        if self.size <= LOG_LIMIT {
            self.messages.push(log);
        } else {
            self.dropped += 1;
        }
    }
}

/// The evaluation of a node, cached until something that it has read changes.
#[salsa::tracked(returns(ref), no_eq)]
pub fn evaluate(db: &dyn Db, node: Node) -> Arc<Evaluation> {
    Arc::new(evaluate_once(db, node))
}

/// A number that changes whenever the displayed result of a node may: when the node was re-evaluated, and when lines moved in a
/// file that it has loaded.
#[salsa::tracked(returns(copy), no_eq)]
pub fn edition(db: &dyn Db, node: Node) -> u64 {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    for it in &evaluate(db, node).loaded {
        marotte_hir::lowered(db, it.file);
    }
    NEXT.fetch_add(1, Ordering::Relaxed)
}

/// Evaluates a node without caching: for callers that need the result once, and have many nodes.
pub fn evaluate_once(db: &dyn Db, node: Node) -> Evaluation {
    evaluated(db, node, |_| ())
}

/// Evaluates a node without caching, and records where everything in its catalog comes from.
pub fn explain_once(db: &dyn Db, node: Node) -> Evaluation {
    evaluated(db, node, |it| it.record_provenance())
}

fn evaluated(db: &dyn Db, node: Node, prepare: fn(&mut Interpreter<'_>)) -> Evaluation {
    let loaded = Loaded::default();
    let host = DatabaseHost { db, node, loaded: &loaded, session: Session::default() };
    let policy = node.run(db).policy(db);
    let mut logs = Logs::default();
    let recorder = policy.records_reads.then(|| Recorder::new(&host));
    let requests: &dyn Requests = match &recorder {
        Some(recorder) => recorder,
        None => &host,
    };
    let mut interpreter = Interpreter::new(policy.settings.clone(), requests, &mut logs);
    for (name, value) in &policy.variables {
        interpreter.define(name, value.clone());
    }
    prepare(&mut interpreter);
    let mut compiled = interpreter.compile();
    // Another run may get further within these limits.
    if compiled.errors.iter().any(|it| [issues::MEMORY_LIMIT, issues::TIME_LIMIT].contains(&it.issue)) {
        db.report_untracked_read();
    }
    drop(interpreter);
    let mut asked = recorder.map(Recorder::finish);
    if let Some(catalog) = compiled.catalog.as_mut().filter(|_| policy.has_contents) {
        let found = looked_up(db, node.run(db), catalog, |request| {
            if let Some(asked) = &mut asked {
                asked.questions.insert(Question::about_contents(request));
            }
        });
        catalog.contents = Some(Arc::new(found));
    }
    let lacks_facts = !compiled.errors.is_empty() && lacks_facts(db, node);
    Evaluation { compiled, logs, loaded: loaded.take(), lacks_facts, asked }
}
