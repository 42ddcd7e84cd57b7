-- fanout: the tables and functions behind append, relay and projections.
--
-- Tables and functions are qualified, ours with ${schema}: a search_path without our schema, or with tables of the same names, does no
-- harm. Operators, types and casts are not: whoever puts a schema before pg_catalog there, with an operator of its own in it, is
-- answered by that one. pg_catalog comes first unless somebody says otherwise.
-- Rows that are written once stay as they were: cursors, gates and frontiers are ledgers (insert the new row, read the
-- highest, prune behind), because a row updated in place grows a chain of dead versions while any old snapshot is held.
-- No transaction ids are stored: a dump restored into another cluster keeps working.

-- A named, partitioned log. Its settings are stored so that a process that disagrees is refused at start.
create table ${schema}.stream (
    no           integer generated always as identity (cache 1) primary key,
    name         text    not null unique,
    partitions   integer not null check (partitions > 0),
    partitioner  text    not null,
    entity_types text[]  not null,
    lane         integer not null default 0,
    retention    interval not null -- how long its records are kept; in microseconds, as delays are
);

-- What the application changes. The row's lock orders the appends of one entity; it is the only row updated on the way in.
-- fillfactor: version and state are in no index, so an update stays on its page (HOT) as long as there is room.
create table ${schema}.entity (
    no             bigint  generated always as identity (cache 1) primary key,
    version        bigint  not null,
    source_version bigint,
    deleted        boolean not null,
    tenant         text    not null,
    type           text    not null,
    id             text    not null,
    state          jsonb,
    unique (tenant, type, id)
) with (fillfactor = 80);

-- No check constraints here and on entity: the executor parses their text anew for every statement.
-- History: one immutable fact per (entity, version). An event has no tenant of its own: its entity's is the only one it can have.
create table ${schema}.event (
    seq         bigint      generated always as identity (cache 1) primary key,
    entity_no   bigint      not null,
    version     bigint      not null,
    occurred_at timestamptz not null default clock_timestamp(),
    id          uuid        not null,
    size        integer     not null, -- bytes of payload and headers as they are read: what slab caps count
    span        integer,              -- with a key: how many events that append wrote, this one the first
    deleted     boolean     not null,
    type        text        not null,
    streams     integer[]   not null, -- where it was published, so that a rebuild replays exactly that
    key         text,                 -- idempotency key, on the first event of its append
    payload     jsonb       not null,
    headers     jsonb,
    unique (entity_no, version)
);

create unique index event_key on ${schema}.event (entity_no, key) where key is not null;

-- The queue between commit and publication, one row per (event, stream). No foreign keys: they doubled the cost of publication.
-- Vacuum comes early and does not give pages back: the table breathes, and truncation would need an exclusive lock.
create table ${schema}.outbox (
    id        bigint  not null,
    event_seq bigint  not null,
    lane      integer not null,
    stream    integer not null,
    partition integer not null,
    primary key (lane, id)
) with (
    autovacuum_vacuum_threshold = 10000, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_cost_delay = 0,
    autovacuum_vacuum_insert_threshold = -1, vacuum_truncate = off
);

-- A lane's outbox ids. MUST stay CACHE 1 and INCREMENT 1: a cached block would give an older id to a later lock holder,
-- and version order would no longer be id order.
create sequence ${schema}.outbox_lane_0 as bigint cache 1;

-- Published events. Positions of a partition are dense, from 0; the primary key is the reading order.
create table ${schema}.log (
    stream       integer     not null,
    partition    integer     not null,
    position     bigint      not null,
    event_seq    bigint      not null,
    committed_at timestamptz not null,
    primary key (stream, partition, position)
);

-- Ledger of the relay's place in its lane: the mark and the ids missing below it. Only a hint to the next leader
-- where dead rows end; an old row is as correct as a new one, and none at all is too.
create table ${schema}.frontier (
    lane         integer  not null,
    no           bigint   generated always as identity (cache 1),
    mark         bigint   not null,
    missing_from bigint[] not null,
    missing_to   bigint[] not null, -- inclusive
    primary key (lane, no)
) with (autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_scale_factor = 0, vacuum_truncate = off);

-- A child attached to a stream. Each attachment has a number of its own, never given again: cursors, gates and parked events hang
-- on it, so that nothing of one epoch is ever read in another.
create table ${schema}.attachment (
    no          integer     generated always as identity (cache 1) primary key,
    child       text        not null unique,
    stream      integer     not null references ${schema}.stream (no),
    target      integer     references ${schema}.stream (no), -- the stream that it publishes to; null for a projection
    epoch       text        not null,
    kind        text        not null,
    delay       interval    not null default '0', -- how old a record must be; in microseconds, never in days of 23 or 25 hours
    paused      boolean     not null default false,
    declared    jsonb       not null,
    attached_at timestamptz not null default clock_timestamp(),
    needs_rebuild boolean   not null default false, -- records were gone before its cursor got to them
    detached_at timestamptz  -- sticky: a process that still declares the child does not attach it again
);

