/* SPDX-License-Identifier: Apache-2.0 */
/** What is done again and again on a thread of the plugin's own. */
@NullMarked
package org.meteorshower.cassandra.schedule;

import org.jspecify.annotations.NullMarked;
