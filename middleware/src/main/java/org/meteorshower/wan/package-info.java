/* SPDX-License-Identifier: Apache-2.0 */
/**
 * A wide-area network emulated inside the process: delay, jitter, loss and cuts between data centres, and clocks that
 * are off. Off unless configured; needs no privileges.
 */
@NullMarked
package org.meteorshower.wan;

import org.jspecify.annotations.NullMarked;
