/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.transactions.cql;

import org.apache.cassandra.exceptions.InvalidRequestException;

/** A range had more rows, or bytes, than one statement takes. */
final class RangeTooLargeException extends InvalidRequestException {
    private static final long serialVersionUID = 1;

    RangeTooLargeException(String message) {
        super(message);
    }
}
