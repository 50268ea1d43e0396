# A host name, or an address of the sixth version of the protocol.
type Ntp::Server = Variant[
  Pattern[/\A[a-z0-9]([a-z0-9.-]*[a-z0-9])?\z/],
  Pattern[/\A[0-9a-f:]+\z/],
]

