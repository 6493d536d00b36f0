/* SPDX-License-Identifier: Apache-2.0 */
/** Checkpoints and snapshots: what of the rows is durable, and how a data centre gets what it missed. */
@NullMarked
package org.meteorshower.transactions.storage;

import org.jspecify.annotations.NullMarked;
