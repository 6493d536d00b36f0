/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.tpcc;

import java.util.List;
import java.util.concurrent.CompletionStage;

/** Runs units in one data centre. Thread-safe. */
public interface TpccClient {
    /**
     * The customers of a district with a last name, by first name. No transaction changes names, so any copy will do.
     * Fails with {@link UnknownNameException} where it could not be read.
     */
    CompletionStage<List<Integer>> named(int warehouse, int district, int name);

    /** Never fails: what went wrong is an answer. */
    CompletionStage<Answer> run(Unit unit);
}
