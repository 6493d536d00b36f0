/* SPDX-License-Identifier: Apache-2.0 */
/** Tests of the checker of transactions: by hand, and against every order of small histories. */
@NullMarked
package org.meteorshower.checker.transactions;

import org.jspecify.annotations.NullMarked;
