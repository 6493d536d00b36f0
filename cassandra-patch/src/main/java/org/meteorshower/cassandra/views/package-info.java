/* SPDX-License-Identifier: Apache-2.0 */
/**
 * All virtual tables of the plugin: those that only show ({@code …View}), and those through which an operator changes
 * something. What they show they are told by those who know; docs/OPERATE.md says what to make of it.
 */
@NullMarked
package org.meteorshower.cassandra.views;

import org.jspecify.annotations.NullMarked;
