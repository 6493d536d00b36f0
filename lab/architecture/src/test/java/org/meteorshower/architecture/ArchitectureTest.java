/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.architecture;

import org.junit.jupiter.api.Test;

class ArchitectureTest {
    @Test
    void itUsesNothingOfOurs() {
        new Arrows("architecture:").rule().check(ModuleClasses.with(Arrows.class));
    }
}
