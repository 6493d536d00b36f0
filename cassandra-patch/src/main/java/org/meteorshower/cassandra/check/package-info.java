/* SPDX-License-Identifier: Apache-2.0 */
/** The online checker in a node: what it is told, its thread, and what it shows. */
@org.jspecify.annotations.NullMarked
package org.meteorshower.cassandra.check;
