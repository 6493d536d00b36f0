/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.read;

import org.meteorshower.runtime.RequestRefusedException;

/** Reads one partition at a cut, where it is known who holds it. Thread-safe; blocks at most until the deadline. */
@FunctionalInterface
public interface LocatedFetch {
    FetchedPartition fetch(LocatedRead read, ReadTerms terms) throws RequestRefusedException, InterruptedException;
}
