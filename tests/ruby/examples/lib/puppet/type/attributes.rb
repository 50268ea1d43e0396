# Every way to say something of an attribute.
Puppet::Type.newtype(:attributes) do
  @doc = <<-EOS
    All kinds
      of attributes.
  EOS

  desc 'Unused.'

  newparam(:title_of_it, namevar: true) do
    desc 'Names the resource.'
  end

  newproperty(:listed) do
    desc <<~DOC
      A list
      of words.
    DOC
    newvalue(:one)
    newvalue(:two, event: :counted) { provider.count }
    newvalues('three', %r{^\d+/x$}, /a\/b/i, true)
    aliasvalue(:uno, :one)
    aliasvalue('eins', :uno)
    defaultto :one
  end

  newproperty(:array, array_matching: :all, required_features: [:Arrays]) do
    validate { |value| raise ArgumentError, 'no' unless value }
    munge { |value| value.downcase }
  end

  newproperty(:other_array) do
    self.array_matching = :all
    self.required_features = :arrays
    def insync?(is)
      is.sort == should.sort
    end
  end

  newparam(:flag, boolean: true, parent: Puppet::Parameter::Boolean) { defaultto false }
  newproperty(:toggle, parent: Puppet::Property::Boolean)
  newparam(:folder, parent: Puppet::Parameter::Path)
  newproperty(:pairs, parent: Puppet::Property::KeyValue) { desc 'Pairs.' }
  newproperty(:old) { desc 'Deprecated. Use `listed`.' }
  newparam :without_parentheses do
    defaultto '%'
    nodefault
  end
  newparam(:checked) do
    newvalues :a, :b
    def unsafe_validate(value)
      super unless value == 'c'
    end
  end

  feature :arrays, 'Can do arrays.'
  feature :other, 'Can do more.', methods: [:more]

  autorequire(:File) { self[:folder] }
  autobefore('exec') { [] }
  autosubscribe(:package) { [] }
  autonotify(:service) { [] }
  apply_to_all
  @isomorphic = false

  validate do
    raise Puppet::Error, 'no' if self[:flag]
  end

  private

  def helper; end
end
