/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.smallscope;

/**
 * How much was searched.
 *
 * @param depth the number of events up to which every schedule within the bounds was followed
 * @param isWhole whether no schedule within the bounds is longer
 * @param states different states of the world, counted again where different numbers of events lead to them
 * @param transitions events in those states
 * @param schedules complete schedules, those that end because nothing more can happen; each order counts
 * @param endStates different states in which nothing more can happen
 * @param endStatesWithAllAnswered of those, the ones in which every operation was answered
 * @param coreStates different states of the three nodes
 * @param coreSteps steps that real protocol cores were made to take
 * @param widest the most states of one depth
 */
public record SearchFigures(
        int depth,
        boolean isWhole,
        long states,
        long transitions,
        double schedules,
        long endStates,
        long endStatesWithAllAnswered,
        long coreStates,
        long coreSteps,
        int widest) {}
