/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Chain servers: a data centre's merged order executed by several nodes, each for ranges of tokens. Pure: who runs it
 * carries messages, reads and writes tables, and lets time pass. See docs/decisions/chain-servers.md.
 */
@NullMarked
package org.meteorshower.transactions.servers;

import org.jspecify.annotations.NullMarked;
