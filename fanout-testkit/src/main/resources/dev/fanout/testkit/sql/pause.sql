-- Lets a hundredth of a second pass between two looks at the same thing.
SELECT pg_sleep(0.01)