-- A stream has one parent at the most: by two ways an entity would come in two orders.
create unique index attachment_target on ${schema}.attachment (target) where detached_at is null;

-- Ledger of cursors: the highest step of an (attachment, partition) says which position to read next. Steps are numbered, and not
-- keyed by position, because parked events move while the cursor stands. Counts are cumulative since the attachment, so that one
-- row tells the conservation law.
create table ${schema}.cursor (
    attachment  integer     not null,
    partition   integer     not null,
    step        bigint      not null,
    position    bigint      not null,
    anchor      bigint      not null, -- where the attachment began: position - anchor = the sum of the counts
    applied     bigint      not null,
    gated       bigint      not null,
    skipped     bigint      not null,
    filtered    bigint      not null,
    parked      bigint      not null, -- are parked now: the only count that falls
    discarded   bigint      not null,
    lost        bigint      not null,
    advanced_at timestamptz not null default clock_timestamp(),
    primary key (attachment, partition, step)
) with (autovacuum_vacuum_threshold = 2000, autovacuum_vacuum_scale_factor = 0, vacuum_truncate = off);

-- Ledger of gates: the highest version of an (attachment, entity) is the last one applied.
create table ${schema}.gate (
    entity_no  bigint  not null,
    version    bigint  not null,
    attachment integer not null,
    primary key (attachment, entity_no, version)
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0, vacuum_truncate = off);

-- An entity that a child has set aside: why, and what was asked of it. While its row is there, its later events queue up in
-- parked_event. Only the owner of the child's partition adds and removes rows, with its steps; others only ask.
create table ${schema}.parked_entity (
    attachment    integer     not null,
    entity_no     bigint      not null,
    partition     integer     not null,
    attempts      integer     not null,
    version       bigint      not null, -- of the event that failed last
    parked_at     timestamptz not null default clock_timestamp(),
    last_tried_at timestamptz not null default clock_timestamp(),
    asked_at      timestamptz,
    wish_up_to    bigint,               -- the highest version that was parked when it was asked
    wish          text,                 -- REQUEUE or DISCARD; null: nothing is asked
    cause         text        not null,
    primary key (attachment, entity_no)
);

create index parked_entity_wish on ${schema}.parked_entity (attachment, partition, asked_at, entity_no) where wish is not null;

-- The events that are set aside, in version order per entity. committed_at is the log's, which may have removed its row since.
create table ${schema}.parked_event (
    entity_no    bigint      not null,
    version      bigint      not null,
    event_seq    bigint      not null,
    position     bigint      not null,
    committed_at timestamptz not null,
    attachment   integer     not null,
    partition    integer     not null,
    primary key (attachment, entity_no, version)
);

-- A running engine. Alive, to an observer, while the counter moves on the observer's own monotonic clock.
create table ${schema}.node (
    id             bigint      generated always as identity (cache 1) primary key,
    name           text        not null,
    heartbeat      bigint      not null default 0,
    children       text[]      not null,
    joined_at      timestamptz not null default clock_timestamp(),
    listener_pid   integer,
    listener_start timestamptz -- with the pid: the backend itself, never a later one of the same number
) with (fillfactor = 50);

-- Who owns a lane ('lane/0') or a child's partition ('child/<name>/<partition>'). The token only grows.
create table ${schema}.lease (
    resource text   primary key,
    node     bigint,
    token    bigint not null default 0
) with (fillfactor = 50);

insert into ${schema}.lease (resource) values ('lane/0');

-- Wakes the relay with the commit, unless it is awake; null key: not at all. Says whether a notification goes out.
-- The lock taken means asleep, so notify; refused means awake, so nothing.
-- MUST be called after the outbox row is there: the refused try proves "awake" only to a transaction that already has its id,
-- because the relay falls asleep by waiting for every transaction that had one when it let go of the lock.
-- MUST let go of the lock where it was taken, before the notify: held to the end of a long transaction it would keep the relay from
-- taking it, and an error between the two would leave it with the session.
-- MUST stay one expression of SQL, with neither STRICT nor SET: so the planner puts it in the caller's place, and there is no call.
create function ${schema}.wake(p_key bigint, p_channel text, p_always boolean) returns boolean
language sql volatile as $$
    select case
        when p_key is null then false
        when p_always then pg_catalog.pg_notify(p_channel, '') is not null
        when pg_catalog.pg_try_advisory_lock_shared(p_key) then
            case when pg_catalog.pg_advisory_unlock_shared(p_key) then pg_catalog.pg_notify(p_channel, '') is not null end
        else false
    end
