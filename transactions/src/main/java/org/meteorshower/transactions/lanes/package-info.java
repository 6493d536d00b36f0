/* SPDX-License-Identifier: Apache-2.0 */
/** One replicated log per data centre: multi-Paxos with one acceptor per data centre. */
@NullMarked
package org.meteorshower.transactions.lanes;

import org.jspecify.annotations.NullMarked;
