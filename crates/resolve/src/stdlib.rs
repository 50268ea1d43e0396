//! The module `stdlib` of Puppet's authors, on which most modules depend, and which is often missing where a single module is checked.

use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock, OnceLock};

use marotte_eval::{Code, DataSource, Origin, ReadError, Requests, Settings, alias_type};
use marotte_hir::{Body, DefinitionKind, lower};
use marotte_pcore::types::Type;
use marotte_syntax::{Mode, parse};
use marotte_text::{Str, normalized};

use crate::dialect;
use crate::spelling::slip;

/// The type aliases of its releases 4.13 to 9, in Puppet.
const TYPES: &str = include_str!("stdlib/types.pp");

/// The start of the names of the type aliases, in lower case.
const PREFIX: &str = "stdlib::";

/// The type aliases, by their names in lower case.
static ALIASES: LazyLock<BTreeMap<Str, Alias>> = LazyLock::new(|| {
    let definitions = lower(&parse(TYPES, Mode::default()).program).definitions;
    let aliases = definitions.into_iter().filter(|it| it.kind == DefinitionKind::TypeAlias);
    aliases
        .map(|it| (it.name.to_lowercase(), Alias { name: it.name, body: it.body, read: OnceLock::new() }))
        .collect()
});

struct Alias {
    name: Str,
    body: Arc<Body>,
    /// The type, once it was used.
    read: OnceLock<Option<Type>>,
}

/// Returns the type alias with a name in lower case. It accepts each value that the alias of this name accepts in any release.
pub fn type_alias(name: &str) -> Option<&'static Type> {
    // Without this, the first name that nothing defines would have the text parsed.
    let alias = name.starts_with(PREFIX).then(|| ALIASES.get(name))??;
    let read = || alias_type(&OwnTypes, Settings::of(dialect()), &alias.name, &alias.body);
    alias.read.get_or_init(read).as_ref()
}

/// The type alias, as its name is written, that is certainly meant by a name that no alias has.
pub fn misspelled_type(name: &str) -> Option<&'static str> {
    let name = normalized(name);
    if !name.starts_with(PREFIX) || ALIASES.contains_key(&name) {
        return None;
    }
    let meant = slip(&name, ALIASES.keys().map(Str::as_str))?;
    ALIASES.get(meant).map(|it| it.name.as_str())
}

/// The requests that the type aliases make: for each other.
struct OwnTypes;

impl DataSource for OwnTypes {}

impl Requests for OwnTypes {
    fn ready_type(&self, name: &str) -> Option<Type> {
        type_alias(name).cloned()
    }

    fn type_alias(&self, name: &str) -> Result<Option<(Str, Code)>, ReadError> {
        let code = |it: &Alias| Code { body: Arc::clone(&it.body), origin: Arc::new(Origin::Internal) };
        Ok(ALIASES.get(name).map(|it| (it.name.clone(), code(it))))
    }
}

