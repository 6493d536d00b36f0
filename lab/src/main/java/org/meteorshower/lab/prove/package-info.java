/* SPDX-License-Identifier: Apache-2.0 */
/** Checks specifications in TLA+ with TLC, and that it refutes them where a rule is left out. */
@NullMarked
package org.meteorshower.lab.prove;

import org.jspecify.annotations.NullMarked;
