#!/usr/bin/env ruby
# frozen_string_literal: true

# Writes site manifests for the modules of the corpus: their classes, defines and resource types with plausible parameters, as many as the reference accepts together.
#
#   PUPPET_LIB=<lib folder of Puppet 8> ruby xtask/oracle/scenarios/generate.rb [MODULE…]
#
# A declaration is kept if the reference compiles the manifest with it. Each manifest lies in tests/scenarios/manifests; its first line names the operating systems.
require 'digest'
require_relative 'reference'
require_relative 'values'

SYSTEMS = %w[debian-12 redhat-9 redhat-8 ubuntu-22.04].freeze
# A manifest is full with so many resources.
RESOURCES = 180
SECONDS = 20
# So much processor time is spent on the choice for one system, and so many manifests are made of a module.
SEARCH = 4
GROUPS = 2
# Declarations that are tried together first, and ways to declare one that are tried.
CHUNK = 4
VARIANTS = 8

# What modules need before anything else, where names and types do not say it.
FIRST = {
  'ceph' => ["class { 'ceph': fsid => '066F558C-6789-4A93-AAF1-5AF1BA01A3AD', mon_host => '192.0.2.10' }"],
  'collectd' => ["class { 'collectd': purge => true, recurse => true, purge_config => true, manage_repo => false }"],
  'corosync' => ["class { 'corosync': cluster_name => 'example', set_votequorum => true, quorum_members => ['192.0.2.10', '192.0.2.11'] }"],
  'filebeat' => ["class { 'filebeat': manage_repo => false, outputs => { 'logstash' => { 'hosts' => ['192.0.2.9:5044'] } } }\nfilebeat::prospector { 'syslogs': paths => ['/var/log/auth.log', '/var/log/syslog'], doc_type => 'syslog-beat' }"],
  'galera' => ["class { 'galera': galera_servers => ['192.0.2.10', '192.0.2.11'], galera_master => 'node1.example.com', status_password => 's3cr3t', configure_repo => false, root_password => 'pw' }"],
  'gitolite' => ["class { 'gitolite': userhome => '/srv/git', admin_key => 'ssh-rsa AAAA', fetch_cron => false }"],
  'heat' => ["class { 'heat::keystone::authtoken': password => 's3cr3t' }\nclass { 'heat': default_transport_url => 'rabbit://user:pw@192.0.2.30:5672/' }"],
  'horizon' => ["class { 'horizon': secret_key => 's3cr3t', allowed_hosts => ['www.example.com'] }"],
  'ipaclient' => ["class { 'ipaclient': password => 's3cr3t', domain => 'example.com', realm => 'EXAMPLE.COM', server => 'ipa.example.com' }"],
  'logrotate' => ["logrotate::rule { 'example': path => '/var/log/example.log', rotate => 5, rotate_every => 'week', postrotate => '/usr/bin/killall -HUP example' }", "logrotate::rule { 'list': path => ['/var/log/a', '/var/log/b'], compress => true, missingok => true, size => '100k' }"],
  'rsyslog' => ["class { 'rsyslog': modules => ['$ModLoad imuxsock', '$ModLoad imklog'], extra_modules => [], purge_rsyslog_d => true }"],
  'swift' => ["class { 'swift': swift_hash_path_suffix => 'suffix' }"],
  'tempest' => ["class { 'tempest': image_name => 'cirros', image_name_alt => 'cirros', public_network_name => 'public', install_from_source => false }"],
  'ssh_keygen' => ["ssh_keygen { 'alice': }", "ssh_keygen { 'bob': home => '/srv/bob', type => 'ed25519', comment => 'bob@example.com' }"],
  'concat' => ["concat { '/etc/motd': ensure => present, owner => 'root' }", "concat::fragment { 'first': target => '/etc/motd', content => \"welcome\\n\", order => '01' }", "concat::fragment { 'second': target => '/etc/motd', source => 'puppet:///modules/site/motd', order => 10 }"],
  'datacat' => ["datacat { '/etc/nagios/objects/hostgroups.cfg': template_body => 'Your gerbils: <%= @data[\"gerbils\"].sort.join(\",\") %>' }", "datacat_fragment { 'first': target => '/etc/nagios/objects/hostgroups.cfg', data => { gerbils => ['charlie', 'bert'] } }"],
  'stdlib' => ["file_line { 'sudo': path => '/etc/sudoers', line => '%sudo ALL=(ALL) ALL', match => '^%sudo' }", "class { 'stdlib': } -> anchor { 'end': }", "notify { 'pick': message => pick('', undef, 'default') }", "file { '/etc/x.json': content => to_json_pretty({ 'a' => [1, 2.5, true, undef], 'b' => {} }) }", "file { '/etc/x.yaml': content => to_yaml({ 'a' => ['yes', 'no', '1', 1], 'b' => { 'c' => \"x\\ny\" } }) }", "ensure_packages(['a', 'b'], { ensure => 'latest' })", "notify { unique([3, 1, 3, 2]).join(','): message => sort(['b', 'a']) }", "notify { 'x': message => [str2bool('yes'), bool2num(true), deep_merge({ 'a' => { 'b' => 1 } }, { 'a' => { 'c' => 2 } }), prefix(['a', 'b'], 'p'), fqdn_rand_string(10), shuffle(['a', 'b', 'c']), seeded_rand(100, 'seed'), base64('encode', 'text'), range('a', 'e'), zip([1, 2], ['x', 'y'], true), dirname('/a/b/c'), validate_email_address('a@b.c'), camelcase('a_b'), type_of(1.5)] }"],
  'inifile' => ["ini_setting { 'sample': ensure => present, path => '/tmp/foo.ini', section => 'bar', setting => 'baz', value => 'quux' }", "ini_subsetting { 'heap': section => '', key_val_separator => '=', path => '/etc/default/example', setting => 'JAVA_ARGS', subsetting => '-Xmx', value => '512m' }", "create_ini_settings({ 'main' => { 'a' => 1, 'b' => { 'ensure' => 'absent' } } }, { 'path' => '/etc/m.ini' })"],
}.freeze

