/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The protocol, sentence by sentence: each test is named for what it proves of the protocol's description
 * (docs/ARCHITECTURE.md). Whole clusters are played by {@code ScriptedCluster}; single nodes face {@code Puppet}s,
 * whose every message the test writes itself.
 */
package org.meteorshower.protocol;
