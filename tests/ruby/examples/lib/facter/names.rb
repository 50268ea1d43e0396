# Symbols, strings, conditions, loops.
Facter.add(:example_symbol) { setcode { { 'a' => 1 } } }
Facter.add('Example_String') do
  confine kernel: 'Linux'
  setcode 'uname -r'
end
if Facter.value(:kernel) == 'windows'
  Facter.add(:example_windows) { setcode { 'x' } }
else
  Facter.add(:example_else) { setcode { Facter.value(:kernel) } }
end
%w[one two].each do |name|
  Facter.add("example_#{name}") { setcode { name } }
end
Facter.add(:example_aggregate, type: :aggregate) do
  chunk(:a) { [1] }
end
Facter.add(:example_symbol) { setcode { [1] } }
