-- How many events took effect in the child "packages".
SELECT sum(changes) FROM package_total
