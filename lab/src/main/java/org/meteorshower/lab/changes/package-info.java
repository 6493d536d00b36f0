/* SPDX-License-Identifier: Apache-2.0 */
/** {@code meteor changes}: what transactions have changed, from a data centre's change stream, a line for each. */
@NullMarked
package org.meteorshower.lab.changes;

import org.jspecify.annotations.NullMarked;
