#!/usr/bin/env ruby
# frozen_string_literal: true

# Renders every ERB template of the corpus with generated variables and writes what the reference makes of it.
#
#   PUPPET_LIB=<lib folder of Puppet 8> ruby xtask/oracle/erb.rb [--print] [TEMPLATE…]
#
# Templates are named by a part of their path. Without names, the record is written to tests/oracle/erb.jsonl; with names, the rows go to the standard output, with `--print` as whole texts.
# docs/oracle.md describes the rows. Variables have the types that the manifests around a template give them, or such as its own code expects.
require 'digest'
require 'timeout'
require_relative 'scenarios/reference'
require_relative 'scenarios/values'

AVAILABLE = File.join(CORPUS, 'tree')
RENDERINGS = 20
REFUSALS = 4
ATTEMPTS = 160
# Longer texts are recorded by digest.
LONGEST_TEXT = 160
POOL = 7

# Values of variables that neither types nor code tell.
EXPECTED = {
  %r{chrony.*/chrony\.conf} => { 'servers' => [{ 'ntp1.example.com' => ['iburst', 'prefer'], 'ntp2.example.com' => [] }, { 'ntp3.example.com' => ['offline'] }] },
  %r{redis.*/redis\.conf} => { 'save_db_to_disk_interval' => [{ '900' => '1', '300' => '10', '60' => '10000' }, { '5' => '7' }] },
  %r{sssd\.conf} => { '_config' => [{ 'sssd' => { 'domains' => 'a', 'services' => %w[nss pam] }, 'domain/a' => { 'id_provider' => 'ldap' } }], 'config' => [{ 'sssd' => { 'domains' => 'a', 'services' => %w[nss pam] }, 'domain/a' => { 'id_provider' => 'ldap' } }] },
  %r{bgpd\.conf\.head} => { 'debug_bgp' => [%w[as4 events], ['filters'], []] },
  %r{bgpd\.conf\.(v6)?peer} => { 'communities' => [%w[65000:1 65000:2], []] },
  %r{/named\.conf\.erb} => { 'controls' => [{ '127.0.0.1' => { 'port' => 953, 'allowed_addresses' => ['127.0.0.1', '::1'], 'keys' => ['rndc-key'] } }] },
  %r{filebeat\.yml|apache} => { 'major_version' => %w[5 6 1], 'apache_version' => ['2.4', '2.2', '2.4.6'], '_apache_version' => ['2.4', '2.2', '2.4.6'], 'filebeat_config' => [{ 'shutdown_timeout' => 0, 'name' => 'n', 'tags' => %w[a b], 'output' => { 'logstash' => { 'hosts' => ['h:5044'] } } }] },
  %r{actionpolicy} => { 'data' => [{ 'lines' => [{ 'policy' => 'allow', 'callerid' => 'uid=0', 'actions' => '*', 'facts' => '*', 'classes' => '*' }] }] },
  %r{mod/mime\.conf} => { 'mime_types_additional' => [{ 'AddHandler' => { 'type-map' => 'var' }, 'AddType' => { 'text/html' => '.shtml' } }], '_mime_types_additional' => [{ 'AddHandler' => { 'type-map' => 'var' }, 'AddOutputFilter' => { 'INCLUDES' => '.shtml' } }, {}] },
  %r{haproxy/templates/fragments/_options} => { 'options' => [{ 'option' => %w[tcplog ssl-hello-chk], 'balance' => 'roundrobin' }, [{ 'acl' => 'is_api path_beg /api' }, { 'default_backend' => 'web' }], {}] },
  %r{haproxy_resolver} => { 'nameservers' => [{ 'dns1' => '192.0.2.53:53' }, { 'dns1' => '192.0.2.53:53', 'dns2' => '192.0.2.54:53' }], 'timeout' => [{ 'retry' => '1s' }, nil], 'hold' => [{ 'other' => '30s', 'nx' => '5s' }, nil] },
  %r{demo2/templates/merging} => { 'data' => [{ 'foo' => %w[one two] }] },
  %r{demo3/templates/hostgroups} => { 'data' => [{ 'load_balancers' => %w[b a], 'web' => ['c'] }] },
  %r{sshd_config} => { 'options' => [{ 'Port' => [22, 2222], 'Match User www' => { 'ChrootDirectory' => '%h', 'AllowTcpForwarding' => 'no' }, 'X11Forwarding' => 'no', 'ListenAddress' => %w[127.0.0.1 ::0] }, {}], 'merged_options' => [{ 'Port' => [22, 2222], 'Match User www' => { 'ChrootDirectory' => '%h' } }] },
  %r{ssh_config} => { 'options' => [{ 'Host *.example.com' => { 'User' => 'x', 'Port' => 22 }, 'SendEnv' => %w[LANG LC_*] }, {}], 'merged_options' => [{ 'Host *' => { 'HashKnownHosts' => 'yes' }, 'Port' => 22 }] },
  %r{monit.*/check} => { 'tests_real' => [[{ 'type' => 'connection', 'host' => '127.0.0.1', 'port' => 80, 'protocol' => 'http', 'action' => 'alert' }], [{ 'type' => 'fs', 'operator' => '>', 'value' => '80%', 'tolerance' => { 'cycles' => 5 }, 'action' => 'restart' }]] },
  %r{plugin/varnish} => { 'instances' => [{ 'instance1' => { 'CollectCache' => 'true', 'CollectBackend' => 'false' } }] },
  %r{memcached} => { 'processorcount' => %w[1 4], 'max_memory' => [64, '512', '1024'], '::memorysize' => ['1.94 GiB'] },
  %r{vhost/_directories} => { '_directories' => [[{ 'path' => '/srv/www', 'options' => ['Indexes', 'FollowSymLinks'], 'allow_override' => ['None'], 'require' => 'all granted' }], { 'path' => '^/private', 'provider' => 'locationmatch', 'auth_type' => 'Basic', 'auth_name' => 'members', 'auth_user_file' => '/etc/htpasswd', 'require' => { 'enforce' => 'all', 'requires' => ['valid-user', 'ip 10'] } },
                                                          [{ 'path' => '/a', 'provider' => 'files', 'deny' => 'from all', 'headers' => ['Set X 1'], 'rewrites' => [{ 'comment' => 'c', 'rewrite_cond' => ['%{HTTPS} off'], 'rewrite_rule' => ['^ / [R]'] }] }, { 'path' => '/b', 'addhandlers' => [{ 'handler' => 'cgi', 'extensions' => ['.cgi', '.pl'] }], 'custom_fragment' => "x\ny" }], []] },
}.freeze

