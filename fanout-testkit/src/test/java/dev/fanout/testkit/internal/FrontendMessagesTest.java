// SPDX-License-Identifier: Apache-2.0
package dev.fanout.testkit.internal;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FrontendMessagesTest {

    private final FrontendMessages messages = new FrontendMessages();
    private final ByteArrayOutputStream sent = new ByteArrayOutputStream();

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 7, 8, 9, 64, 1000})
    void each_wait_is_found_once_however_the_network_cuts_what_is_sent(int size) {
        untyped(80877103, "");
        assertThat(waitsInPiecesOf(size)).isZero();
        untyped(3 << 16, "user\0postgres\0\0");
        typed('p', "QSQSQS password");
        assertThat(waitsInPiecesOf(size)).isZero();
        typed('P', "SSSS");
        typed('B', "Q".repeat(300));
        typed('E', "");
        typed('S', "");
        assertThat(waitsInPiecesOf(size)).isEqualTo(1);
        typed('Q', "COPY t FROM STDIN");
        assertThat(waitsInPiecesOf(size)).isEqualTo(1);
        typed('d', "S".repeat(200));
        typed('c', "");
        assertThat(waitsInPiecesOf(size)).isEqualTo(1);
        typed('X', "");
        assertThat(waitsInPiecesOf(size)).isZero();
    }

    @Test
    void a_client_that_sends_on_does_not_wait() {
        untyped(3 << 16, "user\0postgres\0\0");
        waitsInPiecesOf(1000);
        typed('Q', "BEGIN");
        typed('P', "SELECT");
        typed('B', "");
        typed('S', "");
        assertThat(waitsInPiecesOf(1000)).isEqualTo(1);
    }

    @Test
    void what_is_not_the_protocol_counts_nothing() {
        untyped(80877103, "");
        sent.writeBytes(new byte[] {0x16, 0x03, 0x01, 0x02, 0x00, 0x01, 0x00, 0x01, 'Q', 0, 0, 0, 4, 'S', 0, 0, 0, 4});
        assertThat(waitsInPiecesOf(7)).isZero();
    }

    private void untyped(int code, String content) {
        sent.writeBytes(
                ByteBuffer.allocate(8).putInt(8 + content.length()).putInt(code).array());
        sent.writeBytes(content.getBytes(US_ASCII));
    }

    private void typed(char type, String content) {
        sent.write(type);
        sent.writeBytes(ByteBuffer.allocate(4).putInt(4 + content.length()).array());
        sent.writeBytes(content.getBytes(US_ASCII));
    }

    private int waitsInPiecesOf(int size) {
        byte[] all = sent.toByteArray();
        sent.reset();
        int waits = 0;
        for (int from = 0; from < all.length; from += size) {
            byte[] piece = Arrays.copyOfRange(all, from, Math.min(all.length, from + size));
            waits += messages.endsInWait(piece, piece.length) ? 1 : 0;
        }
        return waits;
    }
}
