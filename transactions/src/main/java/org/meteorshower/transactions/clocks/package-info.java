/* SPDX-License-Identifier: Apache-2.0 */
/** When a lane closes its epochs, and how far clocks are trusted for it. */
@NullMarked
package org.meteorshower.transactions.clocks;

import org.jspecify.annotations.NullMarked;
