empty(Binary('YQ=='))
