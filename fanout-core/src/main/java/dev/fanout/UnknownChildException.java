// SPDX-License-Identifier: Apache-2.0
package dev.fanout;

import java.util.List;

/** Says that there is no child of a name. */
public final class UnknownChildException extends FanoutException {

    private static final long serialVersionUID = 1L;

    private final String child;
    private final transient List<String> known;

    /**
     * Makes the exception.
     *
     * @param child the name
     * @param known the names that there are
     * @param remedy what to do
     */
    public UnknownChildException(String child, List<String> known, String remedy) {
        super("there is no child '" + child + "' " + remedy + "; known children: " + known);
        this.child = child;
        this.known = List.copyOf(known);
    }

    /**
     * Returns the name that is not known.
     *
     * @return the name
     */
    public String child() {
        return child;
    }

    /**
     * Returns the names that there are.
     *
     * @return the names; null only after the exception was serialized
     */
    public List<String> known() {
        return known;
    }
}
