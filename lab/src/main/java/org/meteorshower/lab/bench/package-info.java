/* SPDX-License-Identifier: Apache-2.0 */
/** {@code meteor bench}: systems on networks under workloads, one after the other, and a report of it. */
@NullMarked
package org.meteorshower.lab.bench;

import org.jspecify.annotations.NullMarked;
