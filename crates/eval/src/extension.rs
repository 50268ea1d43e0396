use std::sync::Arc;

use marotte_pcore::value::{Unknown, UnknownSource, Value};

/// A request of a program to code in Ruby, or to a command. The list is closed, like that of [`Requests`](crate::Requests).
#[derive(Clone, Copy, Debug)]
pub enum Extension<'a> {
    /// The result of a function.
    Function {
        /// Its name.
        name: &'a str,
        /// The arguments, in order.
        arguments: &'a [Value],
    },
    /// The text that a template in ERB renders.
    Template {
        /// Its name, `module/path` or an absolute path.
        name: &'a str,
        /// The path of the file found.
        path: &'a str,
    },
    /// The text that a template in ERB, given as text, renders.
    InlineTemplate {
        /// The template.
        text: &'a str,
    },
    /// The text that a command prints, which may not be run.
    Command {
        /// The path of the command.
        program: &'a str,
    },
}

impl Extension<'_> {
    /// The reason for the lack of an answer where no Ruby is available.
    pub(crate) fn refusal(&self) -> String {
        match self {
            Extension::Function { name, .. } => {
                format!("{name}() is written in Ruby, which is not evaluated")
            }
            Extension::Template { name, path } => format!(
                "template(): '{name}' ({path}) is an ERB template, which only Ruby can evaluate; epp() renders templates in Puppet"
            ),
            Extension::InlineTemplate { .. } => {
                "inline_template(): the text is an ERB template, which only Ruby can evaluate; inline_epp() renders templates in Puppet"
                    .to_owned()
            }
            Extension::Command { program } => format!("running '{program}' is not allowed"),
        }
    }

    /// The unknown value that represents it if there is no answer.
    pub(crate) fn unknown(&self) -> Arc<Unknown> {
        match self {
            Extension::Function { name, .. } => Unknown::new(UnknownSource::Function((*name).into())),
            Extension::Template { name, .. } => Unknown::new(UnknownSource::Template((*name).into())).text(),
            Extension::InlineTemplate { .. } => Unknown::new(UnknownSource::InlineTemplate).text(),
            Extension::Command { program } => Unknown::new(UnknownSource::Command((*program).into())).text(),
        }
    }
}
