digest(/x/)
