/* SPDX-License-Identifier: Apache-2.0 */
/** Who may hold how much of the heap: limits in bytes that follow from its size, and what is held at the moment. */
@NullMarked
package org.meteorshower.cassandra.memory;

import org.jspecify.annotations.NullMarked;
