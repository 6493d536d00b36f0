/* SPDX-License-Identifier: Apache-2.0 */
/**
 * {@code meteor ycsb}: YCSB's own client, in a process of its own ({@code YcsbProcess}), against a cluster whose table
 * is made ready for it ({@code YcsbTable}), and what it printed as figures ({@code YcsbSummary}).
 */
@NullMarked
package org.meteorshower.lab.ycsb;

import org.jspecify.annotations.NullMarked;