$$;

-- What an append answers.
-- status: appended    first_version = version of the first event; the others follow it
--         repeated    the key was used before: first_version and event_ids of that append
--         conflict    p_expecting was not met: first_version = the actual version (0: there is no such entity)
--         regressed   p_source_version is not above the stored one, which is stored_source_version
--         entity_no and woken (a notification goes out with the commit) are null where they say nothing
create type ${schema}.appended as (
    status text, entity_no bigint, first_version bigint, stored_source_version bigint, event_ids uuid[], woken boolean);

-- Appends the events of one entity: entity row, events, outbox rows, wake, in one call inside the caller's transaction.
--
-- Order MUST be: entity's lock (which gives the transaction its id), event, outbox id, wake. It makes outbox id order equal
-- version order per entity, and it is what the relay's and the wake's proofs rest on. Statements of a function run in order
-- and, under READ COMMITTED, each with a fresh snapshot; CTEs of one statement promise neither.
-- Refusals are values, never errors: the caller's transaction stays usable, and nothing has been written.
--
-- Spare with expressions: each one outside a statement is set up again in every transaction (some 1.5 us; a first version
-- full of them was slower than three round trips). For the same reason the first event travels as scalars, further ones as
-- arrays that are usually null, the function sets no search_path (every name in it is qualified), and what it returns has a
-- named type, called in a SELECT list and not in FROM: OUT parameters there cost a tenth of the append.
create function ${schema}.append(
    p_tenant text, p_type text, p_id text,
    p_expecting bigint,               -- version before the first event; 0: must not exist yet; null: any
    p_source_version bigint,          -- the application's own version, which only grows; null: none
    p_state text,                     -- JSON; null: keep what is there (a tombstone clears it)
    p_deleted boolean,                -- the last event is a tombstone
    p_clears boolean,                 -- one of the events is
    p_key text,                       -- idempotency key; null: none
    p_event_id uuid, p_event_type text, p_payload text, p_headers text, p_tombstone boolean,
    p_streams integer[], p_partitions integer[],                      -- the routes, all of lane 0; empty: history only
    p_wake_key bigint, p_wake_channel text, p_wake_always boolean,    -- key null: no wake
    p_count integer,                  -- events in all; the arrays hold those after the first, null when there are none
    p_more_ids uuid[], p_more_types text[], p_more_payloads text[], p_more_headers text[], p_more_tombstones boolean[])
returns ${schema}.appended
language plpgsql volatile as $$
#variable_conflict use_column
declare
    r        ${schema}.appended;
    v_seq    bigint;
    v_span   integer;
    v_locked boolean;
