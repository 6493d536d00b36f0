/* SPDX-License-Identifier: Apache-2.0 */
/** A client's request as one value, and what those have in common who take some requests and leave others. */
@NullMarked
package org.meteorshower.cassandra.request;

import org.jspecify.annotations.NullMarked;
