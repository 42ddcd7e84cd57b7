"""Every interleaving of appends and a relay that reads above a mark, in batches (the class FrontierTracker).

The relay's one statement sees one snapshot: rows with id > high, and those among the ids still missing below it, by id, at most
`limit`. high becomes the batch's highest id. A publication draws a transaction id of its own after its snapshot: whoever drew an
id below high has a lower one. A missing id is given up only when the same snapshot that shows every transaction below that id
ended does not show it. A look that finds nothing draws no id. A new leader starts from what the last publication stored.
Claims: every committed row is published exactly once, and rows of one entity in the order of their ids (= versions).
They need what append does: the entity's lock first (which gives the transaction its id), the outbox id after it.
Each safeguard removed must lose or invert rows. Run: python3 relay.py
"""

IDLE, LOCKED, DRAWN, DONE, ROLLED = range(5)
UNKNOWN = 0  # a range loaded by a new leader waits for the transactions of the first publication after the load


def run(entities, limit=9, leaders=1, xid_first=True, wait_for_running=True, look_before_giving_up=True, one_snapshot=True,
        own_id=True, loaded_wait=True):
    n = len(entities)
    # appends: (phase, xid, outbox id); next xid; next id; high; missing {id: its owner's xid is below}; stored; log; leaders; half
    first = (((IDLE, 0, 0),) * n, 1, 1, 0, (), (0, ()), (), leaders, None)
    todo, seen = [first], {first}
    while todo:
        txs, next_xid, next_id, high, missing, stored, log, leaders, half = todo.pop()
        gaps = dict(missing)

        def moved(i, phase, xid, oid, nx=next_xid, ni=next_id):
            return txs[:i] + ((phase, xid, oid),) + txs[i + 1:], nx, ni, high, missing, stored, log, leaders, half

        out = []
        for i, (phase, xid, oid) in enumerate(txs):
            if phase == IDLE and not any(entities[j] == entities[i] and t[0] in (LOCKED, DRAWN) for j, t in enumerate(txs)):
                given = next_xid if xid_first else 0
                out.append(moved(i, LOCKED, given, 0, nx=next_xid + bool(given)))
            elif phase == LOCKED:
                out.append(moved(i, DRAWN, xid, next_id, ni=next_id + 1))
            elif phase == DRAWN and not xid:
                out.append(moved(i, DRAWN, next_xid, oid, nx=next_xid + 1))
            elif phase == DRAWN:
                out.append(moved(i, DONE, xid, oid))
                out.append(moved(i, ROLLED, xid, oid))

        visible = {t[2] for t in txs if t[0] == DONE} - set(log)
        xmin = min((t[1] for t in txs if t[0] in (LOCKED, DRAWN) and t[1]), default=next_xid)
        xmax = 1 + max((t[1] for t in txs if t[0] in (DONE, ROLLED)), default=0)

        def read(late, above):
            batch = sorted(late | above)[:limit]
            top = max([high] + batch)
            now = {g: m for g, m in gaps.items() if g not in batch}
            for g in range(high + 1, top + 1):
                if g not in batch:
                    now[g] = UNKNOWN
            if batch:
                drawn = next_xid if own_id else xmax
                now = {g: m or drawn for g, m in now.items()}
            ended = lambda m: m <= xmin and (m != UNKNOWN or not loaded_wait) if wait_for_running else True
            now = {g: m for g, m in now.items() if not ended(m) or (look_before_giving_up and g in visible)}
            kept = (high, tuple(sorted(gaps))) if batch else stored
            return (txs, next_xid + bool(batch), next_id, top, tuple(sorted(now.items())), kept, log + tuple(batch), leaders,
                    None)

        if one_snapshot:
            out.append(read({g for g in gaps if g in visible}, {v for v in visible if v > high}))
        elif half is None:
            out.append((txs, next_xid, next_id, high, missing, stored, log, leaders,
                        tuple(sorted(g for g in gaps if g in visible))))
        else:
            out.append(read(set(half), {v for v in visible if v > high}))
        if leaders:
            mark, ranges = stored
            out.append((txs, next_xid, next_id, mark, tuple((g, UNKNOWN) for g in ranges), stored, log, leaders - 1, None))

        entity_of = {t[2]: entities[i] for i, t in enumerate(txs) if t[2]}
        for e in set(entities):
            ids = [x for x in log if entity_of[x] == e]
            if ids != sorted(ids) or len(set(ids)) != len(ids):
                return f"order broken: {log}", len(seen)
        if any(o <= high and o not in gaps for o in visible):
            return f"stranded below the mark: {sorted(o for o in visible if o <= high and o not in gaps)}, log {log}", len(seen)
        for nxt in out:
            if nxt not in seen:
                seen.add(nxt)
                todo.append(nxt)
    return None, len(seen)


if __name__ == "__main__":
    for entities, leaders in (("XX", 2), ("XY", 2), ("XXY", 1), ("XYZ", 1), ("XXYY", 0), ("XXYZ", 0)):
        for limit in (9, 1, 2):
            bad, states = run(entities, limit, leaders)
            print(f"{entities} limit {limit}, {leaders} new leader(s): {states} states, {bad or 'all rows once, in order'}")
            assert bad is None
    for name, wrong in (("given up at once", dict(wait_for_running=False)),
                        ("given up while visible, small batch", dict(look_before_giving_up=False, limit=1)),
                        ("id drawn before the transaction's id", dict(xid_first=False)),
                        ("two snapshots", dict(one_snapshot=False)),
                        ("the snapshot's xmax for the next id", dict(own_id=False)),
                        ("a loaded range waits for nobody", dict(loaded_wait=False))):
        found = next((bad for e in ("XYZ", "XXY", "XXYZ") for bad in [run(e, **wrong)[0]] if bad), None)
        print(f"{name}: {found}")
        assert found
