// SPDX-License-Identifier: Apache-2.0
package dev.fanout;

/** Says that a stream is not deleted: there is none, or something still depends on it. The message says what, and the remedy. */
public final class DeletionRefusedException extends FanoutException {

    private static final long serialVersionUID = 1L;

    private final String stream;

    /**
     * Makes the exception.
     *
     * @param stream the stream
     * @param why what depends on it, and what to do
     */
    public DeletionRefusedException(String stream, String why) {
        super("stream '" + stream + "' is not deleted: " + why);
        this.stream = stream;
    }

    /**
     * Returns which stream.
     *
     * @return its name
     */
    public String stream() {
        return stream;
    }
}
