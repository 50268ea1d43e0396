# `ensure` with a block of its own.
Puppet::Type.newtype :ensuring do
  ensurable do
    desc 'Whether it is there.'
    defaultvalues
    newvalue(:latest) { provider.update }
    aliasvalue(:installed, :present)
    defaultto :present
  end
  newparam(:name, :namevar => true)
end