/// The functions of its releases 4 to 9.
pub const FUNCTIONS: [&str; 193] = [
    "abs",
    "any2array",
    "any2bool",
    "assert_private",
    "base64",
    "basename",
    "batch_escape",
    "bool2num",
    "bool2str",
    "camelcase",
    "capitalize",
    "ceiling",
    "chomp",
    "chop",
    "clamp",
    "concat",
    "convert_base",
    "count",
    "deep_merge",
    "deferrable_epp",
    "defined_with_params",
    "delete",
    "delete_at",
    "delete_regex",
    "delete_undef_values",
    "delete_values",
    "deprecation",
    "difference",
    "dig",
    "dirname",
    "dos2unix",
    "downcase",
    "empty",
    "enclose_ipv6",
    "ensure_packages",
    "ensure_resource",
    "ensure_resources",
    "fact",
    "flatten",
    "floor",
    "fqdn_rand_string",
    "fqdn_rotate",
    "fqdn_uuid",
    "get_module_path",
    "getparam",
    "getvar",
    "glob",
    "grep",
    "has_interface_with",
    "has_ip_address",
    "has_ip_network",
    "has_key",
    "intersection",
    "is_a",
    "is_absolute_path",
    "is_array",
    "is_bool",
    "is_domain_name",
    "is_email_address",
    "is_float",
    "is_function_available",
    "is_hash",
    "is_integer",
    "is_ip_address",
    "is_ipv4_address",
    "is_ipv6_address",
    "is_mac_address",
    "is_numeric",
    "is_string",
    "join",
    "join_keys_to_values",
    "keys",
    "length",
    "load_module_metadata",
    "loadjson",
    "loadyaml",
    "lstrip",
    "max",
    "member",
    "merge",
    "min",
    "num2bool",
    "os_version_gte",
    "parsehocon",
    "parsejson",
    "parsepson",
    "parsexml",
    "parseyaml",
    "pick",
    "pick_default",
    "powershell_escape",
    "prefix",
    "private",
    "pw_hash",
    "range",
    "regexpescape",
    "reject",
    "reverse",
    "round",
    "rstrip",
    "seeded_rand",
    "seeded_rand_string",
    "shell_escape",
    "shell_join",
    "shell_split",
    "shuffle",
    "size",
    "sort",
    "sprintf_hash",
    "squeeze",
    "stdlib::batch_escape",
    "stdlib::crc32",
    "stdlib::deferrable_epp",
    "stdlib::end_with",
    "stdlib::ensure",
    "stdlib::ensure_packages",
    "stdlib::extname",
    "stdlib::fqdn_rand_string",
    "stdlib::fqdn_rotate",
    "stdlib::has_function",
    "stdlib::has_interface_with",
    "stdlib::has_ip_address",
    "stdlib::has_ip_network",
    "stdlib::ip_in_range",
    "stdlib::merge",
    "stdlib::nested_values",
    "stdlib::os_version_gte",
    "stdlib::parsehocon",
    "stdlib::powershell_escape",
    "stdlib::seeded_rand",
    "stdlib::seeded_rand_string",
    "stdlib::sha256",
    "stdlib::shell_escape",
    "stdlib::sort_by",
    "stdlib::start_with",
    "stdlib::str2resource",
    "stdlib::time",
    "stdlib::to_json",
    "stdlib::to_json_pretty",
    "stdlib::to_python",
    "stdlib::to_ruby",
    "stdlib::to_toml",
    "stdlib::to_yaml",
    "stdlib::type_of",
    "stdlib::validate_domain_name",
    "stdlib::validate_email_address",
    "stdlib::xml_encode",
    "str2bool",
    "str2saltedpbkdf2",
    "str2saltedsha512",
    "strftime",
    "strip",
    "suffix",
    "swapcase",
    "time",
    "to_bytes",
    "to_json",
    "to_json_pretty",
    "to_python",
    "to_ruby",
    "to_toml",
    "to_yaml",
    "try_get_value",
    "type",
    "type3x",
    "type_of",
    "union",
    "unique",
    "unix2dos",
    "upcase",
    "uriescape",
    "validate_absolute_path",
    "validate_array",
    "validate_augeas",
    "validate_bool",
    "validate_cmd",
    "validate_domain_name",
    "validate_email_address",
    "validate_hash",
    "validate_integer",
    "validate_ip_address",
    "validate_ipv4_address",
    "validate_ipv6_address",
    "validate_legacy",
    "validate_numeric",
    "validate_re",
    "validate_slength",
    "validate_string",
    "validate_x509_rsa_key_pair",
    "values",
    "values_at",
    "xml_encode",
    "zip",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_types_are_known() {
        let unread: Vec<&Str> = ALIASES.keys().filter(|it| type_alias(it).is_none()).collect();
        assert!(unread.is_empty(), "{unread:?}");
        assert_eq!(ALIASES.len(), TYPES.lines().filter(|it| it.starts_with("type ")).count());
        assert_eq!(misspelled_type("Stdlib::Absolutpath"), Some("Stdlib::Absolutepath"));
        assert_eq!(misspelled_type("Stdlib::AbsolutePath"), None, "the case of letters does not matter");
    }
}
