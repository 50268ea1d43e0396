//! `textDocument/codeAction`: fixes, remedies and suppressions of findings, and assists.

mod assist;
mod edit;
mod fix;
mod fix_all;
mod remedy;
mod suppress;

use foldhash::{HashMap, HashSet};
use lsp_types::{
    CodeAction, CodeActionKind, CodeActionParams, CodeActionResponse, Command, Diagnostic, Uri, WorkspaceEdit,
};
use marotte_db::File;
use marotte_diagnostics::Diagnostic as Finding;
use marotte_text::TextRange;
use serde::{Deserialize, Serialize};

pub(crate) use edit::{TextChange, workspace_edit};

use crate::diagnostics::findings::of_file;
use crate::message::{ResponseError, value_of};
use crate::snapshot::{Answer, Snapshot};

/// The kind of the action that applies all safe fixes of a document.
pub(crate) const FIX_ALL: &str = "source.fixAll.marotte";

/// An action, before it is converted to the client's terms.
pub(crate) struct Action {
    pub(crate) title: String,
    pub(crate) kind: CodeActionKind,
    /// The diagnostic that the action resolves.
    pub(crate) diagnostic: Option<Diagnostic>,
    /// The action is the one that most users want.
    pub(crate) is_preferred: bool,
    pub(crate) edit: Edit,
}

/// The edit of an action.
pub(crate) enum Edit {
    /// An edit that is already known.
    Now(WorkspaceEdit),
    /// An edit that is computed when the action is resolved.
    Later(Deferred),
}

/// An action whose edit is expensive to compute.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Deferred {
    uri: Uri,
    /// The rule whose fixes are applied. None for all rules.
    rule: Option<String>,
}

/// The actions for a range of a document.
pub(crate) fn actions(
    snapshot: &Snapshot,
    params: CodeActionParams,
) -> Answer<Option<Vec<CodeActionResponse>>> {
    let uri = params.text_document.uri;
    let file = snapshot.file(&uri)?;
    let range = snapshot.text_range(file, params.range)?;
    let wanted = params.context.only.unwrap_or_default();
    let is_wanted = |kind: &CodeActionKind| {
        let kind = kind.to_string();
        let is_of =
            |wanted: &str| kind == wanted || kind.strip_prefix(wanted).is_some_and(|it| it.starts_with('.'));
        wanted.is_empty() || wanted.iter().any(|it| is_of(&it.to_string()))
    };
    let mut actions = Vec::new();
    if snapshot.is_checked(file) {
        of_findings(snapshot, file, &uri, range, &mut actions);
    } else if file.path(&snapshot.db).extension() == Some("erb") {
        actions.extend(remedy::of_template(snapshot, file, params.context.diagnostics));
    }
    // A remedy for a finding may be available without it, too.
    let assists = assist::actions(snapshot, file, range).into_iter();
    let titles: HashSet<&str> = actions.iter().map(|it| &*it.title).collect();
    let assists: Vec<Action> = assists.filter(|it| !titles.contains(&*it.title)).collect();
    actions.extend(assists);
    actions.retain(|it| is_wanted(&it.kind));
    // Computing all fixes takes too long for a client that hasn't requested this kind of action.
    let may_wait = wanted.iter().any(|it| it.to_string().starts_with("source.fixAll"));
    let actions = actions.into_iter().filter_map(|it| respond(snapshot, it, may_wait));
    Ok(Some(actions.collect()))
}

/// Adds the actions for findings: for those in the range, and for all in the file.
fn of_findings(snapshot: &Snapshot, file: File, uri: &Uri, range: TextRange, actions: &mut Vec<Action>) {
    let findings = of_file(snapshot, file);
    let in_range: Vec<&Finding> =
        findings.iter().map(|it| &**it).filter(|it| it.range.intersect(range).is_some()).collect();
    let mut fixable: HashMap<&str, usize> = HashMap::default();
    for finding in findings.iter().filter(|it| it.fix.is_some()) {
        *fixable.entry(finding.rule.name).or_default() += 1;
    }
    let mut offered: HashSet<&str> = HashSet::default();
    for finding in &in_range {
        actions.extend(fix::action(snapshot, file, finding));
        actions.extend(remedy::actions(snapshot, file, finding));
        let are_many = fixable.get(finding.rule.name).is_some_and(|it| *it > 1);
        let is_safe = finding.fix.as_ref().is_some_and(|it| it.safe);
        if is_safe && are_many && offered.insert(finding.rule.name) {
            actions.push(Action {
                title: format!("Fix all `{}` in this file", finding.rule),
                kind: CodeActionKind::QuickFix,
                diagnostic: None,
                is_preferred: false,
                edit: Edit::Later(Deferred { uri: uri.clone(), rule: Some(finding.rule.name.to_owned()) }),
            });
        }
    }
    actions.extend(suppress::actions(snapshot, file, &in_range));
    if findings.iter().any(|it| it.fix.as_ref().is_some_and(|it| it.safe)) {
        actions.push(Action {
            title: "Make all safe fixes".to_owned(),
            kind: CodeActionKind::new(FIX_ALL),
            diagnostic: None,
            is_preferred: false,
            edit: Edit::Later(Deferred { uri: uri.clone(), rule: None }),
        });
    }
}

/// Converts an action to the client's terms. None if its edit would have to be computed first.
fn respond(snapshot: &Snapshot, action: Action, may_wait: bool) -> Option<CodeActionResponse> {
    let Action { title, kind, diagnostic, is_preferred, edit } = action;
    let client = &snapshot.client;
    let (edit, data) = match edit {
        Edit::Now(edit) => (Some(edit), None),
        Edit::Later(deferred) if client.resolves_edits => (None, Some(value_of(&deferred))),
        Edit::Later(deferred) if may_wait || deferred.rule.is_some() => {
            (Some(fix_all::edit(snapshot, &deferred).ok()?), None)
        }
        Edit::Later(_) => return None,
    };
    if !client.action_literals {
        let command = crate::commands::APPLY.to_owned();
        let arguments = Some(vec![value_of(&edit?)]);
        return Some(Command { title, tooltip: None, command, arguments }.into());
    }
    let action = CodeAction {
        title,
        kind: Some(kind),
        diagnostics: diagnostic.map(|it| vec![it]),
        is_preferred: (client.preferred_actions && is_preferred).then_some(true),
        edit,
        data,
        ..CodeAction::default()
    };
    Some(action.into())
}

/// `codeAction/resolve`: computes the edit of an action.
pub(crate) fn resolve(snapshot: &Snapshot, action: CodeAction) -> Answer<CodeAction> {
    let data = action.data.clone().unwrap_or_default();
    let deferred = serde_json::from_value(data)
        .map_err(|_| ResponseError::invalid_params("this action has nothing to be resolved"))?;
    Ok(CodeAction { edit: Some(fix_all::edit(snapshot, &deferred)?), ..action })
}
