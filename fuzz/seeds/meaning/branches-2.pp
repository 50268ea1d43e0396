case 'x' { 'x': { notice(1) } 'x': { notice(2) } default: { } }
