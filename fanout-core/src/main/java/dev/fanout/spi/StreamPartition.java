// SPDX-License-Identifier: Apache-2.0
package dev.fanout.spi;

/**
 * One slice of one stream.
 *
 * @param stream the stream's number
 * @param partition the slice, from 0
 */
public record StreamPartition(int stream, int partition) {}
