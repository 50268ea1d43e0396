"abc

