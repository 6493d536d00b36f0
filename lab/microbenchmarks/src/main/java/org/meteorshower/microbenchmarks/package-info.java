/* SPDX-License-Identifier: Apache-2.0 */
/** JMH benchmarks of the hot paths: docs/PERFORMANCE.md says how they are run and what they showed. */
@NullMarked
package org.meteorshower.microbenchmarks;

import org.jspecify.annotations.NullMarked;
