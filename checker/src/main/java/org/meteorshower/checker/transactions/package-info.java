/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Checks histories of transactions that append to lists and read them: each list tells in which order its writers came,
 * so which transaction must come before which is known and not guessed.
 */
@NullMarked
package org.meteorshower.checker.transactions;

import org.jspecify.annotations.NullMarked;
