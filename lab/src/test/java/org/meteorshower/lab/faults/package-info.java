/* SPDX-License-Identifier: Apache-2.0 */
/** What users and networks do to a cluster of real nodes, and what it must make of it. */
@NullMarked
package org.meteorshower.lab.faults;

import org.jspecify.annotations.NullMarked;
