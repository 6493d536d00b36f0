/* SPDX-License-Identifier: Apache-2.0 */
/** What may depend on what. */
@NullMarked
package org.meteorshower.transactions.architecture;

import org.jspecify.annotations.NullMarked;
