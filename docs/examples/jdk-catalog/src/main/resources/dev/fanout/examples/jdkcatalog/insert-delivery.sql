-- Keeps that an event was delivered. Its time is taken when the row is written, not when the transaction began.
-- Parameters: child, id, version.
INSERT INTO trail (child, id, version)
VALUES (?, ?, ?)
