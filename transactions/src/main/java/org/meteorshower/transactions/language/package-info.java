/* SPDX-License-Identifier: Apache-2.0 */
/**
 * What a transaction is: a small deterministic language over rows that are named in advance, and what comes of running
 * it.
 */
@NullMarked
package org.meteorshower.transactions.language;

import org.jspecify.annotations.NullMarked;
