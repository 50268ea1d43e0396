# frozen_string_literal: true

# Makes crates/ruby/data/facts.json of Facter's schema of its own facts.
#
# Usage: ruby core_facts.rb FACTER     (the folder of Facter's source, with lib/schema/facter.yaml)
#
# Writes JSON with one line for each fact: name, type in Puppet's notation; pattern, if the name is one for several
# facts; whether it is a legacy fact, and where its value is found since. Stops if a replacement is not in the schema.

require 'json'
require 'yaml'

TYPES = { 'integer' => 'Integer', 'double' => 'Float', 'boolean' => 'Boolean', 'array' => 'Array',
          'string' => 'String', 'ip' => 'String', 'ip6' => 'String', 'mac' => 'String' }.freeze

# Where the values of legacy facts are found, as Facter's own facts have both (`FACT_NAME` and `ALIASES`). Not always in
# the same form: lists in one text are hashes or arrays there, and what ends in `_mb` is in bytes.
REPLACEMENTS = {
  'architecture' => 'os.architecture',
  'augeasversion' => 'augeas.version',
  'blockdevices' => 'disks',
  'blockdevice_<devicename>_model' => 'disks.<devicename>.model',
  'blockdevice_<devicename>_size' => 'disks.<devicename>.size_bytes',
  'blockdevice_<devicename>_vendor' => 'disks.<devicename>.vendor',
  'bios_release_date' => 'dmi.bios.release_date',
  'bios_vendor' => 'dmi.bios.vendor',
  'bios_version' => 'dmi.bios.version',
  'boardassettag' => 'dmi.board.asset_tag',
  'boardmanufacturer' => 'dmi.board.manufacturer',
  'boardproductname' => 'dmi.board.product',
  'boardserialnumber' => 'dmi.board.serial_number',
  'chassisassettag' => 'dmi.chassis.asset_tag',
  'chassistype' => 'dmi.chassis.type',
  'dhcp_servers' => 'networking.dhcp',
  'domain' => 'networking.domain',
  'fqdn' => 'networking.fqdn',
  'gid' => 'identity.group',
  'hardwareisa' => 'processors.isa',
  'hardwaremodel' => 'os.hardware',
  'hostname' => 'networking.hostname',
  'id' => 'identity.user',
  'interfaces' => 'networking.interfaces',
  'ipaddress' => 'networking.ip',
  'ipaddress6' => 'networking.ip6',
  'ipaddress6_<interface>' => 'networking.interfaces.<interface>.ip6',
  'ipaddress_<interface>' => 'networking.interfaces.<interface>.ip',
  'lsbdistcodename' => 'os.distro.codename',
  'lsbdistdescription' => 'os.distro.description',
  'lsbdistid' => 'os.distro.id',
  'lsbdistrelease' => 'os.distro.release.full',
  'lsbmajdistrelease' => 'os.distro.release.major',
  'lsbminordistrelease' => 'os.distro.release.minor',
  'lsbrelease' => 'os.distro.specification',
  'macaddress' => 'networking.mac',
  'macaddress_<interface>' => 'networking.interfaces.<interface>.mac',
  'macosx_buildversion' => 'os.macosx.build',
  'macosx_productname' => 'os.macosx.product',
  'macosx_productversion' => 'os.macosx.version.full',
  'macosx_productversion_major' => 'os.macosx.version.major',
  'macosx_productversion_minor' => 'os.macosx.version.minor',
  'macosx_productversion_patch' => 'os.macosx.version.patch',
  'manufacturer' => 'dmi.manufacturer',
  'memoryfree' => 'memory.system.available',
  'memoryfree_mb' => 'memory.system.available_bytes',
  'memorysize' => 'memory.system.total',
  'memorysize_mb' => 'memory.system.total_bytes',
  'mtu_<interface>' => 'networking.interfaces.<interface>.mtu',
  'netmask' => 'networking.netmask',
  'netmask6' => 'networking.netmask6',
  'netmask6_<interface>' => 'networking.interfaces.<interface>.netmask6',
  'netmask_<interface>' => 'networking.interfaces.<interface>.netmask',
  'network' => 'networking.network',
  'network6' => 'networking.network6',
  'network6_<interface>' => 'networking.interfaces.<interface>.network6',
  'network_<interface>' => 'networking.interfaces.<interface>.network',
  'operatingsystem' => 'os.name',
  'operatingsystemmajrelease' => 'os.release.major',
  'operatingsystemrelease' => 'os.release.full',
  'osfamily' => 'os.family',
  'physicalprocessorcount' => 'processors.physicalcount',
  'processor<N>' => 'processors.models',
  'processorcount' => 'processors.count',
  'productname' => 'dmi.product.name',
  'rubyplatform' => 'ruby.platform',
  'rubysitedir' => 'ruby.sitedir',
  'rubyversion' => 'ruby.version',
  'scope6' => 'networking.scope6',
  'scope6_<interface>' => 'networking.interfaces.<interface>.scope6',
  'selinux' => 'os.selinux.enabled',
  'selinux_config_mode' => 'os.selinux.config_mode',
  'selinux_config_policy' => 'os.selinux.config_policy',
  'selinux_current_mode' => 'os.selinux.current_mode',
  'selinux_enforced' => 'os.selinux.enforced',
  'selinux_policyversion' => 'os.selinux.policy_version',
  'serialnumber' => 'dmi.product.serial_number',
  'ssh<algorithm>key' => 'ssh.<algorithm>.key',
  'sshfp_<algorithm>' => 'ssh.<algorithm>.fingerprints',
  'swapencrypted' => 'memory.swap.encrypted',
  'swapfree' => 'memory.swap.available',
  'swapfree_mb' => 'memory.swap.available_bytes',
  'swapsize' => 'memory.swap.total',
  'swapsize_mb' => 'memory.swap.total_bytes',
  'system32' => 'os.windows.system32',
  'uptime' => 'system_uptime.uptime',
  'uptime_days' => 'system_uptime.days',
  'uptime_hours' => 'system_uptime.hours',
  'uptime_seconds' => 'system_uptime.seconds',
  'uuid' => 'dmi.product.uuid',
  'windows_edition_id' => 'os.windows.edition_id',
  'windows_installation_type' => 'os.windows.installation_type',
  'windows_product_name' => 'os.windows.product_name',
  'windows_release_id' => 'os.windows.release_id',
  'xendomains' => 'xen.domains',
  'zonename' => 'solaris_zones.current',
  'zones' => 'solaris_zones.zones',
  'zone_<name>_brand' => 'solaris_zones.zones.<name>.brand',
  'zone_<name>_iptype' => 'solaris_zones.zones.<name>.ip_type',
  'zone_<name>_uuid' => 'solaris_zones.zones.<name>.uuid',
  'zone_<name>_id' => 'solaris_zones.zones.<name>.id',
  'zone_<name>_path' => 'solaris_zones.zones.<name>.path',
  'zone_<name>_status' => 'solaris_zones.zones.<name>.status'
}.freeze

