// SPDX-License-Identifier: Apache-2.0
package dev.fanout.testkit.contract;

import dev.fanout.spi.Store;
import java.util.Optional;

/**
 * What {@link StoreContract} needs of a store under test: an empty database, nodes on it, and the application's own
 * transactions.
 *
 * @param <T> the transaction handle of the store
 */
public interface Harness<T> {

    /**
     * Makes one more node's store on the one database. It is not open yet; {@link #close()} closes it.
     *
     * @return the store
     * @throws Exception any failure fails the test
     */
    Store<T> connect() throws Exception;

    /**
     * Begins a transaction of the application's, READ COMMITTED. Several are open at a time.
     *
     * @return its handle
     * @throws Exception any failure fails the test
     */
    T begin() throws Exception;

    /**
     * Commits a transaction; the handle is not used again.
     *
     * @param tx which one
     * @throws Exception any failure fails the test
     */
    void commit(T tx) throws Exception;

    /**
     * Rolls a transaction back; the handle is not used again.
     *
     * @param tx which one
     * @throws Exception any failure fails the test
     */
    void rollback(T tx) throws Exception;

    /**
     * Returns a transaction's id, after it has written something.
     *
     * @param tx which one
     * @return the id
     * @throws Exception any failure fails the test
     */
    long id(T tx) throws Exception;

    /**
     * Writes a row of the application's own table, inserted or updated.
     *
     * @param tx the transaction to do it in
     * @param key the row's key
     * @param value its value
     * @throws Exception any failure fails the test
     */
    void put(T tx, String key, String value) throws Exception;

    /**
     * Reads a committed row of the application's own table.
     *
     * @param key the row's key
     * @return its value, if there is one
     * @throws Exception any failure fails the test
     */
    Optional<String> get(String key) throws Exception;

    /**
     * Rolls back what is still open, and closes all stores.
     *
     * @throws Exception any failure fails the test
     */
    void close() throws Exception;
}
