/* SPDX-License-Identifier: Apache-2.0 */
/** What goes in and out of the core, as plain data: events, effects, messages, durable records, settings. */
@NullMarked
package org.meteorshower.transactions.port;

import org.jspecify.annotations.NullMarked;
