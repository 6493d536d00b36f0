/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Loads and outages that are larger than any memory, on real nodes: what is lost, who dies, what exceeds its budget.
 */
@NullMarked
package org.meteorshower.lab.torture.size;

import org.jspecify.annotations.NullMarked;
