use std::sync::Arc;

use marotte_pcore::value::{Unknown, UnknownSource, Value};
use marotte_ruby_eval::HostError;

/// A request of a program to Ruby code, or to a command. The list is closed, like that of [`Requests`](crate::Requests).
#[derive(Clone, Copy, Debug)]
pub enum Extension<'a> {
    /// The result of a function.
    Function {
        /// The name of the function.
        name: &'a str,
        /// The arguments, in order. Those of a function of the 3.x API are converted as it requires.
        arguments: &'a [Value],
        /// The details of the call.
        call: RubyCall<'a>,
    },
    /// The value of a block of Ruby code.
    Block {
        /// The name of the function that calls it.
        function: &'a str,
    },
    /// The text that a template in ERB renders.
    Template {
        /// The name of the template, `module/path` or an absolute path.
        name: &'a str,
        /// The path of the file found.
        path: &'a str,
        /// Whether the interpreter has already evaluated a part that had effects.
        has_begun: bool,
    },
    /// The text that a template in ERB, given as text, renders.
    InlineTemplate {
        /// The name of the template in messages. None for an argument of `inline_template`.
        name: Option<&'a str>,
        /// The text of the template.
        text: &'a str,
        /// Whether the interpreter has already evaluated a part that had effects.
        has_begun: bool,
    },
    /// The text that a command prints, which may not be run.
    Command {
        /// The path of the command.
        program: &'a str,
    },
    /// The answer to a query of PuppetDB, which may not be asked.
    Query,
}

/// The details of the call of a function written in Ruby.
#[derive(Clone, Copy, Debug, Default)]
pub struct RubyCall<'a> {
    /// Whether the function is of the 3.x API.
    pub is_legacy: bool,
    /// The index of the signature that accepts the arguments, and the method that it names. None if the signatures are unknown.
    pub signature: Option<(usize, &'a str)>,
    /// The number that identifies the lambda of the call to [`Host::call_block`](marotte_ruby_eval::Host::call_block).
    pub block: Option<usize>,
    /// Whether the interpreter has already evaluated a part of the function that had effects.
    pub has_begun: bool,
}

/// The reason why an [`Extension`] wasn't computed outside of the interpreter.
pub enum NoAnswer {
    /// No Ruby is available that could compute it: a clause without a full stop.
    Refused(String),
    /// Only recorded results are used, and this one wasn't recorded: a clause without a full stop.
    NotRecorded(String),
    /// The code uses something that is only available in a server: the subject of a sentence.
    Unsupported(String),
    /// The code ended with an error that may be due to the worker, such as a missing library: the message.
    Ended(String),
    /// The worker failed: a sentence without its end, to be reported as a warning.
    Failed(String),
    /// The code raised an exception.
    Raised {
        /// The message of the exception.
        message: String,
        /// The path of the file or template and the line in it, if they are known.
        place: Option<(String, u32)>,
    },
    /// The host ended the computation.
    Host(HostError),
}

impl Extension<'_> {
    /// The reason for the lack of an answer where no Ruby is available.
    pub fn refusal(&self) -> String {
        match self {
            Extension::Function { name, .. } | Extension::Block { function: name } => {
                format!("{name}() is written in Ruby, which is not evaluated")
            }
            Extension::Template { name, path, .. } => format!(
                "template(): '{name}' ({path}) is an ERB template, which only Ruby can evaluate; epp() renders templates in Puppet"
            ),
            Extension::InlineTemplate { .. } => {
                "inline_template(): the text is an ERB template, which only Ruby can evaluate; inline_epp() renders templates in Puppet"
                    .to_owned()
            }
            Extension::Command { program } => format!("running '{program}' is not allowed"),
            Extension::Query => "it asks PuppetDB; `--puppetdb` says where that is".to_owned(),
        }
    }

    /// The unknown value that represents it if there is no answer.
    pub(crate) fn unknown(&self) -> Arc<Unknown> {
        match self {
            Extension::Function { name, .. } | Extension::Block { function: name } => {
                Unknown::new(UnknownSource::Function((*name).into()))
            }
            Extension::Template { name, .. } => Unknown::new(UnknownSource::Template((*name).into())).text(),
            Extension::InlineTemplate { .. } => Unknown::new(UnknownSource::InlineTemplate).text(),
            Extension::Command { program } => Unknown::new(UnknownSource::Command((*program).into())).text(),
            Extension::Query => Unknown::new(UnknownSource::Query),
        }
    }
}
