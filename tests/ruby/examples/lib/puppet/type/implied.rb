# Methods that make a type ensurable, and a provider in the type's own file.
Puppet::Type.newtype(:implied) do
  newproperty(:size)
  newparam(:name) { isnamevar }
  def exists?; end

  def create; end

  def destroy; end
end

Puppet::Type.newtype(:not_implied) do
  newparam(:name)
  def exists?; end

  def create; end

  private

  def destroy; end
end

Puppet::Type.newtype(:provided) do
  newparam(:name)
  providify
  apply_to_device
end
