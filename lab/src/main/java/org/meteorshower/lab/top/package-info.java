/* SPDX-License-Identifier: Apache-2.0 */
/** {@code meteor top}: how all nodes of a cluster do at the moment, by what their virtual tables say. */
@NullMarked
package org.meteorshower.lab.top;

import org.jspecify.annotations.NullMarked;
