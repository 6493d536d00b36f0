/* SPDX-License-Identifier: Apache-2.0 */
/** Tests of the checker, with an oracle that tries every order. */
@NullMarked
package org.meteorshower.checker;

import org.jspecify.annotations.NullMarked;
