/* SPDX-License-Identifier: Apache-2.0 */
/** Gives decoders damaged input. Used by the tests of the other modules, and by nothing that is shipped. */
@NullMarked
package org.meteorshower.fuzzing;

import org.jspecify.annotations.NullMarked;
