case Sensitive('x') { Sensitive('x'): { 'same' } default: { 'd' } }
