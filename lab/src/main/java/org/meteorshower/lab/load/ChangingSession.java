/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.load;

import com.datastax.oss.driver.api.core.CqlSession;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import org.jspecify.annotations.Nullable;

/**
 * A session that others keep, while what is behind it changes: a driver that knows a data centre's only node does not
 * find the one that replaces it under another address. Thread-safe.
 */
final class ChangingSession implements InvocationHandler {
    private final CqlSession outside = (CqlSession)
            Proxy.newProxyInstance(CqlSession.class.getClassLoader(), new Class<?>[] {CqlSession.class}, this);
    private volatile CqlSession behind;

    ChangingSession(CqlSession behind) {
        this.behind = behind;
    }

    CqlSession session() {
        return outside;
    }

    /** Requests under way fail. */
    void change(CqlSession next) {
        CqlSession before = behind;
        behind = next;
        before.closeAsync();
    }

    @Override
    @SuppressWarnings("AvoidObjectArrays") // as the interface has it
    public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] arguments) throws Throwable {
        try {
            return method.invoke(behind, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause() == null ? e : e.getCause();
        }
    }
}
