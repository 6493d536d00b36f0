/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;

import com.tngtech.archunit.core.domain.InstanceofCheck;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.ReferencedClassObject;
import com.tngtech.archunit.core.domain.SourceCodeLocation;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.util.Arrays;
import java.util.List;

/**
 * How it is found out of which kind a thing is whose type is sealed: it is handed over to a handler that has a method
 * for each kind. So the compiler names everybody who has to say what he does with a new kind; of a chain of
 * {@code instanceof} it would name nobody.
 */
public final class Dispatch {
    private Dispatch() {}

    /** Nobody asks one of these whether it is of this kind or that, by {@code instanceof} or by its class. */
    public static ArchRule goesByHandlers(Class<?>... sealed) {
        List<String> names = Arrays.stream(sealed).map(Class::getName).toList();
        return classes().should(new NotAsk(names)).as("events, effects and messages are handed over to handlers");
    }

    private static final class NotAsk extends ArchCondition<JavaClass> {
        private final List<String> sealed;

        NotAsk(List<String> sealed) {
            super("not ask for the kind");
            this.sealed = sealed;
        }

        @Override
        public void check(JavaClass type, ConditionEvents events) {
            for (InstanceofCheck check : type.getInstanceofChecks()) {
                report(check.getOwner(), check.getRawType(), check.getSourceCodeLocation(), events);
            }
            for (ReferencedClassObject named : type.getReferencedClassObjects()) {
                report(named.getOwner(), named.getRawType(), named.getSourceCodeLocation(), events);
            }
        }

        private void report(JavaCodeUnit by, JavaClass kind, SourceCodeLocation at, ConditionEvents events) {
            if (sealed.stream().anyMatch(kind::isAssignableTo)) {
                String what = by.getFullName() + " asks for " + kind.getSimpleName() + " in " + at;
                events.add(SimpleConditionEvent.violated(by, what));
            }
        }
    }
}
