$x = private

