/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.client.transactions;

import java.util.Collections;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A transaction that is registered at the cluster under a name and a version, and called with arguments. What is
 * registered under a version never changes. Immutable.
 *
 * @param name as CQL has it: {@code keyspace.name}, in double quotes where it has capitals
 * @param version from 1
 */
public record Procedure(String name, int version) {

    private static final Pattern NAME = Pattern.compile("(\\w+|\"\\w+\")\\.(\\w+|\"\\w+\")");

    /** @throws IllegalArgumentException if that is no name with its keyspace, or no version */
    public Procedure {
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException("'" + name + "' is no procedure's name: write keyspace.name, of letters,"
                    + " digits and _, in double quotes where there are capitals");
        } else if (version < 1) {
            throw new IllegalArgumentException("Versions begin at 1, and this is " + version);
        }
    }

    /** The same as the constructor. */
    public static Procedure of(String name, int version) {
        return new Procedure(name, version);
    }

    /**
     * A call, to be executed like any other transaction.
     *
     * @param arguments for the parameters, which are the bind markers of the procedure's text, in the order in which
     *     each first stands there
     */
    public TransactionStatement call(@Nullable Object... arguments) {
        return TransactionStatement.of(
                "CALL " + this + " (" + String.join(", ", Collections.nCopies(arguments.length, "?")) + ")", arguments);
    }

    /** As CQL has it. */
    @Override
    public String toString() {
        return name + " VERSION " + version;
    }
}
