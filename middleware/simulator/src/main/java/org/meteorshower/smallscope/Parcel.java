/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.smallscope;

import org.meteorshower.simulator.CellUpdate;

/** A mutation on its way to a replica. */
record Parcel(CellUpdate update, int coordinator) {}
