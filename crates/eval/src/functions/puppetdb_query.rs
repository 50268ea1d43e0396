//! `puppetdb_query`: an answer of the store of exported resources. It is not Puppet's own: PuppetDB brings it to servers.

use std::sync::OnceLock;

use super::{Body, Builtin, Call, Overload, Reach};
use crate::EvaluationError;
use crate::interpreter::Evaluated;

/// `puppetdb_query`.
pub(crate) static FUNCTION: Builtin = Builtin {
    name: "puppetdb_query",
    doc: "The answer of PuppetDB to a query: `puppetdb_query('nodes[certname] { }')`.\n\n\
          The query is a string in PQL, or an array in PuppetDB's own language.",
    reach: Reach::Reads,
    types: "",
    overloads: &[Overload {
        parameters: "Variant[String[1], Array[Data, 1]] $query",
        block: None,
        returns: None,
        body: Body::Run(query),
    }],
    compiled: OnceLock::new(),
};

fn query(call: &mut Call<'_, '_, '_>) -> Evaluated {
    let query = call.take(0);
    let answer = call.interpreter.requests.query(&query).map_err(EvaluationError::runtime)?;
    call.interpreter.spend_walk(&answer, 1)?;
    call.interpreter.allocate(answer.extent().size())?;
    Ok(answer)
}
