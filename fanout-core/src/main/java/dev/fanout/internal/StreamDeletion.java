// SPDX-License-Identifier: Apache-2.0
package dev.fanout.internal;

import dev.fanout.DeletionRefusedException;
import dev.fanout.StreamSpec;
import dev.fanout.spi.Attachments;
import dev.fanout.spi.Attachments.Deletion;
import dev.fanout.spi.Layout;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Deletes a stream, batch by batch, on the caller's thread.
 *
 * @param <T> the transaction handle of the store
 */
public final class StreamDeletion<T> {

    private static final Logger LOG = LoggerFactory.getLogger(StreamDeletion.class);

    private final Engine<T> engine;

    /**
     * Makes one.
     *
     * @param engine the engine
     */
    public StreamDeletion(Engine<T> engine) {
        this.engine = engine;
    }

    /**
     * Deletes a stream.
     *
     * @param stream its name
     * @throws DeletionRefusedException if it can't be
     */
    public void delete(String stream) {
        Attachments attachments = engine.requireOpen().attachments();
        checkDeclared(stream);
        int batch = engine.parts().settings().slabRecords();
        long removed = 0;
        Deletion answer = attachments.delete(stream, batch);
        while (answer instanceof Deletion.Going going) {
            removed += going.removed();
            engine.changed();
            answer = attachments.delete(stream, batch);
        }
        refuse(stream, answer);
        engine.changed();
        LOG.info("deleted stream={} records={}", stream, removed);
    }

    private void checkDeclared(String stream) {
        boolean declared =
                engine.parts().streams().stream().map(StreamSpec::name).anyMatch(stream::equals);
        if (declared) {
            throw new DeletionRefusedException(
                    stream,
                    "this process declares it, so that its appends may still go there; take it out of the declarations of"
                            + " every process first");
        }
    }

    private void refuse(String stream, Deletion answer) {
        if (answer instanceof Deletion.Unknown) {
            List<String> known = engine.store().leases().survey().layout().streams().stream()
                    .map(Layout.Stream::name)
                    .toList();
            throw new DeletionRefusedException(stream, "there is none of that name; streams: " + known);
        }
        if (answer instanceof Deletion.HasStreams has) {
            throw new DeletionRefusedException(
                    stream, "other streams hang on it, by its children " + has.children() + "; delete those first");
        }
        if (answer instanceof Deletion.Awaited awaited) {
            throw new DeletionRefusedException(
                    stream,
                    awaited.events()
                            + " events wait in the outbox to be published to it; stop whoever appends, and let a"
                            + " running engine publish them");
        }
    }
}
