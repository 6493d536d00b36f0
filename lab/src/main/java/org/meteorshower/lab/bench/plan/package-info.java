/* SPDX-License-Identifier: Apache-2.0 */
/** What is to be measured: plans as files, and the order of the runs. */
@NullMarked
package org.meteorshower.lab.bench.plan;

import org.jspecify.annotations.NullMarked;
