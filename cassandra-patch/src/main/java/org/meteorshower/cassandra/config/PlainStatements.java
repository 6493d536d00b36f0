/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.config;

/** What becomes of single statements on tables that take part in transactions. */
public enum PlainStatements {
    /** Each is a transaction of its own. */
    TRANSACT,
    /** Refused, but for reads at ONE and LOCAL_ONE. */
    REFUSE
}
