// SPDX-License-Identifier: Apache-2.0
package dev.fanout.testkit.internal;

import java.nio.ByteBuffer;

/**
 * Reads what a PostgreSQL client sends, piece by piece as it is read from the socket, and counts the times that the
 * client waits for the server: a piece ends with a message that asks for an answer. One that is followed by more in the
 * same piece is not waited for (pgjdbc sends {@code BEGIN} with the first statement). Confined to one thread.
 *
 * <p>A message is a type byte, a length that counts itself, and content; only those before and at the startup have no
 * type. See the PostgreSQL manual, "Frontend/Backend Protocol", "Message Formats".
 */
final class FrontendMessages {

    private static final int SSL_REQUEST = 80877103;
    private static final int GSS_REQUEST = 80877104;
    private static final int PROTOCOL_3 = 3;
    /** Query, Sync, FunctionCall, CopyDone, CopyFail. */
    private static final String ASKING = "QSFcf";

    private enum Phase {
        STARTUP,
        STARTED,
        UNREADABLE
    }

    private final ByteBuffer head = ByteBuffer.allocate(8);
    private Phase phase = Phase.STARTUP;
    private long toSkip;
    private boolean asksForAnswer;

    /** Reads one piece and tells whether the client waits after it. */
    boolean endsInWait(byte[] bytes, int length) {
        int i = 0;
        while (i < length && phase != Phase.UNREADABLE) {
            if (toSkip > 0) {
                int skipped = (int) Math.min(toSkip, length - i);
                toSkip -= skipped;
                i += skipped;
            } else {
                take(bytes[i++]);
            }
        }
        boolean complete = toSkip == 0 && head.position() == 0;
        return complete && asksForAnswer;
    }

    private void take(byte next) {
        asksForAnswer = false;
        head.put(next);
        boolean startup = phase == Phase.STARTUP;
        if (head.position() == (startup ? 8 : 5)) {
            head.flip();
            asksForAnswer = startup ? readStartup() : readTyped();
            head.clear();
        }
    }

    private boolean readStartup() {
        toSkip = head.getInt() - 8L;
        int code = head.getInt();
        if (code >>> 16 == PROTOCOL_3) {
            phase = Phase.STARTED;
        } else if (code != SSL_REQUEST && code != GSS_REQUEST) {
            // A cancel request, or TLS.
            phase = Phase.UNREADABLE;
        }
        return false;
    }

    private boolean readTyped() {
        int type = head.get();
        toSkip = head.getInt() - 4L;
        return ASKING.indexOf(type) >= 0;
    }
}
