// SPDX-License-Identifier: Apache-2.0
package dev.fanout.spi;

/**
 * Ownership of one resource by one node.
 *
 * @param resource what is owned: {@code lane/<n>}, {@code child/<name>/<partition>} or {@code retention}
 * @param node the owner
 * @param token the fencing token: whoever takes the resource next has a higher one
 */
public record Lease(String resource, long node, long token) {}
