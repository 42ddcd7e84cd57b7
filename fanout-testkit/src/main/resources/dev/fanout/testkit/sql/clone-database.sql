-- Makes a database that is a copy of a template.
-- Parameters: {{database}}, {{template}}, quoted names.
-- WAL_LOG, the default, and not FILE_COPY: a small copy needs no checkpoint this way.
CREATE DATABASE {{database}} TEMPLATE {{template}}
