/* SPDX-License-Identifier: Apache-2.0 */
/**
 * YCSB's interface to a database, twice: over the MeteorShower client and over the plain driver. One table, that of
 * YCSB's own Cassandra binding, so that all of them can measure the same rows.
 */
@NullMarked
package org.meteorshower.ycsb;

import org.jspecify.annotations.NullMarked;
