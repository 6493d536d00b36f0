/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.transactions.cql;

import java.util.List;
import org.apache.cassandra.cql3.ResultSet;
import org.apache.cassandra.transport.messages.ResultMessage;
import org.meteorshower.transactions.language.Value;

/** What a transaction's answer is to its client. Thread-safe. */
interface Result {
    /** Told to those who prepare it. */
    ResultSet.ResultMetadata shape();

    /** @param values what the transaction returned, in its order */
    ResultMessage of(List<Value> values, Binding binding);

    /** Of a transaction that selects nothing. */
    Result NONE = new Result() {
        @Override
        public ResultSet.ResultMetadata shape() {
            return ResultSet.ResultMetadata.EMPTY;
        }

        @Override
        public ResultMessage of(List<Value> values, Binding binding) {
            return new ResultMessage.Void();
        }
    };
}
