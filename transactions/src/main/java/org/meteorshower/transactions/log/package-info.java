/* SPDX-License-Identifier: Apache-2.0 */
/** What stands in the lanes: entries of submissions, and the ballots under which they are agreed. */
@NullMarked
package org.meteorshower.transactions.log;

import org.jspecify.annotations.NullMarked;
