"""Every interleaving of N appends and one relay: who may skip its NOTIFY, how the relay falls asleep (the class Wakefulness).

Awake, the relay asks for the lock and polls by itself. To sleep it lets go of the lock, draws a transaction id (the horizon), and
stays drowsy until a look's own snapshot, which shows nothing, shows all transactions below the horizon ended. Asleep, a signal
brings a look: a lone append is published without the lock and the relay sleeps on; after another one soon it is awake.
Claim: the relay is never asleep, with no signal, while a committed row is unpublished. No backstop takes part.
Each safeguard removed must leave a row behind. Run: python3 wake.py
"""

START, INSERTED, SILENT, NOTIFYING, COMMITTED = range(5)
AWAKE, RELEASED, DROWSY, ASLEEP = "awake", "released", "drowsy", "asleep"

# what can be removed
WAIT, RELEASE_FIRST, OWN_ID, ID_FIRST, SIGNAL_KEPT, HELD = "wait", "release first", "own id", "id first", "signal kept", "held"


def successors(state, without):
    appends, xids, next_xid, relay, lock, horizon, published, signal, look = state

    def by(**changed):
        now = dict(appends=appends, xids=xids, next_xid=next_xid, relay=relay, lock=lock, horizon=horizon, published=published,
                   signal=signal, look=look)
        now.update(changed)
        return tuple(now.values())

    def put(items, i, item):
        return items[:i] + (item,) + items[i + 1:]

    for i, at in enumerate(appends):
        if at == START:                       # inserts: has a transaction id from here on
            given = next_xid if without != ID_FIRST else 0
            yield by(appends=put(appends, i, INSERTED), xids=put(xids, i, given), next_xid=next_xid + bool(given))
        elif at == INSERTED:                  # tries the lock shared: refused = relay awake = no NOTIFY
            yield by(appends=put(appends, i, SILENT if lock else NOTIFYING))
        elif at in (SILENT, NOTIFYING):       # commits: visible, and the notification goes out
            given = xids[i] or next_xid
            yield by(appends=put(appends, i, COMMITTED), xids=put(xids, i, given), next_xid=next_xid + (not xids[i]),
                     signal=signal or at == NOTIFYING)

    visible = frozenset(i for i, at in enumerate(appends) if at == COMMITTED)
    running = min((x for x, at in zip(xids, appends) if at in (INSERTED, SILENT, NOTIFYING) and x), default=next_xid)
    xmax = 1 + max((x for x, at in zip(xids, appends) if at == COMMITTED), default=0)

    if lock == "dead node's":                 # the server learns at last that the node is gone
        yield by(lock="")
    if relay == AWAKE and not lock:           # the listener takes the lock for the relay, when it can
        yield by(lock="ours", horizon=next_xid)
    if relay == RELEASED:
        drawn = {WAIT: 0, RELEASE_FIRST: horizon, OWN_ID: xmax}.get(without, next_xid)
        yield by(relay=DROWSY, horizon=drawn, next_xid=next_xid + (without not in (WAIT, RELEASE_FIRST, OWN_ID)))
    elif look is None and (relay != ASLEEP or signal):  # one snapshot; what it shows is published
        yield by(published=visible, look=(bool(visible - published), running),
                 signal=signal and without == SIGNAL_KEPT)
    elif look is not None:                    # what the relay makes of the look, any time later
        signal = signal and without != SIGNAL_KEPT
        rows, lowest = look
        yield by(look=None, signal=signal)    # goes on as it is: too soon to sleep, or a lone append
        if rows:
            yield by(look=None, signal=signal, relay=AWAKE)
        elif relay == AWAKE and (lock == "ours" or (lock and without == HELD)):
            yield by(look=None, signal=signal, relay=RELEASED, lock="" if lock == "ours" else lock)
        elif relay == DROWSY and lowest >= horizon:
            yield by(look=None, signal=signal, relay=ASLEEP)


def forgotten(n, lock="", without=None):
    first = ((START,) * n, (0,) * n, 1, AWAKE, lock, 0, frozenset(), False, None)
    todo, seen = [first], {first}
    while todo:
        state = todo.pop()
        appends, _, _, relay, _, _, published, signal, look = state
        if relay == ASLEEP and look is None and not signal and appends.count(COMMITTED) > len(published):
            return state, len(seen)
        for nxt in successors(state, without):
            if nxt not in seen:
                seen.add(nxt)
                todo.append(nxt)
    return None, len(seen)


if __name__ == "__main__":
    for n in (1, 2, 3):
        for lock in ("", "dead node's"):
            lost, states = forgotten(n, lock)
            print(f"{n} append(s){', the lock with a dead node' if lock else ''}: {states} states, forgotten row: {lost}")
            assert lost is None
    for without in (WAIT, RELEASE_FIRST, OWN_ID, ID_FIRST, SIGNAL_KEPT, HELD):
        lost = next((lost for n in (1, 2, 3) for lost, _ in [forgotten(n, "dead node's" if without == HELD else "", without)] if lost),
                    None)
        print(f"without '{without}': {'a row is forgotten' if lost else 'nothing found'}")
        assert lost
