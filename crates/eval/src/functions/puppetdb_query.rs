//! `puppetdb_query`: an answer of the store of exported resources. The function isn't part of Puppet: PuppetDB's terminus adds it
//! to servers.

use super::{Body, Builtin, Call, Effects, Overload};
use crate::interpreter::Evaluated;
use crate::{EvaluationError, Extension, QueryError};

/// `puppetdb_query`.
pub(crate) static FUNCTION: Builtin = Builtin {
    name: "puppetdb_query",
    doc: "The answer of PuppetDB to a query: `puppetdb_query('nodes[certname] { }')`.\n\n\
          The query is a string in PQL, or an array in PuppetDB's own language.",
    effects: Effects::Reads,
    overloads: &[Overload {
        parameters: "Variant[String[1], Array[Data, 1]] $query",
        block: None,
        returns: None,
        body: Body::Run(query),
    }],
    ..Builtin::base()
};

fn query(call: &mut Call<'_, '_, '_>) -> Evaluated {
    let query = call.take(0);
    let answer = match call.interpreter.requests.query(&query) {
        Ok(answer) => answer,
        // A catalog goes on without the answer.
        Err(QueryError::NotAsked(reason)) if call.interpreter.catalog.is_some() => {
            return call.interpreter.unanswered(call.env, call.at, Extension::Query, reason);
        }
        Err(QueryError::NotAsked(error) | QueryError::Failed(error)) => {
            return Err(EvaluationError::runtime(error).into());
        }
    };
    call.interpreter.spend_walk(&answer, 1)?;
    call.interpreter.allocate(answer.extent().size())?;
    Ok(answer)
}
