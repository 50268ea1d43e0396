length(Binary('YWJj'))