# The variables of a template and values that suit them.
class Variables
  OTHERS = ['10', "two\nlines", '', 'with "quotes" & <signs>', 'ünïcode'].freeze

  attr_reader :pools

  def initialize(path, text, types)
    @text = text
    @values = Values.new(Digest::MD5.hexdigest(path)[0, 8].hex)
    @path = path
    @keys = text.scan(/\w\[:?['"]?([a-z]\w*)['"]?\]/).flatten.uniq
    @pools = names.to_h { |name| [name, pool(name, types)] }
  end

  # The variables that the code on a line reads.
  def on(line)
    lines = @text.lines
    code = [line - 1, line - 2, line].filter_map { |it| lines[it] if it >= 0 }.join
    @pools.keys.select { |name| code.match?(/\b#{Regexp.escape(name.split('::').last)}\b/) }
  end

  private

  def names
    code = @text.scan(/<%(?!#)(.*?)%>/m).flatten.join("\n")
    assigned = code.scan(/@(\w+)\s*(?:\|\||\+)?=(?![=~>])/).flatten
    read = code.scan(/(?<!@)@(\w+)/).flatten + code.scan(/scope\.(?:to_hash)?\[['"]([\w:]+)['"]\]|scope\.lookupvar\(['"]([\w:]+)['"]\)|has_variable\?\(?\s*['"]([\w:]+)['"]/).flatten.compact
    set = code.scan(/scope\.setvar\(['"](\w+)/).flatten
    (read - set - (assigned - read)).uniq.reject { |it| it.match?(/\A(_erbout|__.*)\z/) }
  end

  def pool(name, types)
    short = name.split('::').last
    expected = EXPECTED.filter_map { |pattern, values| (values[name] || values[name.split('::').last]) if @path.match?(pattern) }.first
    return expected if expected

    found = []
    if types.key?(short)
      type, default, optional = types[short]
      found << default unless default.nil?
      10.times { catch(:none) { found << @values.of(type, short, default) } }
      found << nil if optional
    end
    7.times { found << used(name, short) } if found.compact.empty?
    texts = found.grep(String)
    # Where any text may be, unusual ones are.
    found += OTHERS.select { |it| !types.key?(short) || types[short].first.nil? || types[short].first.instance?(it) } if texts.any? && texts.uniq.size < 3 && !found.intersect?([true, false])
    found.select { |it| plain?(it) }.uniq.first(POOL)
  end

  # A value such as the template's code expects.
  def used(name, short)
    own = name.include?('::') || @text.include?("scope['#{name}']") ? /(?:lookupvar\(|\[)['"]#{Regexp.escape(name)}['"][)\]]/ : /@#{Regexp.escape(name)}\b/
    other = /(?:@|\b)#{Regexp.escape(short)}\b/
    case
    when fits?(own, /\.(sort\.)?(each|map|collect|each_with_index|sort_by)(\(.*?\))? *(do|\{) *\|\(?\w+, *\w+|\.(each_pair|keys|values|has_key\?|key\?|each_key|to_hash)\b|\[['":]/) then hash_value
    when fits?(own, /\.(each|map|collect|select|each_with_index) *(do|\{) *\|(\w+)\|/) && @text.match?(/\b#{Regexp.last_match ? element(own) : 'item'}\[['":]/) then Array.new(1 + random(2)) { hash_value }
    when fits?(own, /\.(each|map|collect|join|sort|flatten|first|last|uniq|compact|select|reject|include\?|inject|each_with_index|push)\b/), @text.match?(/(\[\s*#{own.source}\s*\]|Array\(\s*#{own.source})/) then Array.new(1 + random(3)) { |i| "#{short.chomp('s')}#{i + 1}" }
    when fits?(own, / *(==|!=) *(true|false)\b/) then [true, false, 'true'][random(3)]
    when fits?(own, /(\.to_i)? *(<=?|>=?|\*|\/) *\d/) then [1, 8, '4', 100][random(4)]
    when fits?(own, /\.to_i|\.to_f/) then ['3', '10', 7][random(3)]
    when @text.match?(/(if|unless|and|or|&&|!) *\(?#{own.source}( *(-?%>|and|or|&&|\|\||\?|\)))/) && !@text.match?(/<%= *#{own.source}/) then [true, false, nil][random(3)]
    when other && random(12).zero? then nil
    else named(short)
    end
  end

  def element(own) = @text[/#{own.source}(?:\.\w+)* *(?:do|\{) *\|(\w+)\|/, 1] || 'item'

  def fits?(own, rest) = @text.match?(/#{own.source}(?:#{rest.source})/)

  def random(limit) = @values.integer_below(limit)

  def named(short)
    value = @values.by_name(short)
    value.is_a?(Hash) || value.is_a?(Array) ? "#{short}-value" : value
  end

  def hash_value
    keys = @keys.select { random(3).zero? }.first(6)
    keys = @keys.sample(2, random: Random.new(random(1000))) if keys.empty?
    keys = %w[alpha beta] if keys.empty?
    keys.to_h { |key| [key, [named(key), named(key).to_s, ['one', 'two'], 'on', true, 5][[0, 0, 1, random(6)][random(4)]]] }
  end

  def plain?(value)
    case value
    when nil, true, false, String, Integer, Float then true
    when Array then value.all? { |it| plain?(it) }
    when Hash then value.all? { |key, it| key.is_a?(String) && plain?(it) }
    else false
    end
  end
end

class Values
  def integer_below(limit) = @random.rand(limit)
  def by_name(name) = named(name, nil)
end

# Renders templates in a scope that has these variables and nothing else.
class Rendering
  def initialize
    @environment = KeptEnvironment.new({}).environment
  end

  def node = Puppet::Node.new('node1.example.com', environment: @environment)

  # `= text`, or `! line class: message`.
  def call(file, variables)
    compiler = Puppet::Parser::Compiler.new(node)
    context = { environments: Puppet::Environments::Static.new(@environment) }.merge(compiler.context_overrides)
    Puppet.override(context) do
      top = compiler.topscope
      scope = top.newscope(source: nil, resource: nil)
      JSON.parse(JSON.generate(variables)).each { |name, value| set(compiler, scope, name, value) }
      text = Timeout.timeout(5) { scope.call_function('template', [file]) }
      ['=', text]
    end
  rescue Timeout::Error
    ['?', '']
  rescue Puppet::ParseError => e
    line = e.message[/^ *Line: (\d+)$/, 1]
    detail = e.message[/^ *Detail: (.*)\z/m, 1].to_s.strip
    ['!', "#{line || '-'} #{worded(detail)}"]
  rescue StandardError, ScriptError, SystemStackError => e
    ['!', "- #{e.class}"]
  end

  private

  def set(compiler, scope, name, value)
    short = name.delete_prefix('::')
    if short.include?('::') then compiler.qualified_variables[short] = value
    elsif name.start_with?('::') then compiler.topscope.setvar(short, value)
    else scope.setvar(name, value)
    end
  end

  # Without what differs between versions of Ruby.
  def worded(detail)
    return detail[/\Aundefined (method|local variable)/] if detail.start_with?('undefined ')

    detail.gsub(SCRATCH, '').gsub(AVAILABLE, '').lines.first.to_s.strip[0, 160]
  end
end

# The parameters of the class or define whose code names a template: types, literal defaults, and whether they may be undef.
def types_around(kept, folder, name)
  manifests = Dir[File.join(folder, 'manifests/**/*.pp')]
  users = manifests.select { |it| File.read(it).include?(name) }
  users.each_with_object({}) do |file, found|
    path = file.delete_prefix("#{folder}/manifests/").delete_suffix('.pp').split('/').reject { |it| it == 'init' }
    definition = [module_name(folder), *path].join('::')
    kept.inside do |environment|
      types = environment.known_resource_types
      type = types.find_hostclass(definition) || types.find_definition(definition)
      type&.arguments&.each { |parameter, default| found[parameter] ||= [type.argument_types[parameter], literal(default), undef?(default)] }
    end
  rescue Puppet::Error
    next
  end
end

def literal(expression)
  value = expression.respond_to?(:value) ? expression.value : nil
  case value
  when Puppet::Pops::Model::LiteralBoolean, Puppet::Pops::Model::LiteralString, Puppet::Pops::Model::LiteralInteger then value.value
  when Puppet::Pops::Model::LiteralHash then value.entries.empty? ? {} : nil
  when Puppet::Pops::Model::LiteralList then value.values.empty? ? [] : nil
  end
end

def undef?(expression) = expression.respond_to?(:value) && expression.value.is_a?(Puppet::Pops::Model::LiteralUndef)

# Up to so many renderings that succeed, and some that do not.
def rendered(file, path, variables, rendering)
  random = Random.new(Digest::MD5.hexdigest("#{path} choice")[0, 8].hex)
  pools = variables.pools
  found = { '=' => [], '!' => [] }
  seen = {}
  choice = pools.transform_values { 0 }
  ATTEMPTS.times do |attempt|
    break if found['='].size >= RENDERINGS && (found['!'].any? || attempt > 60)

    key = choice.values.map { |it| it.to_s(36) }.join
    unless seen[key]
      seen[key] = true
      state, text = rendering.call(file, choice.to_h { |name, i| [name, pools[name][i]] })
      limit = state == '=' ? RENDERINGS : REFUSALS
      found[state] << [key, state, text] if found[state] && found[state].size < limit
    end
    # What a refusing line reads is chosen again; otherwise a few others are.
    again = state == '!' ? variables.on(text.to_i) : []
    again = pools.keys.sample([1, pools.size / 3].max, random: random) if again.empty? || random.rand(3).zero?
    choice = choice.merge(again.to_h { |name| [name, random.rand(pools[name].size)] })
    break if pools.values.all? { |it| it.size <= 1 } && seen.size == 1
  end
  found.values.flatten(1)
end

whole = ARGV.delete('--print')
kept = KeptEnvironment.new(facts_of('debian-12'))
rendering = Rendering.new
output = ARGV.empty? ? File.open(File.join(REPOSITORY, 'tests/oracle/erb.jsonl'), 'w') : $stdout
counts = Hash.new(0)
Dir[File.join(AVAILABLE, '**/*.erb')].select { |it| File.file?(it) && !File.symlink?(it) }.sort.each do |file|
  path = file.delete_prefix("#{AVAILABLE}/")
  next unless ARGV.empty? || ARGV.any? { |it| path.include?(it) }

  folder = path[%r{\A.*?/modules\.available/[^/]+}] || File.dirname(path)
  text = File.read(file, encoding: 'UTF-8').scrub
  name = path[%r{templates/(.*)\z}, 1] || File.basename(path)
  folder = File.join(AVAILABLE, folder)
  link = MODULES && File.join(MODULES, module_name(folder))
  types = File.directory?(folder) ? types_around(kept, link, name) : {}
  variables = Variables.new(path, text, types)
  rows = rendered(file, path, variables, rendering)
  counts[:templates] += 1
  counts[:rendered] += rows.count { |_, state, _| state == '=' }
  counts[:refused] += rows.count { |_, state, _| state == '!' }
  counts[:never] += 1 if rows.none? { |_, state, _| state == '=' }
  rows = rows.map { |key, state, it| [key, whole || state == '!' || it.size <= LONGEST_TEXT ? "#{state} #{it}" : "# #{Digest::SHA256.hexdigest(it)[0, 32]}"] }
  if whole
    rows.each { |key, it| output.puts "== #{path} #{JSON.generate(variables.pools.zip(key.chars).to_h { |(k, pool), i| [k, pool[i.to_i(36)]] })}", it }
  else
    output.puts JSON.generate({ 'path' => path, 'variables' => variables.pools, 'renderings' => rows })
  end
end
output.close unless output == $stdout
warn "#{counts[:templates]} templates, #{counts[:never]} of them never rendered; #{counts[:rendered]} renderings, #{counts[:refused]} refusals; Puppet #{Puppet.version}"
