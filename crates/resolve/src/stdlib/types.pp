# The type aliases of the module stdlib, releases 4.13 to 9, without those of 4.25 alone. An alias here accepts at least the values that
# any release accepts: a value that it refuses is refused by all of them.

type Stdlib::Absolutepath = Variant[Stdlib::Windowspath, Stdlib::Unixpath]
type Stdlib::Base32 = Pattern[/^[a-z2-7]+=*$/, /^[A-Z2-7]+=*$/]
type Stdlib::Base64 = Pattern[/^[a-zA-Z0-9\/+]+=*$/]
type Stdlib::CreateResources = Hash[String[1], Hash[String[1], Any]]
type Stdlib::Datasize = Pattern[/^\d+(?i:[kmgt]b?|b)$/]
type Stdlib::Email = Pattern[/\A[^@\s]+@[a-zA-Z0-9.-]+\z/]
type Stdlib::Filemode = Pattern[/^([0-7]{1,4}|[ugoa]*[-+=][-+=rwxXstugoa0-7,]*)$/]
type Stdlib::Filesource = Variant[Stdlib::Absolutepath, Stdlib::HTTPUrl, Pattern[/^file:\/\/\/./, /^puppet:\/\/[\w.-]*\/./]]
type Stdlib::Fqdn = Pattern[/^([a-zA-Z0-9]([a-zA-Z0-9-]*[a-zA-Z0-9])?\.)*[a-zA-Z0-9]([a-zA-Z0-9-]*[a-zA-Z0-9])?$/]
type Stdlib::HTTPSUrl = Pattern[/(?i:^https:\/\/)/]
type Stdlib::HTTPUrl = Pattern[/(?i:^https?:\/\/)/]
type Stdlib::Host = Variant[Stdlib::Fqdn, Stdlib::Compat::Ip_address, Stdlib::IP::Address]
type Stdlib::HttpStatus = Stdlib::Http::Status
type Stdlib::MAC = Pattern[/^([0-9A-Fa-f]{2}[:-]){5}([0-9A-Fa-f]{2})$/, /^([0-9A-Fa-f]{2}[:-]){19}([0-9A-Fa-f]{2})$/]
type Stdlib::ObjectStore = Variant[Stdlib::ObjectStore::GSUri, Stdlib::ObjectStore::S3Uri]
type Stdlib::Port = Integer[0, 65535]
type Stdlib::Syslogfacility = Enum[
  'auth', 'authpriv', 'console', 'cron', 'daemon', 'ftp', 'kern', 'local0', 'local1', 'local2', 'local3', 'local4', 'local5',
  'local6', 'local7', 'lpr', 'mail', 'news', 'ntp', 'security', 'solaris-cron', 'syslog', 'user', 'uucp',
]
type Stdlib::Unixpath = Pattern[/^\//]
type Stdlib::Windowspath = Pattern[/^([a-zA-Z]:[\\\/]|[\\\/]{2})/]
type Stdlib::Yes_no = Pattern[/\A(?i:yes|no)\z/]

type Stdlib::Dns::Zone = Pattern[/\A([a-zA-Z0-9]([a-zA-Z0-9-]*[a-zA-Z0-9])?\.)+\z/, /\A\.\z/]

type Stdlib::Ensure::File = Enum['absent', 'directory', 'file', 'link', 'present']
type Stdlib::Ensure::File::Directory = Enum['absent', 'directory']
type Stdlib::Ensure::File::File = Enum['absent', 'file']
type Stdlib::Ensure::File::Link = Enum['absent', 'link']
type Stdlib::Ensure::Package = String[1]
type Stdlib::Ensure::Service = Enum['running', 'stopped']

type Stdlib::Http::Method = Enum[
  'ACL', 'BASELINE-CONTROL', 'BIND', 'CHECKIN', 'CHECKOUT', 'CONNECT', 'COPY', 'DELETE', 'GET', 'HEAD', 'LABEL', 'LINK', 'LOCK',
  'MERGE', 'MKACTIVITY', 'MKCALENDAR', 'MKCOL', 'MKREDIRECTREF', 'MKWORKSPACE', 'MOVE', 'OPTIONS', 'ORDERPATCH', 'PATCH', 'POST',
  'PRI', 'PROPFIND', 'PROPPATCH', 'PUT', 'REBIND', 'REPORT', 'SEARCH', 'TRACE', 'UNBIND', 'UNCHECKOUT', 'UNLINK', 'UNLOCK',
  'UPDATE', 'UPDATEREDIRECTREF', 'VERSION-CONTROL',
]
type Stdlib::Http::Status = Integer[100, 599]

type Stdlib::IP::Address = Variant[Stdlib::IP::Address::V4, Stdlib::IP::Address::V6]
type Stdlib::IP::Address::CIDR = Variant[Stdlib::IP::Address::V4::CIDR, Stdlib::IP::Address::V6::CIDR]
type Stdlib::IP::Address::Nosubnet = Variant[Stdlib::IP::Address::V4::Nosubnet, Stdlib::IP::Address::V6::Nosubnet]
type Stdlib::IP::Address::V4 = Variant[Stdlib::IP::Address::V4::CIDR, Stdlib::IP::Address::V4::Nosubnet]
type Stdlib::IP::Address::V4::CIDR = Pattern[/\A(\d|[1-9]\d|1\d\d|2[0-4]\d|25[0-5])(\.(\d|[1-9]\d|1\d\d|2[0-4]\d|25[0-5])){3}\/(\d|[12]\d|3[0-2])?\z/]
type Stdlib::IP::Address::V4::Nosubnet = Pattern[/\A(\d|[1-9]\d|1\d\d|2[0-4]\d|25[0-5])(\.(\d|[1-9]\d|1\d\d|2[0-4]\d|25[0-5])){3}\z/]
type Stdlib::IP::Address::V6 = Pattern[/\A[[:xdigit:].]*:[[:xdigit:]:.]*(\/\d{1,3})?\z/]
type Stdlib::IP::Address::V6::Alternative = Pattern[/\A[[:xdigit:]:]*:\d+\.\d+\.\d+\.\d+(\/\d{1,3})?\z/]
type Stdlib::IP::Address::V6::CIDR = Pattern[/\A[[:xdigit:]]{0,4}:.*\/\d{0,3}\z/]
type Stdlib::IP::Address::V6::Compressed = Pattern[/\A[[:xdigit:]:]*::[[:xdigit:]:]*(\/\d{1,3})?\z/]
type Stdlib::IP::Address::V6::Full = Pattern[/\A[[:xdigit:]]{1,4}(:[[:xdigit:]]{1,4}){7}(\/\d{1,3})?\z/]
type Stdlib::IP::Address::V6::Nosubnet = Pattern[/\A[[:xdigit:].]*:[[:xdigit:]:.]*\z/]
type Stdlib::IP::Address::V6::Nosubnet::Alternative = Pattern[/\A[[:xdigit:]:]*:\d+\.\d+\.\d+\.\d+\z/]
type Stdlib::IP::Address::V6::Nosubnet::Compressed = Pattern[/\A[[:xdigit:]:]*::[[:xdigit:]:]*\z/]
type Stdlib::IP::Address::V6::Nosubnet::Full = Pattern[/\A[[:xdigit:]]{1,4}(:[[:xdigit:]]{1,4}){7}\z/]

type Stdlib::ObjectStore::GSUri = Pattern[/^gs:\/\//]
type Stdlib::ObjectStore::S3Uri = Pattern[/^s3:\/\//]

type Stdlib::Port::Dynamic = Integer[49152, 65535]
type Stdlib::Port::Ephemeral = Stdlib::Port::Dynamic
type Stdlib::Port::Privileged = Integer[1, 1023]
type Stdlib::Port::Registered = Stdlib::Port::User
type Stdlib::Port::Unprivileged = Integer[1024, 65535]
type Stdlib::Port::User = Integer[1024, 49151]

# For modules that accepted other values before parameters had types. Release 9 has none of them.
type Stdlib::Compat::Absolute_path = Variant[Stdlib::Windowspath, Stdlib::Unixpath, Pattern[/^[\\\/]/]]
type Stdlib::Compat::Array = Array[Any]
type Stdlib::Compat::Bool = Boolean
type Stdlib::Compat::Float = Variant[Float, Pattern[/^-?(?:[1-9]\d*|0)\.\d+(?:[eE]-?\d+)?$/]]
type Stdlib::Compat::Hash = Hash[Any, Any]
type Stdlib::Compat::Integer = Variant[Integer, Pattern[/^-?(?:[1-9]\d*|0)$/], Array[Variant[Integer, Pattern[/^-?(?:[1-9]\d*|0)$/]]]]
type Stdlib::Compat::Ip_address = Variant[Stdlib::Compat::Ipv4, Stdlib::Compat::Ipv6]
type Stdlib::Compat::Ipv4 = Pattern[/^\d+\.\d+\.\d+\.\d+(\/[\d.]+)?$/]
type Stdlib::Compat::Ipv6 = Pattern[/:/]
type Stdlib::Compat::Numeric = Variant[
  Numeric, Pattern[/^-?(?:[1-9]\d*|0)(?:\.\d+)?(?:[eE]-?\d+)?$/],
  Array[Variant[Numeric, Pattern[/^-?(?:[1-9]\d*|0)(?:\.\d+)?(?:[eE]-?\d+)?$/]]],
]
type Stdlib::Compat::String = Optional[String]
