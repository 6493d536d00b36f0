/* SPDX-License-Identifier: Apache-2.0 */
/** Requests as bytes with a front, made and read: whoever has the same tokens does the same. Pure. */
@NullMarked
package org.meteorshower.transactions.fronts;

import org.jspecify.annotations.NullMarked;
