/* SPDX-License-Identifier: Apache-2.0 */
/**
 * What several commands take alike on the command line, each group of options a mixin: {@code ClusterArguments} the
 * data centres of a cluster that a command starts, {@code AddressArguments} where its nodes are,
 * {@code PluginArguments} what is in their meteorshower.yaml, {@code JsonArguments} the file for programs,
 * {@code ClusterPlace} which running cluster is meant, {@code ContactArguments} any other. {@code Arguments} says what
 * is wrong with them, {@code ExitCodes} what became of it.
 */
@NullMarked
package org.meteorshower.lab.arguments;

import org.jspecify.annotations.NullMarked;
