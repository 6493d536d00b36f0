/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.smallscope;

/** What can go wrong, at any moment, as often as the scenario allows. */
public enum Fault {
    /** A node dies and starts again; what was on its way to it arrives in its new life. */
    CRASH,
    /** A node dies and starts again; what was on its way to it, or from it, is lost. */
    CRASH_AND_RESET,
    /** The oldest message of a link, or a mutation, is lost. */
    LOSE,
    /** A message overtakes the one before it. */
    OVERTAKE,
    /** A message arrives, and will arrive again. */
    REPEAT,
    /** A connection breaks: all that is on its way from one node to another is lost. */
    RESET
}
