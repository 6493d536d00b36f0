/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.port;

import org.meteorshower.transactions.log.Entry;

/** An entry that an acceptor has accepted under a ballot. */
public record AcceptedEntry(long position, long ballot, Entry entry) {}
