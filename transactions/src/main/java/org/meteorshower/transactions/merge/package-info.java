/* SPDX-License-Identifier: Apache-2.0 */
/** One order of the entries of all lanes, the same in every data centre. */
@NullMarked
package org.meteorshower.transactions.merge;

import org.jspecify.annotations.NullMarked;
