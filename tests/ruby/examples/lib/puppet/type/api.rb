# The Resource API.
require 'puppet/resource_api'

Puppet::ResourceApi.register_type(
  name: 'api',
  docs: <<~EOS,
    Documentation.
  EOS
  features: ['remote_resource', 'canonicalize'],
  title_patterns: [
    { pattern: %r{^(?<package>.*[^-])-(?<manager>.*)$}, desc: 'Both.' },
    { pattern: %r{^(?<package>.*)$}, desc: 'The package.' },
  ],
  attributes: {
    package: { type: 'String', desc: 'Names it.', behaviour: :namevar },
    manager: { type: 'Enum[apt, "a"]', desc: 'Names it too.', behaviour: :namevar, default: 'apt' },
    ensure: { type: 'Enum[present, absent]', desc: 'Whether.', default: 'present' },
    size: { type: 'Optional[Integer]', desc: 'Deprecated.' },
    born: { type: 'String', desc: 'Read only.', behaviour: :read_only },
    force: { type: 'Boolean', desc: 'A parameter.', behaviour: :parameter, default: false },
    once: { type: 'String', desc: 'Set once.', behaviour: :init_only },
  },
  autorequire: { file: '$source', Package: 'apt' },
)

Puppet::ResourceApi.register_type(
  name: 'api_plain',
  desc: 'One name.',
  attributes: { name: { type: 'String', desc: 'Names it.', behaviour: :namevar } },
)
