/* SPDX-License-Identifier: Apache-2.0 */
/**
 * TPC-C in CQL: its tables, and its transactions as {@code BEGIN TRANSACTION ... COMMIT TRANSACTION}, prepared, through
 * the plain driver.
 */
@NullMarked
package org.meteorshower.lab.tpcc.cql;

import org.jspecify.annotations.NullMarked;
