/* SPDX-License-Identifier: Apache-2.0 */
/** CQL requests: which are served at a cut, which are refused, which pass through untouched. */
@NullMarked
package org.meteorshower.cassandra.cql;

import org.jspecify.annotations.NullMarked;
