/* SPDX-License-Identifier: Apache-2.0 */
/** The measuring: load generators, clients, and what the machine did meanwhile. */
@NullMarked
package org.meteorshower.lab.bench.run;

import org.jspecify.annotations.NullMarked;
