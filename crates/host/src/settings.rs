//! `$settings::NAME` (I7, I12): the settings of the reference, as root has them on an untouched machine.

use std::sync::OnceLock;

use marotte_hiera::data::parse_json;
use marotte_pcore::value::{Hash, Value};

/// Recorded from the reference by `xtask/oracle/settings.rb`.
const RECORDED: &str = include_str!("settings.json");

/// The placeholder for the node's name in the recorded settings.
const CERTNAME: &str = "certname.of.the.node";

/// All settings of a node. `own` are those of this evaluation.
pub(crate) fn setting_values(certname: &str, own: &[(&str, Value)]) -> Hash {
    static ALL: OnceLock<Value> = OnceLock::new();
    // A test checks that the recorded settings can be parsed.
    let recorded = ALL.get_or_init(|| parse_json(RECORDED).map_or(Value::Undef, |it| it.value));
    let Value::Hash(recorded) = recorded else { return Hash::default() };
    let value = |value: &Value| match value {
        Value::String(text) if text.contains(CERTNAME) => text.replace(CERTNAME, certname).as_str().into(),
        // JSON cannot represent this number.
        Value::String(text) if text == "Infinity" => Value::Float(f64::INFINITY),
        value => value.clone(),
    };
    let mut all: Hash = recorded.iter().map(|(name, it)| (name.clone(), value(it))).collect();
    for (name, value) in own {
        all.insert((*name).into(), value.clone());
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_are_those_of_the_reference() {
        let settings = setting_values("n.example", &[("strict", "off".into())]);
        let get = |name: &str| settings.get_str(name).cloned();
        assert_eq!(get("confdir"), Some("/etc/puppetlabs/puppet".into()));
        assert_eq!(get("certname"), Some("n.example".into()));
        assert_eq!(get("strict"), Some("off".into()));
        assert_eq!(get("maxwaitforcert"), Some(Value::Float(f64::INFINITY)));
        assert_eq!(get("nothing"), None);
        assert!(settings.len() > 230);
    }
}
