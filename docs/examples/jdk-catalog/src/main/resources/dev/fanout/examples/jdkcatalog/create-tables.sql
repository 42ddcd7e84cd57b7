-- The application's own tables, and the derived tables of its children.
-- asset is the truth: one row per entity. Every change sets the version that append returned, and counts itself.
CREATE TABLE asset (
    id           text PRIMARY KEY,
    module       text    NOT NULL,
    package_name text    NOT NULL,
    name         text    NOT NULL,
    kind         text    NOT NULL,
    size         integer NOT NULL,
    retired      boolean NOT NULL DEFAULT false,
    edits        bigint  NOT NULL DEFAULT 0,
    version      bigint  NOT NULL
);

-- When each change was written, before its commit, by the clock of the database.
CREATE TABLE edit (
    id      text        NOT NULL,
    version bigint      NOT NULL,
    written timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (id, version)
);

-- What each entity adds to its group at present, so that a change can take the old away from where it was.
CREATE TABLE package_member (
    id           text PRIMARY KEY,
    package_name text   NOT NULL,
    size         bigint NOT NULL
);

-- changes counts events, which nothing can hide: one applied twice, or never, would stay visible for ever.
CREATE TABLE package_total (
    package_name text PRIMARY KEY,
    classes      bigint NOT NULL,
    bytes        bigint NOT NULL,
    changes      bigint NOT NULL
);

-- One row per delivery and child, never changed: what came twice, too early, out of order or not at all stays visible.
CREATE TABLE trail (
    n         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    child     text        NOT NULL,
    id        text        NOT NULL,
    version   bigint      NOT NULL,
    delivered timestamptz NOT NULL DEFAULT clock_timestamp()
);
