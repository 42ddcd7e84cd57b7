// SPDX-License-Identifier: Apache-2.0
package dev.fanout.postgres.tests.ownership;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import javax.sql.DataSource;

/** The same database without the fence: every statement is as it is, but the lease's owner and token match always. */
final class Unfenced {

    private static final String FENCE = "l.node = ? and l.token = ?";
    private static final String FENCE_OF_MANY = "l.node = s.node and l.token = s.token";

    private Unfenced() {}

    static DataSource of(DataSource real) {
        return (DataSource) Proxy.newProxyInstance(
                Unfenced.class.getClassLoader(), new Class<?>[] {DataSource.class}, (proxy, method, arguments) -> {
                    Object answer = call(real, method, arguments);
                    return answer instanceof Connection connection ? of(connection) : answer;
                });
    }

    private static Connection of(Connection real) {
        return (Connection) Proxy.newProxyInstance(
                Unfenced.class.getClassLoader(), new Class<?>[] {Connection.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("prepareStatement")) {
                        arguments[0] = ((String) arguments[0])
                                .replace(FENCE, "(l.node = ? or true) and (l.token = ? or true)")
                                .replace(FENCE_OF_MANY, "true");
                    }
                    return call(real, method, arguments);
                });
    }

    private static Object call(Object real, Method method, Object[] arguments) throws Throwable {
        try {
            return method.invoke(real, arguments);
        } catch (InvocationTargetException thrown) {
            throw thrown.getCause();
        }
    }
}
