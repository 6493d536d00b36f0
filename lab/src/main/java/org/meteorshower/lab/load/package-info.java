/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Clients of a local cluster, for all that puts load on one: {@code DataCentres} has a session for each data centre,
 * {@code TableMaker} makes and enables tables, {@code MachineLoad} tells how busy the machine is.
 */
@NullMarked
package org.meteorshower.lab.load;

import org.jspecify.annotations.NullMarked;
