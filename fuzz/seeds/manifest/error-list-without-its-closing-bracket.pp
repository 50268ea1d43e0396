$packages = ['ntp', 'vim'
package { $packages:
  ensure => installed,
}
