-- Empties the derived tables before they are filled again from history.
TRUNCATE package_member, package_total
