/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.architecture;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.security.CodeSource;
import java.util.Objects;

/** The classes that a module is made of, without its tests and without those of the modules it uses. */
public final class ModuleClasses {
    private ModuleClasses() {}

    /** All that was compiled into the folder, or packed into the jar, that this class of the module is in. */
    public static JavaClasses with(Class<?> member) {
        CodeSource source = member.getProtectionDomain().getCodeSource();
        return new ClassFileImporter()
                .importUrl(Objects.requireNonNull(source, "a class of the JDK").getLocation());
    }
}
