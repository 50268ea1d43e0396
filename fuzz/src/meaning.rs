//! Properties of the findings about the meaning of any text.

use marotte_db::MemorySystem;
use marotte_tests::arbitrary::check_all;

/// The tree around the text: a definition of each kind that a name can refer to.
const SITE: [(&str, &str); 9] = [
    ("/environment.conf", "modulepath = modules\n"),
    ("/hiera.yaml", "---\nversion: 5\nhierarchy:\n  - name: common\n    path: common.yaml\n"),
    (
        "/modules/a/manifests/init.pp",
        "class a(Integer $p, Optional[String] $q = undef) inherits a::b { $x = $p ? { 1 => 'one', default => $q } }",
    ),
    ("/modules/a/manifests/b.pp", "class a::b { $y = { 'k' => [1, 2] } file { '/b': ensure => file } }"),
    ("/modules/a/manifests/d.pp", "define a::d(Enum['on', 'off'] $p, A::T $t = 1, *$r) { include a }"),
    ("/modules/a/functions/f.pp", "function a::f(Integer $n, &$b) >> Integer { $n + a::f($n - 1) }"),
    ("/modules/a/types/t.pp", "type A::T = Variant[Integer[0, 9], Array[A::T], Struct[{ k => A::T }]]"),
    (
        "/modules/a/lib/puppet/functions/r.rb",
        "Puppet::Functions.create_function(:r) do\n  dispatch :r do\n    param 'String', :s\n    optional_block_param\n  \
         end\n  def r(s); end\nend\n",
    ),
    ("/modules/a/templates/t.epp", "<%- | String $s = 'x' | -%>\n<%= $s %>\n"),
];

/// Checks `bytes` as the main manifest of a small site; what comes after a byte 0 is its data.
///
/// # Panics
/// If something that is said points at what is not there.
pub fn check(bytes: &[u8]) {
    let source = String::from_utf8_lossy(bytes);
    let (manifest, data) = source.split_once('\0').unwrap_or((&source, ""));
    let own = [("/manifests/site.pp", manifest), ("/data/common.yaml", data)];
    check_all(MemorySystem::with_files(SITE.into_iter().chain(own)));
}
