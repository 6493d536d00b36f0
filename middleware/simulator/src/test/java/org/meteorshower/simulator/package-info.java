/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Random clusters under faults, each judged by two verifiers that share nothing: the checker, which sees what clients
 * saw, and the oracle, which knows what every cut holds.
 */
package org.meteorshower.simulator;
