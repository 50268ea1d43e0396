//! `textDocument/signatureHelp`.

use lsp_types::{
    MarkupContent, MarkupKind, ParameterInformation, ParameterInformationLabel, SignatureHelp,
    SignatureHelpParams, SignatureInformation,
};
use marotte_text::TextRange;

use super::position;
use crate::snapshot::{Answer, Snapshot};

pub(super) fn help(snapshot: &Snapshot, params: SignatureHelpParams) -> Answer<Option<SignatureHelp>> {
    let at = position(snapshot, &params.text_document_position_params)?;
    let Some(found) = marotte_ide::signature_help(&snapshot.db, at) else { return Ok(None) };
    let marotte_ide::SignatureHelp { signatures, active, argument: _ } = found;
    let active_parameter = signatures.get(active).and_then(|it| number(it.active_parameter?));
    Ok(Some(SignatureHelp {
        signatures: signatures.into_iter().map(|it| signature(snapshot, it)).collect(),
        active_signature: number(active),
        active_parameter: active_parameter.map(Into::into),
    }))
}

fn signature(snapshot: &Snapshot, signature: marotte_ide::CallSignature) -> SignatureInformation {
    let marotte_ide::CallSignature { label, parameters, documentation, active_parameter } = signature;
    let markdown = |text: String| MarkupContent::new(MarkupKind::Markdown, text).into();
    let parameter = |(range, documentation): (TextRange, Option<String>)| ParameterInformation {
        label: parameter_label(snapshot, &label, range),
        documentation: documentation.map(markdown),
    };
    let parameters = parameters.into_iter().map(parameter).collect();
    SignatureInformation {
        parameters: Some(parameters),
        documentation: documentation.map(markdown),
        active_parameter: active_parameter.and_then(number).map(Into::into),
        label,
    }
}

/// A part of the label: as two offsets, which are in UTF-16 whatever the position encoding is, or as a text.
fn parameter_label(snapshot: &Snapshot, label: &str, range: TextRange) -> ParameterInformationLabel {
    let (start, end) = (usize::from(range.start()), usize::from(range.end()));
    let units = |end: usize| number(label.get(..end).unwrap_or(label).encode_utf16().count());
    match (units(start), units(end)) {
        (Some(start), Some(end)) if snapshot.client.label_offsets => {
            ParameterInformationLabel::Tuple((start, end))
        }
        _ => ParameterInformationLabel::String(label.get(start..end).unwrap_or_default().to_owned()),
    }
}

fn number(number: usize) -> Option<u32> {
    u32::try_from(number).ok()
}