# The entry at a path. A placeholder stands for the elements that a pattern names, or for any.
def find(schema, path)
  path.split('.').reduce('elements' => schema) do |entry, step|
    elements = entry && entry['elements']
    break unless elements

    elements[step] || (step.start_with?('<') && (elements.values.find { |it| it['pattern'] } || elements.values.first))
  end
end

def type(entry)
  return TYPES.fetch(entry['type']) unless entry['type'] == 'map'
  return 'Hash[String, Any]' if entry['validate'] == false || entry['elements'].nil?
  return "Hash[String, #{elements(entry)}]" if entry['elements'].values.any? { |it| it['pattern'] }

  members = entry['elements'].map { |name, it| "Optional['#{name}'] => #{type(it)}" }
  "Struct[{#{members.join(', ')}}]"
end

# The type of the values of a hash whose keys are not known.
def elements(entry)
  types = entry['elements'].values.map { |it| type(it) }.uniq
  types.size == 1 ? types.first : "Variant[#{types.join(', ')}]"
end

folder = ARGV.fetch(0)
schema = YAML.safe_load(File.read(File.join(folder, 'lib/schema/facter.yaml')))
version = File.read(File.join(folder, 'lib/facter/version.rb'))[/VERSION = '([^']+)'/, 1]
facts = schema.map do |name, entry|
  fact = { name: name, type: type(entry) }
  fact[:pattern] = entry['pattern'] if entry['pattern']
  fact[:legacy] = true if entry['hidden']
  replacement = REPLACEMENTS[name]
  abort "#{name}: #{replacement} is not in the schema" if replacement && !find(schema, replacement)
  fact[:replacement] = replacement if replacement
  fact
end
unknown = REPLACEMENTS.keys - schema.keys
abort "not in the schema: #{unknown.join(' ')}" unless unknown.empty?
facts.select { |it| it[:legacy] && !it[:replacement] }.each { |it| warn "#{it[:name]}: no replacement" }
puts %({"version":#{version.to_json},\n"facts":[\n#{facts.map { |it| JSON.generate(it) }.join(",\n")}\n]})
