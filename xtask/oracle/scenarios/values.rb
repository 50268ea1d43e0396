# frozen_string_literal: true

# Plausible values of parameters, by their types and names.
class Values
  TEXTS = ['present', 'example', '/srv/data/example', '/etc/example.conf', 'https://www.example.com/x', '192.0.2.10', '10.1.0.0/24', 'www.example.com', '0644', 'root', '8080', 'true', '1.2.3', '512M', '10m', 'ssh-rsa', 'yes', 'on', 'On', 'running', 'installed', 'absent', 'GET',
           'puppet:///modules/example/x', 'http://192.0.2.1:8080/', '2001:db8::1', 'fe80::1/64', '00:16:3e:00:00:01', 'user@example.com', 'ldap://ldap.example.com', 'tcp', 'info', 'DEBUG', '*', '-', 'C:/x', 'md5', 'name:value', 'AABBCCDD', '630239CC130E1A7FD81A27B140976EAEE4F2D45B', '1h', '5', 'daily',
           'a-b_c', 'ALL', 'localhost:9200', '/dev/sdb', 'mysql://u:p@192.0.2.5/db', 'YWJjZA==', '+FollowSymLinks', 'Indexes', 'default', 'none', 'latest', 'utf8', 'en_US.UTF-8', 'key=value', 'value1', 'd41d8cd98f00b204e9800998ecf8427e', '*/5', 'http://example.com/x.tar.gz', 'x.service', '2G'].freeze

  def initialize(seed) = (@random = Random.new(seed))

  def chance(share) = @random.rand < share

  # A value for an optional or required parameter. Raises :none if none is found.
  def of(type, name, default)
    value = typed(type, name.to_s, default, 0)
    throw(:none) unless type.nil? || type.instance?(value)
    value
  end

  private

  def pick(list) = list[@random.rand(list.size)]

  def typed(type, name, default, depth)
    throw(:none) if depth > 6
    types = Puppet::Pops::Types
    case type
    when nil, types::PAnyType::DEFAULT, types::PScalarType then named(name, default)
    when types::PTypeAliasType then typed(type.resolved_type, name, default, depth)
    when types::POptionalType then typed(type.type || types::PAnyType::DEFAULT, name, default, depth)
    when types::PNotUndefType then typed(type.type || types::PAnyType::DEFAULT, name, default, depth)
    when types::PVariantType then variant(type, name, default, depth)
    when types::PBooleanType then type.value.nil? ? @random.rand(2).zero? : type.value
    when types::PEnumType then pick(type.values)
    when types::PIntegerType then integer(type, name)
    when types::PFloatType, types::PNumericType then 0.5
    when types::PArrayType then Array.new(type.size_type && type.size_type.from.to_i > 1 ? type.size_type.from : 1 + @random.rand(2)) { |i| typed(type.element_type, i.zero? ? name.chomp('s') : '', nil, depth + 1) }.uniq
    when types::PTupleType then type.types.map { |it| typed(it, '', nil, depth + 1) }
    when types::PStructType then struct(type, depth)
    when types::PHashType then hash(type, name, depth)
    when types::PSensitiveType then Puppet::Pops::Types::PSensitiveType::Sensitive.new(typed(type.type, name, default, depth + 1))
    when types::PStringType, types::PPatternType, types::PRegexpType, types::PScalarDataType then text(type, name, default)
    when types::PUndefType then nil
    else throw(:none)
    end
  end

  def variant(type, name, default, depth)
    options = type.types.reject { |it| it.is_a?(Puppet::Pops::Types::PUndefType) }
    options.shuffle(random: @random).each { |it| value = catch(:none) { return typed(it, name, default, depth + 1) } and return value }
    throw(:none)
  end

  def integer(type, name)
    wanted = named(name, nil)
    wanted = wanted.to_i if wanted.is_a?(String) && wanted =~ /\A\d+\z/
    return wanted if wanted.is_a?(Integer) && type.instance?(wanted)

    [10, 1, 80, 8080, 0, 3, 1024, type.from, type.to].compact.find { |it| type.instance?(it) } || throw(:none)
  end

  def struct(type, depth)
    type.elements.each_with_object({}) do |it, found|
      optional = it.key_type.is_a?(Puppet::Pops::Types::POptionalType)
      next if optional && @random.rand > 0.35

      value = catch(:none) { [typed(it.value_type, it.name, nil, depth + 1)] }
      value ? found[it.name] = value.first : (throw(:none) unless optional)
    end
  end

  def hash(type, name, depth)
    return {} if type.key_type.nil? || type == Puppet::Pops::Types::PHashType::EMPTY

    key = catch(:none) { typed(type.key_type, 'key', nil, depth + 1) } || throw(:none)
    { key => typed(type.value_type, name.chomp('s'), nil, depth + 1) }
  end

  def text(type, name, default)
    wanted = named(name, default)
    wanted = wanted.to_s if wanted.is_a?(Integer)
    return wanted if wanted.is_a?(String) && type.instance?(wanted)
    return default if default.is_a?(String) && type.instance?(default) && @random.rand < 0.3

    fitting = TEXTS.select { |it| type.instance?(it) }
    fitting.empty? ? throw(:none) : pick(fitting)
  end

  # By name, as somebody who knows what modules call things.
  def named(name, default)
    return !default if [true, false].include?(default)
    return default + 1 if default.is_a?(Integer)
    return { 'example' => 'value' } if default == {}
    return ["#{name.chomp('s')}-1", "#{name.chomp('s')}-2"] if default == [] && name !~ /_hosts\z/

    case name
    when /(\A|_)(password|passwd|secret|passphrase)\z|secret_key|_token\z|shared_secret/ then 's3cr3t'
    when /\A(manage|enable|use|is|with|allow|disable|purge)(_|\z)|(\A|_)(enabled|debug|managed?|insecure|restart|purge|verbose)\z|\Async_db\z/ then @random.rand(2).zero?
    when /(\A|_)ensure\z/ then 'present'
    when /connection\z|database_url/ then 'mysql+pymysql://user:pw@192.0.2.20/db'
    when /transport_url/ then 'rabbit://user:pw@192.0.2.30:5672/'
    when /(url|uri|endpoint)s?\z/ then 'http://192.0.2.40:9292/v1'
    when /(port)s?\z/ then (1024 + @random.rand(8000)).to_s
    when /(bind_|listen_?)?(host|ip|address|addr)\z|bind\z|_ip\z/ then "192.0.2.#{@random.rand(100) + 50}"
    when /hosts|servers|members|nodes/ then ["192.0.2.#{@random.rand(40) + 10}", 'host2.example.com']
    when /(workers|threads|processes|timeout|interval|retries|size|count|limit|max|min|ttl|days|weight|priority|number|period|delay|attempts)s?\z|\A(max|min|num)_/ then [1, 5, 10, 60, 300][@random.rand(5)]
    when /(path|dir|directory|folder|root|home|base)\z/ then "/srv/#{name.tr('_', '-')}"
    when /(file|log|config|conf|cert|key|ca|cacert|socket|pid)\z/ then "/etc/example/#{name.tr('_', '-')}"
    when /(user|owner)(name)?\z/ then 'appuser'
    when /group\z/ then 'appgroup'
    when /mode\z/ then '0640'
    when /email|mail/ then 'admin@example.com'
    when /version\z/ then '2.4'
    when /region/ then 'RegionOne'
    when /(driver|backend|plugin|provider)s?\z/ then "example.#{name}"
    when /levels?\z/ then 'info'
    when /content\z/ then "first line\nsecond line with \"quotes\"\n"
    when /(type|protocol|proto)\z/ then 'tcp'
    when /(name|domain|tenant|project|realm|title)\z/ then "example_#{name}"
    when /(options|params|settings|hash|extra|config_hash)\z/ then { 'alpha' => 'one', 'beta' => '2' }
    when /list|s\z/ then ["#{name.chomp('s')}1", "#{name.chomp('s')}2"]
    else default.is_a?(String) && default != '' ? default : "#{name.tr('_', '-')}-value"
    end
  end
end
