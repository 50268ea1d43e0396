user { ['u', 'v']: }
group { 'g': subscribe => [User['u'], User['v']], notify => User['w', 'v'] }
user { 'w': }
