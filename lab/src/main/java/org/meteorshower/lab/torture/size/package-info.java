/* SPDX-License-Identifier: Apache-2.0 */
/**
 * {@code meteor torture size}: loads and outages that are larger than any memory, on real nodes: what is lost, who
 * dies, what exceeds its budget.
 *
 * <ul>
 *   <li>{@code SizeTorture} runs phase after phase, {@code PhaseRun} one of them; {@code PhaseKind} lists them, and
 *       each is a {@code Phase}. What a phase does to its nodes is in {@code PhaseNodes}.
 *   <li>Loads: {@code AsyncLoad} keeps requests of some {@code Work} under way, {@code BulkRows} or
 *       {@code SequentialRows}; a {@code HotMix} of transactions runs beside. {@code Tally} counts, {@code Ledger}
 *       knows what was acknowledged.
 *   <li>Nodes: {@code NodeWatch} looks at each every second, by {@code HeapProbe}, {@code TableProbe} and
 *       {@code DiskUse}.
 *   <li>The end: {@code Ending} waits until all is as before, {@code LostRows} looks for every row; {@code SizeReport}
 *       and {@code SizeSvg} tell.
 * </ul>
 */
@NullMarked
package org.meteorshower.lab.torture.size;

import org.jspecify.annotations.NullMarked;
