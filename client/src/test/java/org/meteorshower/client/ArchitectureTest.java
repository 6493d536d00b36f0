/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.client;

import com.tngtech.archunit.core.domain.JavaClasses;
import org.junit.jupiter.api.Test;
import org.meteorshower.architecture.Arrows;
import org.meteorshower.architecture.ModuleClasses;
import org.meteorshower.architecture.Rules;

/** Nothing of the server: the two agree on bytes, in tests. */
class ArchitectureTest {
    private static final JavaClasses MODULE = ModuleClasses.with(MeteorShowerSession.class);

    @Test
    void dependenciesPointOneWay() {
        new Arrows("""
                        client: client.transactions
                        client.transactions:
                        client.changes:
                        """).rule().check(MODULE);
    }

    @Test
    void packagesHaveNoCycles() {
        Rules.noCycles().check(MODULE);
    }
}
