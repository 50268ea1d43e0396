# Serves the web sites of the company.
class role::web_server {
  include profile::base

  profile::site { 'www.example.com':
    aliases => ['example.com'],
  }
}
