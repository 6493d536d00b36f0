/* SPDX-License-Identifier: Apache-2.0 */
/** Clients of a local cluster, for all that puts load on one. */
@NullMarked
package org.meteorshower.lab.load;

import org.jspecify.annotations.NullMarked;
