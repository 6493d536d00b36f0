/* SPDX-License-Identifier: Apache-2.0 */
/** When a lane closes its epochs, how far clocks are trusted for it, and for how long others were silent of late. */
@NullMarked
package org.meteorshower.transactions.clocks;

import org.jspecify.annotations.NullMarked;
