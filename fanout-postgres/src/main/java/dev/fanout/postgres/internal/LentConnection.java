// SPDX-License-Identifier: Apache-2.0
package dev.fanout.postgres.internal;

import java.sql.Array;
import java.sql.Blob;
import java.sql.CallableStatement;
import java.sql.Clob;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.NClob;
import java.sql.PreparedStatement;
import java.sql.SQLClientInfoException;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.SQLWarning;
import java.sql.SQLXML;
import java.sql.Savepoint;
import java.sql.Statement;
import java.sql.Struct;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.Executor;

/**
 * The connection that a transactional projection gets: the delivery's own, except that it does not end the transaction. A
 * projection that did would lose its effects while the cursor moved on, or write them without it, and nobody would notice.
 * Savepoints are the projection's to use.
 */
final class LentConnection implements Connection {

    private final Connection connection;

    LentConnection(Connection connection) {
        this.connection = connection;
    }

    private static SQLException refusal(String call) {
        return new SQLFeatureNotSupportedException(
                call + " within a transactional projection: the transaction is the"
                        + " delivery's, and ends with it; return Outcome.failed(..) or throw to roll it back, or use a savepoint");
    }

    @Override
    public Statement createStatement() throws SQLException {
        return connection.createStatement();
    }

    @Override
    public PreparedStatement prepareStatement(String text) throws SQLException {
        return connection.prepareStatement(text);
    }

    @Override
    public CallableStatement prepareCall(String text) throws SQLException {
        return connection.prepareCall(text);
    }

    @Override
    public String nativeSQL(String text) throws SQLException {
        return connection.nativeSQL(text);
    }

    @Override
    public void setAutoCommit(boolean value) throws SQLException {
        throw refusal("setAutoCommit(..)");
    }

    @Override
    public boolean getAutoCommit() throws SQLException {
        return connection.getAutoCommit();
    }

    @Override
    public void commit() throws SQLException {
        throw refusal("commit()");
    }

    @Override
    public void rollback() throws SQLException {
        throw refusal("rollback()");
    }

    @Override
    public void close() throws SQLException {
        throw refusal("close()");
    }

    @Override
    public boolean isClosed() throws SQLException {
        return connection.isClosed();
    }

    @Override
    public DatabaseMetaData getMetaData() throws SQLException {
        return connection.getMetaData();
    }

    @Override
    public void setReadOnly(boolean value) throws SQLException {
        connection.setReadOnly(value);
    }

    @Override
    public boolean isReadOnly() throws SQLException {
        return connection.isReadOnly();
    }

    @Override
    public void setCatalog(String text) throws SQLException {
        connection.setCatalog(text);
    }

    @Override
    public String getCatalog() throws SQLException {
        return connection.getCatalog();
    }

    @Override
    public void setTransactionIsolation(int number) throws SQLException {
        connection.setTransactionIsolation(number);
    }

    @Override
    public int getTransactionIsolation() throws SQLException {
        return connection.getTransactionIsolation();
    }

    @Override
    public SQLWarning getWarnings() throws SQLException {
        return connection.getWarnings();
    }

    @Override
    public void clearWarnings() throws SQLException {
        connection.clearWarnings();
    }

    @Override
    public Statement createStatement(int number, int number2) throws SQLException {
        return connection.createStatement(number, number2);
    }

    @Override
    public PreparedStatement prepareStatement(String text, int number, int number2) throws SQLException {
        return connection.prepareStatement(text, number, number2);
    }

    @Override
    public CallableStatement prepareCall(String text, int number, int number2) throws SQLException {
        return connection.prepareCall(text, number, number2);
    }

    @Override
    public Map<String, Class<?>> getTypeMap() throws SQLException {
        return connection.getTypeMap();
    }

    @Override
    public void setTypeMap(Map<String, Class<?>> types) throws SQLException {
        connection.setTypeMap(types);
    }

    @Override
    public void setHoldability(int number) throws SQLException {
        connection.setHoldability(number);
    }

    @Override
    public int getHoldability() throws SQLException {
        return connection.getHoldability();
    }

    @Override
    public Savepoint setSavepoint() throws SQLException {
        return connection.setSavepoint();
    }

    @Override
    public Savepoint setSavepoint(String text) throws SQLException {
        return connection.setSavepoint(text);
    }

    @Override
    public void rollback(Savepoint savepoint) throws SQLException {
        connection.rollback(savepoint);
    }

    @Override
    public void releaseSavepoint(Savepoint savepoint) throws SQLException {
        connection.releaseSavepoint(savepoint);
    }

    @Override
    public Statement createStatement(int number, int number2, int number3) throws SQLException {
        return connection.createStatement(number, number2, number3);
    }

    @Override
    public PreparedStatement prepareStatement(String text, int number, int number2, int number3) throws SQLException {
        return connection.prepareStatement(text, number, number2, number3);
    }

    @Override
    public CallableStatement prepareCall(String text, int number, int number2, int number3) throws SQLException {
        return connection.prepareCall(text, number, number2, number3);
    }

    @Override
    public PreparedStatement prepareStatement(String text, int number) throws SQLException {
        return connection.prepareStatement(text, number);
    }

    @Override
    public PreparedStatement prepareStatement(String text, int[] columns) throws SQLException {
        return connection.prepareStatement(text, columns);
    }

    @Override
    public PreparedStatement prepareStatement(String text, String[] names) throws SQLException {
        return connection.prepareStatement(text, names);
    }

    @Override
    public Clob createClob() throws SQLException {
        return connection.createClob();
    }

    @Override
    public Blob createBlob() throws SQLException {
        return connection.createBlob();
    }

    @Override
    public NClob createNClob() throws SQLException {
        return connection.createNClob();
    }

    @Override
    public SQLXML createSQLXML() throws SQLException {
        return connection.createSQLXML();
    }

    @Override
    public boolean isValid(int number) throws SQLException {
        return connection.isValid(number);
    }

    @Override
    public void setClientInfo(String text, String text2) throws SQLClientInfoException {
        connection.setClientInfo(text, text2);
    }

    @Override
    public void setClientInfo(Properties properties) throws SQLClientInfoException {
        connection.setClientInfo(properties);
    }

    @Override
    public String getClientInfo(String text) throws SQLException {
        return connection.getClientInfo(text);
    }

    @Override
    public Properties getClientInfo() throws SQLException {
        return connection.getClientInfo();
    }

    @Override
    public Array createArrayOf(String text, Object[] elements) throws SQLException {
        return connection.createArrayOf(text, elements);
    }

    @Override
    public Struct createStruct(String text, Object[] elements) throws SQLException {
        return connection.createStruct(text, elements);
    }

    @Override
    public void setSchema(String text) throws SQLException {
        connection.setSchema(text);
    }

    @Override
    public String getSchema() throws SQLException {
        return connection.getSchema();
    }

    @Override
    public void abort(Executor executor) throws SQLException {
        throw refusal("abort(..)");
    }

    @Override
    public void setNetworkTimeout(Executor executor, int number) throws SQLException {
        connection.setNetworkTimeout(executor, number);
    }

    @Override
    public int getNetworkTimeout() throws SQLException {
        return connection.getNetworkTimeout();
    }

    @Override
    public <T> T unwrap(Class<T> type) throws SQLException {
        return type.isInstance(this) ? type.cast(this) : connection.unwrap(type);
    }

    @Override
    public boolean isWrapperFor(Class<?> type) throws SQLException {
        return type.isInstance(this) || connection.isWrapperFor(type);
    }
}
