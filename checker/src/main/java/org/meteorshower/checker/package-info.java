/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Says whether a recorded history of reads and writes is sequentially consistent, or linearizable key by key.
 *
 * <p>A history comes from JSON lines ({@link org.meteorshower.checker.HistoryReader}, docs/HISTORY_FORMAT.md) or is
 * built in memory ({@link org.meteorshower.checker.HistoryBuilder}); {@link org.meteorshower.checker.Model#check} gives
 * a {@link org.meteorshower.checker.Verdict}, and {@link org.meteorshower.checker.CheckReport} the text for people.
 *
 * <p>How it decides. A {@code Problem} is a graph of what must come before what:
 *
 * <ol>
 *   <li>session order, and for linearizability real time;
 *   <li>reads-from: written values are unique per key, so a read names its write;
 *   <li>version order: last-write-wins makes it the order of a key's writes;
 *   <li>from-read: a read comes before the write that replaced what it saw.
 * </ol>
 *
 * <p>Where every write has a version of its own, and no read of null could mean one of several deletes, the history is
 * consistent exactly when the graph has no cycle, and the shortest cycle found is the counterexample. Otherwise
 * {@code Saturation} adds what follows from what is known, until nothing new does or a cycle appears; and
 * {@code OrderSearch} looks for an order, within a counted limit. It proves by finding one, or refutes by having tried
 * all; past the limit the verdict is UNDECIDED. A violation that needs such reasoning is cut down ({@code Support},
 * {@code Shrinker}) to a few operations that show it by themselves.
 *
 * <p>What is taken for granted: the history is complete, that is, every operation that may have taken effect is in it;
 * each key is empty when the history begins; for linearizability, all times come from one clock.
 */
@NullMarked
package org.meteorshower.checker;

import org.jspecify.annotations.NullMarked;
