// SPDX-License-Identifier: Apache-2.0
package dev.fanout.testkit;

/**
 * The server's side of one connection, as {@code pg_stat_activity} shows it.
 *
 * @param pid its process id on the server
 * @param application the application's name, empty if it gave none
 * @param state {@code active}, {@code idle}, {@code idle in transaction} ...
 * @param query the statement it runs, or ran last
 */
public record Backend(int pid, String application, String state, String query) {

    @Override
    public String toString() {
        return "pid=%d application='%s' state='%s' query: %s".formatted(pid, application, state, query);
    }
}
