use marotte_pcore::format::interpolated;
use marotte_pcore::value::Value;

use super::{Body, Builtin, Call, Effects, Overload, ResultType, Unknowns};
use crate::interpreter::Evaluated;
use crate::{Effect, Level, Log};

macro_rules! logging {
    ($($constant:ident $name:literal $level:ident $run:ident $doc:literal)*) => {
        $(
            #[doc = concat!("`", $name, "`.")]
            pub(super) static $constant: Builtin = Builtin {
                name: $name,
                doc: $doc,
                effects: Effects::Logs,
                result: ResultType::Is("Undef"),
                unknowns: Unknowns::Anything,
                overloads: &[Overload {
                    parameters: "Any *$values",
                    block: None,
                    returns: Some("Undef"),
                    body: Body::Run($run),
                }],
                ..Builtin::base()
            };

            fn $run(call: &mut Call<'_, '_, '_>) -> Evaluated {
                log(call, Level::$level)
            }
        )*
    };
}

logging! {
    ALERT "alert" Alert alert "Logs a message at the level alert: action is required immediately."
    CRIT "crit" Crit crit "Logs a message at the level crit."
    DEBUG "debug" Debug debug "Logs a message at the level debug."
    EMERG "emerg" Emerg emerg "Logs a message at the level emerg: the system is unusable."
    ERR "err" Err err "Logs a message at the level err. Evaluation continues; see `fail` for ending the program."
    INFO "info" Info info "Logs a message at the level info."
    NOTICE "notice" Notice notice "Logs a message at the level notice."
    WARNING "warning" Warning warning "Logs a message at the level warning."
}

/// Logs the texts of the arguments, separated by blanks (E3).
fn log(call: &mut Call<'_, '_, '_>, level: Level) -> Evaluated {
    let dialect = call.dialect();
    let text = |it: &Value| match it {
        Value::Sensitive(_) => dialect.texts.redacted.to_owned(),
        _ => interpolated(dialect, it),
    };
    let texts: Vec<String> = call.arguments.iter().map(text).collect();
    let place = Some(call.place());
    let scope = call.interpreter.scope_name(call.env);
    let log = Log { level, message: texts.join(" "), issue: None, place, scope };
    call.interpreter.emit(Effect::Log(log));
    Ok(Value::Undef)
}
