/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** Runs only where asked for, as each night: docs/LONG_RUNS.md has what guards the same in the gate. */
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@EnabledIfSystemProperty(
        named = "long.tests",
        matches = "true",
        disabledReason = "takes long; -Dlong.tests=true runs it. docs/LONG_RUNS.md has what guards the same meanwhile")
public @interface LongTest {}
