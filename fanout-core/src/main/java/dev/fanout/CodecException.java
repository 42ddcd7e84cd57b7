// SPDX-License-Identifier: Apache-2.0
package dev.fanout;

import org.jspecify.annotations.Nullable;

/** Says that an object could not be written as JSON, or a document not be read as what was wanted. */
public final class CodecException extends FanoutException {

    private static final long serialVersionUID = 1L;

    /**
     * Makes the exception.
     *
     * @param message what does not fit, and where
     * @param cause the codec library's own exception, or null
     */
    public CodecException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