begin
    -- 1. The entity. A pass that neither writes nor refuses met a change between two of its statements, and looks again.
    loop
        if p_key is not null then
            select e.no into r.entity_no from ${schema}.entity e
             where e.tenant = p_tenant and e.type = p_type and e.id = p_id
               for no key update;
            v_locked := found;
            if v_locked then
                -- MUST be a statement of its own, after the lock: its snapshot shows what the lock's last holder committed.
                select 'repeated', v.version, v.span into r.status, r.first_version, v_span from ${schema}.event v
                 where v.entity_no = r.entity_no and v.key = p_key;
                if found then
                    select pg_catalog.array_agg(v.id order by v.version) into r.event_ids from ${schema}.event v
                     where v.entity_no = r.entity_no
                       and v.version between r.first_version and r.first_version + v_span - 1;
                    return r;
                end if;
            end if;
        end if;

        -- With a key only under the lock: an update that hits an entity created since then would skip the look at the key.
        if p_expecting is distinct from 0 and (p_key is null or v_locked) then
            update ${schema}.entity e
               set version = e.version + p_count,
                   source_version = coalesce(p_source_version, e.source_version),
                   deleted = p_deleted,
                   state = coalesce(p_state::jsonb, case when not p_clears then e.state end)
             where e.tenant = p_tenant and e.type = p_type and e.id = p_id
               and (p_expecting is null or e.version = p_expecting)
               and (p_source_version is null or e.source_version is null or e.source_version < p_source_version)
            returning 'appended', e.no, e.version - p_count + 1 into r.status, r.entity_no, r.first_version;
            exit when found;
        end if;

        if coalesce(p_expecting, 0) = 0 then
            insert into ${schema}.entity (version, source_version, deleted, tenant, type, id, state)
            values (p_count, p_source_version, p_deleted, p_tenant, p_type, p_id, p_state::jsonb)
            on conflict (tenant, type, id) do nothing
            returning 'appended', no, 1 into r.status, r.entity_no, r.first_version;
            exit when found;
        end if;

        -- The actual version, read by a later statement than the one that missed; refused only if it explains the miss.
        select e.no, e.version, e.source_version into r.entity_no, r.first_version, r.stored_source_version
          from ${schema}.entity e
         where e.tenant = p_tenant and e.type = p_type and e.id = p_id;
        r.first_version := coalesce(r.first_version, 0);
        -- With a key only under the lock, so that a repeat that raced with its first is answered as a repeat.
        if p_key is null or v_locked or r.first_version = 0 then
            if p_expecting <> r.first_version then
                r.status := 'conflict';
                return r;
            elsif p_source_version <= r.stored_source_version then
                r.status := 'regressed';
                return r;
            end if;
        end if;
    end loop;

    -- 2. and 3. Each event, then its outbox rows. MUST be in version order: the ids are drawn as the rows are inserted.
    insert into ${schema}.event (entity_no, version, id, size, span, deleted, type, streams, key, payload, headers)
    values (r.entity_no, r.first_version, p_event_id, pg_catalog.octet_length(p_payload) + coalesce(pg_catalog.octet_length(p_headers), 0),
            case when p_key is not null then p_count end,
            p_tombstone, p_event_type, p_streams, p_key, p_payload::jsonb, p_headers::jsonb)
    returning seq into v_seq;

    if p_count = 1 and p_streams[1] is not null and p_streams[2] is null then
        -- One event on one route, the usual append: a loop around it or an unnest cost as much again as the insert.
        insert into ${schema}.outbox (id, event_seq, lane, stream, partition)
        values (pg_catalog.nextval('${schema}.outbox_lane_0'), v_seq, 0, p_streams[1], p_partitions[1]);
    else
        for i in 1 .. p_count loop
            if i > 1 then
                insert into ${schema}.event (entity_no, version, id, size, deleted, type, streams, payload, headers)
                values (r.entity_no, r.first_version + i - 1, p_more_ids[i - 1],
                        pg_catalog.octet_length(p_more_payloads[i - 1])
                            + coalesce(pg_catalog.octet_length(p_more_headers[i - 1]), 0), p_more_tombstones[i - 1], p_more_types[i - 1],
                        p_streams, p_more_payloads[i - 1]::jsonb, p_more_headers[i - 1]::jsonb)
                returning seq into v_seq;
            end if;
            for n in 1 .. pg_catalog.cardinality(p_streams) loop
                insert into ${schema}.outbox (id, event_seq, lane, stream, partition)
                values (pg_catalog.nextval('${schema}.outbox_lane_0'), v_seq, 0, p_streams[n], p_partitions[n]);
            end loop;
        end loop;
    end if;

    -- 4. MUST come last, see wake.
    r.woken := ${schema}.wake(p_wake_key, p_wake_channel, p_wake_always);
    return r;
end
$$;

-- Appends to many entities in one call: all of it or, at the first refusal, none of it (the block is rolled back to its start).
-- Groups are parallel arrays, one element per append; events and routes are flat arrays that name their group (1-based).
-- MUST lock entities in one fixed order (tenant, type, id by bytes), so that two batches cannot deadlock; appends to one
-- entity keep the order of their groups. One round of the loop per group, because a set-based form would lock the entities
-- that exist before those that it creates, which is not one order.
-- Returns one row per group in the order of locking; after a refusal only the refused group's row.
create function ${schema}.append_batch(
    p_tenants text[], p_types text[], p_ids text[], p_expecting bigint[], p_source_versions bigint[], p_states text[],
    p_keys text[],
    p_event_groups integer[], p_event_ids uuid[], p_event_types text[], p_payloads text[], p_headers text[],
    p_tombstones boolean[],
    p_route_groups integer[], p_streams integer[], p_partitions integer[],
    p_wake_key bigint, p_wake_channel text, p_wake_always boolean)
returns table (nth integer, status text, entity_no bigint, first_version bigint, stored_source_version bigint, event_ids uuid[])
language plpgsql volatile as $$
#variable_conflict use_column
declare
    g record;
    a ${schema}.appended;
