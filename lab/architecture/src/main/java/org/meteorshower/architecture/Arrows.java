/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.util.Collection;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Which of our parts a module's parts may use: a table with a row for each part of the module, its name, a colon, and
 * what it may use. A line without a colon goes on with the row above. A part is a package, with the packages below it
 * that the table does not name; names are without {@code org.meteorshower.}. A part uses itself and what its row names,
 * and nothing else of ours. Who uses what of others is not asked here.
 */
public final class Arrows {
    private static final Pattern ROW = Pattern.compile("\\R(?=[^\\n]*:)");

    private final String root;
    private final Map<String, Set<String>> rows = new TreeMap<>();
    private final Set<String> parts = new HashSet<>();

    public Arrows(String table) {
        this("org.meteorshower", table);
    }

    Arrows(String root, String table) {
        this.root = root + ".";
        for (String row : ROW.split(table)) {
            int colon = row.indexOf(':');
            if (!row.isBlank()) {
                add(row.substring(0, colon).strip(), words(row.substring(colon + 1)));
            }
        }
    }

    private static Set<String> words(String text) {
        return text.isBlank() ? Set.of() : Set.of(text.strip().split("\\s+"));
    }

    private void add(String part, Set<String> mayUse) {
        if (rows.put(part, mayUse) != null) {
            throw new IllegalArgumentException("two rows about " + part);
        }
        parts.add(part);
        parts.addAll(mayUse);
    }

    /** Also broken where a row is about no class of the module. */
    public ArchRule rule() {
        return classes().should(new PointAsTold()).as("dependencies point as the table says");
    }

    /** The longest name of a part that the class is in. */
    private @Nullable String partOf(JavaClass type) {
        String inPackage = type.getBaseComponentType().getPackageName();
        String name = inPackage.startsWith(root) ? inPackage.substring(root.length()) : "";
        while (!name.isEmpty() && !parts.contains(name)) {
            name = name.substring(0, Math.max(0, name.lastIndexOf('.')));
        }
        return name.isEmpty() ? null : name;
    }

    private boolean isOurs(JavaClass type) {
        return (type.getBaseComponentType().getPackageName() + ".").startsWith(root);
    }

    private boolean mayUse(Set<String> named, String part, JavaClass target) {
        String used = partOf(target);
        return used != null && (used.equals(part) || named.contains(used));
    }

    private final class PointAsTold extends ArchCondition<JavaClass> {
        private final Set<String> seen = new HashSet<>();

        PointAsTold() {
            super("use what the row of their part names");
        }

        @Override
        public void init(Collection<JavaClass> all) {
            seen.clear();
        }

        @Override
        public void check(JavaClass type, ConditionEvents events) {
            String part = partOf(type);
            Set<String> named = part == null ? null : rows.get(part);
            if (part == null || named == null) {
                events.add(SimpleConditionEvent.violated(type, type.getName() + " is in no row's part"));
                return;
            }
            seen.add(part);
            for (Dependency use : type.getDirectDependenciesFromSelf()) {
                if (isOurs(use.getTargetClass()) && !mayUse(named, part, use.getTargetClass())) {
                    events.add(SimpleConditionEvent.violated(use, use.getDescription()));
                }
            }
        }

        @Override
        public void finish(ConditionEvents events) {
            rows.keySet().stream()
                    .filter(part -> !seen.contains(part))
                    .forEach(part -> events.add(
                            SimpleConditionEvent.violated(part, "the row of " + part + " is about no class")));
        }
    }
}
