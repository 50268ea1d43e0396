/a\/b/
/\/etc\/hosts/
/a\\/
/a\\\/b/

