/* SPDX-License-Identifier: Apache-2.0 */
/** Runs YCSB's own client, in a process of its own, against a cluster that it prepares for it. */
@NullMarked
package org.meteorshower.lab.ycsb;

import org.jspecify.annotations.NullMarked;