# A class, define or resource type, and its declarations from rich to plain.
Candidate = Struct.new(:kind, :name, :variants)

# The manifests of one module.
class ModuleScenario
  def initialize(name)
    @name = name
    @kept = KeptEnvironment.new(facts_of(SYSTEMS.first))
  end

  # [[declarations, systems]…]
  def manifests
    candidates = definitions + natives
    facts = SYSTEMS.to_h { |it| [it, facts_of(it)] }
    accepted = { SYSTEMS.first => search(candidates, facts[SYSTEMS.first]) }
    %w[ubuntu-22.04 redhat-9].each { |it| accepted[it] = same(accepted[SYSTEMS.first], facts[it]) || search(candidates, facts[it]) }
    # An older release only where the module does not know the new one.
    if accepted['redhat-9'].sum(&:size) * 2 < accepted[SYSTEMS.first].sum(&:size)
      older = same(accepted[SYSTEMS.first], facts['redhat-8']) || search(candidates, facts['redhat-8'])
      accepted.delete('redhat-9') && accepted['redhat-8'] = older if older.sum(&:size) > accepted['redhat-9'].sum(&:size)
    end
    parts = accepted.values.map(&:size).max
    (0...parts).flat_map { |i| accepted.select { |_, groups| groups[i] }.group_by { |_, groups| groups[i] }.map { |declarations, systems| [declarations, systems.map(&:first).sort] } }
  end

  private

  def same(groups, values) = (groups if groups.any? && groups.all? { |it| compiles?(it, values) })

  # Groups of declarations that compile together, as many as there is time for.
  def search(candidates, values)
    start = cpu
    groups = [[]]
    @classes = nil
    candidates.each_slice(CHUNK) do |chunk|
      break if full?(groups, start)
      next if taken?(groups, chunk.map { |it| it.variants.first }, values, chunk)

      chunk.each { |it| one(groups, it, values, start) }
    end
    groups.reject(&:empty?)
  end

  def full?(groups, start) = groups.size > GROUPS || cpu - start > SEARCH

  # Adds declarations to the last group if it compiles with them.
  def taken?(groups, declarations, values, candidates)
    return false if candidates.any? { |it| declared?(it) } || !compiles?(groups.last + declarations, values)

    groups.last.concat(declarations)
    groups << [] && @classes = nil if @resources > RESOURCES
    true
  end

  # Adds the first variant of a candidate that compiles.
  def one(groups, candidate, values, start)
    @message = ''
    candidate.variants.first(VARIANTS).each do |it|
      break if full?(groups, start) || declared?(candidate) || @message.match?(/private|not supported|unsupported|cannot be (called|used)/i)
      break if taken?(groups, [it], values, [candidate])
    end
  end

  def cpu = Process.clock_gettime(Process::CLOCK_PROCESS_CPUTIME_ID)

  def declared?(candidate) = candidate.kind == :class && @classes&.include?(candidate.name)

  def compiles?(declarations, values)
    catalog = Timeout.timeout(SECONDS) { @kept.compile("#{declarations.join("\n")}\n", values) }
    data = wire(catalog)
    return false if data['resources'].size > RESOURCES * 2.5

    @resources = data['resources'].size
    @classes = catalog.classes
    true
  rescue StandardError, ScriptError, SystemStackError => e
    @message = e.message
    warn "  #{declarations.last.lines.first.strip}: #{@message.lines.first.strip}" if ENV['SHOW_REFUSALS']
    @kept = KeptEnvironment.new(facts_of(SYSTEMS.first)) if $ERROR_INFO.is_a?(Puppet::DevError)
    false
  end

  def definitions
    folder = File.join(MODULES, @name, 'manifests')
    names = Dir[File.join(folder, '**/*.pp')].map { |it| [@name, *it.delete_prefix("#{folder}/").delete_suffix('.pp').split('/').reject { |part| part == 'init' }].join('::') }
    # The class of the module first, then the shallow ones.
    names = names.sort_by { |it| [it == @name ? 0 : 1, it.count(':'), it] }
    found = names.filter_map { |it| candidate(it) unless it.match?(/::(params|globals|deps|policy)\z/) }
    main, others = found.partition { |it| it.name == @name }
    defines, classes = others.partition { |it| it.kind == :define }
    first = (FIRST[@name] || []).map { |it| Candidate.new(:first, it, [it]) }
    first + main + defines + classes
  end

  def candidate(name)
    @kept.inside do |environment|
      types = environment.known_resource_types
      type = types.find_hostclass(name)
      next Candidate.new(:class, name, variants(type, name) { |parameters| parameters.empty? ? "include #{name}" : "class { '#{name}':\n#{parameters.join("\n")}\n}" } | ["include #{name}"]) if type

      type = types.find_definition(name)
      next nil unless type

      titles = ['example', '/srv/example', 'example.service', 'example.timer', '10-example.rules', '192.0.2.77', '10', 'user@host/base.*']
      variants = variants(type, name) { |parameters| "#{name} { 'TITLE':\n#{parameters.join("\n")}\n}" }
      Candidate.new(:define, name, (variants.map { |it| it.sub('TITLE', titles.first) } + titles.drop(1).map { |it| variants.last.to_s.sub('TITLE', it) }).reject(&:empty?).map { |it| it.sub(":\n\n}", ': }') })
    end
  rescue Puppet::Error => e
    warn "#{name}: #{e.message}"
  end

  # With some optional parameters, with few, and with none.
  def variants(type, name)
    values = Values.new(Digest::MD5.hexdigest(name)[0, 8].hex)
    most = [7, 3, 0]
    most.filter_map do |most|
      parameters = catch(:none) { parameters(type, values, most) }
      yield parameters if parameters
    end.uniq
  end

  def parameters(type, values, most)
    share = most.fdiv([type.arguments.count { |_, default| default }, 1].max).clamp(0, 0.4)
    chosen = type.arguments.filter_map do |parameter, default|
      next if default && !values.chance(share)

      literal = default_value(default)
      value = default ? catch(:none) { [values.of(type.argument_types[parameter], parameter, literal)] } : [values.of(type.argument_types[parameter], parameter, literal)]
      [parameter, puppet(value.first)] if value
    end
    width = chosen.map { |parameter, _| parameter.size }.max
    chosen.map { |parameter, value| "  #{parameter.ljust(width)} => #{value}," }
  end

  def default_value(expression)
    value = expression.respond_to?(:value) ? expression.value : expression
    case value
    when Puppet::Pops::Model::LiteralBoolean, Puppet::Pops::Model::LiteralString, Puppet::Pops::Model::LiteralInteger then value.value
    when Puppet::Pops::Model::LiteralHash then value.entries.empty? ? {} : nil
    when Puppet::Pops::Model::LiteralList then value.values.empty? ? [] : nil
    end
  end

  # Resource types written in Ruby, without the modules' own providers.
  def natives
    Dir[File.join(MODULES, @name, 'lib/puppet/type/*.rb')].sort.filter_map do |file|
      name = File.basename(file, '.rb')
      type = @kept.inside { Puppet::Type.type(name) }
      next unless type && name.match?(/\A[a-z]\w*\z/)

      attributes = type.allattrs.reject { |it| type.metaparam?(it) || %i[provider name path].include?(it) || type.key_attributes.include?(it) }.first(5)
      values = Values.new(Digest::MD5.hexdigest(name)[0, 8].hex)
      lines = attributes.map { |it| "  #{it} => #{puppet(it == :ensure ? 'present' : values.of(nil, it, nil))}," }
      titles = ['example', '/srv/example', 'DEFAULT/example', 'user@host', 'user@host/db.*']
      Candidate.new(:native, name, [lines, lines.grep(/ensure/)].flat_map { |it| titles.map { |title| "#{name} { '#{title}':\n#{it.join("\n")}\n}".sub(":\n\n}", ': }') } }.uniq)
    rescue StandardError, ScriptError
      nil
    end
  end

  def puppet(value)
    case value
    when nil then 'undef'
    when String then value.match?(/[\n\t]/) ? "\"#{value.gsub(/["\\$]/) { "\\#{_1}" }.gsub("\n", '\n').gsub("\t", '\t')}\"" : "'#{value.gsub(/['\\]/) { "\\#{_1}" }}'"
    when Symbol then value == :default ? 'default' : "'#{value}'"
    when Array then "[#{value.map { |it| puppet(it) }.join(', ')}]"
    when Hash then value.empty? ? '{}' : "{ #{value.map { |k, v| "#{puppet(k)} => #{puppet(v)}" }.join(', ')} }"
    when Puppet::Pops::Types::PSensitiveType::Sensitive then "Sensitive(#{puppet(value.unwrap)})"
    else value.to_s
    end
  end
end

require 'timeout'
require 'English'
names = ARGV.empty? ? Dir.children(MODULES).sort : ARGV
target = File.join(SCENARIOS, 'manifests')
FileUtils.mkdir_p(target)
names.each do |name|
  start = Process.clock_gettime(Process::CLOCK_PROCESS_CPUTIME_ID)
  manifests = ModuleScenario.new(name).manifests
  FileUtils.rm_f(Dir[File.join(target, "#{name}.pp"), File.join(target, "#{name}-[0-9]*.pp")])
  manifests.each_with_index do |(declarations, systems), i|
    file = File.join(target, i.zero? ? "#{name}.pp" : "#{name}-#{i + 1}.pp")
    File.write(file, "# #{systems.join(' ')}\n#{declarations.join("\n")}\n")
  end
  puts format('%-20s %s in %.1f s', name, manifests.map { |d, s| "#{d.size} on #{s.size}" }.join(', '), Process.clock_gettime(Process::CLOCK_PROCESS_CPUTIME_ID) - start)
  $stdout.flush
end
