/* SPDX-License-Identifier: Apache-2.0 */
/** One node's MeteorShower: put together at start, taken apart at shutdown. */
@NullMarked
package org.meteorshower.cassandra.node;

import org.jspecify.annotations.NullMarked;
