/* SPDX-License-Identifier: Apache-2.0 */
/** {@code meteor simulate}: seeds by the thousand, their replay, and mistakes made on purpose that must be found. */
@NullMarked
package org.meteorshower.lab.simulate;

import org.jspecify.annotations.NullMarked;
