/* SPDX-License-Identifier: Apache-2.0 */
/**
 * {@code meteor simulate}: seeds by the thousand, their replay, and mistakes made on purpose that must be found.
 *
 * <ul>
 *   <li>Sequential reads: {@code SweepShow} many seeds, {@code OneSeed} one, {@code ExhaustiveShow} every order of
 *       events in small worlds, {@code PublishedTable} the published algorithm.
 *   <li>Mistakes in them: {@code Mutants} lists them, {@code MutantTable} and {@code ExhaustiveMutants} hunt them. A
 *       mistake is a {@code Patch} of classes, loaded anew by {@code PatchedClasses}.
 *   <li>Transactions: {@code CatenaeShow}, {@code CatenaeMutants}.
 *   <li>What status messages cost large clusters: {@code TrafficShow}, {@code TrafficSimulation}.
 * </ul>
 */
@NullMarked
package org.meteorshower.lab.simulate;

import org.jspecify.annotations.NullMarked;
