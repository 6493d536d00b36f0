/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.transactions.cql;

import org.apache.cassandra.exceptions.InvalidRequestException;

/** What a client is told that asks for something impossible: what, and what it can do instead. */
final class Errors {
    private Errors() {}

    static InvalidRequestException invalid(String what) {
        return new InvalidRequestException("MeteorShower: " + what);
    }
}
