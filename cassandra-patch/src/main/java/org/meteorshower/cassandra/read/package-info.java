/* SPDX-License-Identifier: Apache-2.0 */
/** Serving one SELECT at a cut: fetching its partitions from here or from another replica, and building the result. */
@NullMarked
package org.meteorshower.cassandra.read;

import org.jspecify.annotations.NullMarked;
