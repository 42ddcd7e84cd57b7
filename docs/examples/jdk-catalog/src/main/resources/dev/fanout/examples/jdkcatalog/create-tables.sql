-- The application's own table, and the derived tables of the child "packages".
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
