/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.transactions.cql;

import org.apache.cassandra.exceptions.InvalidRequestException;

/** A statement means several ranges of rows, which its values alone tell: no transaction has it. */
final class SeveralRangesException extends InvalidRequestException {
    private static final long serialVersionUID = 1;

    SeveralRangesException(String what) {
        super("MeteorShower: " + what);
    }
}