begin
    for g in
        with events as (
            select e.nth, pg_catalog.array_agg(e.id order by e.at) as ids, pg_catalog.array_agg(e.type order by e.at) as types,
                   pg_catalog.array_agg(e.payload order by e.at) as payloads,
                   pg_catalog.array_agg(e.headers order by e.at) as headers,
                   pg_catalog.array_agg(e.tombstone order by e.at) as tombstones, pg_catalog.bool_or(e.tombstone) as clears
              from unnest(p_event_groups, p_event_ids, p_event_types, p_payloads, p_headers, p_tombstones)
                   with ordinality e (nth, id, type, payload, headers, tombstone, at)
             group by e.nth
        ), routes as (
            select r.nth, pg_catalog.array_agg(r.stream order by r.at) as streams,
                   pg_catalog.array_agg(r.partition order by r.at) as partitions
              from unnest(p_route_groups, p_streams, p_partitions) with ordinality r (nth, stream, partition, at)
             group by r.nth
        )
        select s.nth::integer as nth, s.tenant, s.type, s.id, s.expecting, s.source_version, s.state, s.key,
               e.ids, e.types, e.payloads, e.headers, e.tombstones, e.clears, pg_catalog.cardinality(e.ids) as count,
               coalesce(r.streams, '{}') as streams, coalesce(r.partitions, '{}') as partitions
          from unnest(p_tenants, p_types, p_ids, p_expecting, p_source_versions, p_states, p_keys)
               with ordinality s (tenant, type, id, expecting, source_version, state, key, nth)
          join events e on e.nth = s.nth
          left join routes r on r.nth = s.nth
         order by s.tenant collate "C", s.type collate "C", s.id collate "C", s.nth
    loop
        select * into a from ${schema}.append(
            g.tenant, g.type, g.id, g.expecting, g.source_version, g.state, g.tombstones[g.count], g.clears, g.key,
            g.ids[1], g.types[1], g.payloads[1], g.headers[1], g.tombstones[1],
            g.streams, g.partitions, null, null, false,
            g.count, g.ids[2:], g.types[2:], g.payloads[2:], g.headers[2:], g.tombstones[2:]);
        nth := g.nth;
        status := a.status;
        entity_no := a.entity_no;
        first_version := a.first_version;
        stored_source_version := a.stored_source_version;
        event_ids := a.event_ids;
        if status in ('conflict', 'regressed') then
            raise exception using errcode = 'FO001';
        end if;
        return next;
    end loop;

    -- MUST follow every outbox row of the batch.
    a.woken := ${schema}.wake(p_wake_key, p_wake_channel, p_wake_always);
exception
    when sqlstate 'FO001' then
        -- Rows already handed to RETURN NEXT stay in the result: the reader takes the last row's status first.
        return next;
end
$$;

-- Fails the transaction, with a state of its own, unless a demand is met. It lets a step of the engine travel in one round trip
-- with its commit: nobody needs to read an answer in between. The states are read by the library, the words by people.
create function ${schema}.demand(p_met boolean, p_state text, p_otherwise text) returns boolean language plpgsql volatile as $$
begin
    if p_met is not true then
        raise exception using errcode = p_state, message = p_otherwise;
    end if;
    return true;
end
$$;

-- Whether a lane has rows to publish: the cheap look of a relay that waits. Writes nothing, locks nothing, draws no id.
-- waiting: there is a row above the mark, or in one of the missing ranges below it
-- running, next: as in publish.sql, of the same snapshot
--
-- MUST have the LIMIT in a range's probe: without it the planner may join, and where it has seen no live row it reads the whole lane,
-- dead rows and all, in each look.
-- A function, so that its plan is made once per session and by index, whatever the statistics say (a plan made for a table
-- seen empty scans a million dead rows), and so that a waiting relay sends one statement and not two.
create function ${schema}.probe_outbox(
    p_lane integer, p_mark bigint, p_low bigint[], p_high bigint[],
    out waiting boolean, out running bigint, out next bigint)
language plpgsql stable
set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_bitmapscan = off set jit = off as $$
begin
    select exists (select from ${schema}.outbox o where o.lane = p_lane and o.id > p_mark)
           or exists (select from rows from (pg_catalog.unnest(p_low), pg_catalog.unnest(p_high)) r (low, high)
                       cross join lateral (select from ${schema}.outbox o
                                            where o.lane = p_lane and o.id between r.low and r.high limit 1) waits),
           s.running,
           s.xmax + ((pg_catalog.age('3'::xid)::bigint + 3 - s.xmax) & 4294967295)
      into probe_outbox.waiting, probe_outbox.running, probe_outbox.next
      from (select pg_catalog.pg_snapshot_xmin(pg_catalog.pg_current_snapshot())::text::bigint as running,
                   pg_catalog.pg_snapshot_xmax(pg_catalog.pg_current_snapshot())::text::bigint as xmax offset 0) s;
end
$$;
