/* SPDX-License-Identifier: Apache-2.0 */
/** Faults on real nodes under load, and what became of the promises: {@code meteor torture}. */
@NullMarked
package org.meteorshower.lab.torture;

import org.jspecify.annotations.NullMarked;
