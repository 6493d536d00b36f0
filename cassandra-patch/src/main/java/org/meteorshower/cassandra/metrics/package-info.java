/* SPDX-License-Identifier: Apache-2.0 */
/** What the plugin counts and measures, and how it is told: Cassandra's registry, JMX, Prometheus. */
@NullMarked
package org.meteorshower.cassandra.metrics;

import org.jspecify.annotations.NullMarked;
