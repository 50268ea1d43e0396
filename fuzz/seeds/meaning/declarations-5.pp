package { 'curl': }
unless defined(Package['curl']) {
  package { 'curl': }
}
if !Package['wget'].defined { package { 'wget': } }
package { 'wget': }
