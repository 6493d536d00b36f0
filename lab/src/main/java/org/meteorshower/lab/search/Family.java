/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.search;

import java.util.List;

/**
 * Plans that may be mixed: they promise the same, and bear the same faults.
 *
 * @param name in kebab-case
 * @param kinds of plans that are drawn for it; one that is named more than once is drawn as much more often
 * @param frame paths such as {@code cluster} or {@code faults/special/moves/spares}: what is there depends on each
 *     other, so a plan takes all of it from one drawn plan
 * @param faults that may be listed in its plans besides those that its drawn plans have
 * @param isStaged whether its drawn plans play one scene, so that what all of them do is nothing usual
 */
public record Family(String name, List<String> kinds, List<String> frame, List<String> faults, boolean isStaged) {}
