-- How many assets have all the words in their names, each from a capital to what is no small letter.
-- Parameters: words as patterns, kind (empty for any).
SELECT count(*)
FROM asset
WHERE NOT retired
  AND name ~ ALL (?)
  AND ? IN ('', kind)
