/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.transactions.cql;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.cassandra.cql3.ColumnIdentifier;
import org.apache.cassandra.cql3.ColumnSpecification;
import org.apache.cassandra.db.marshal.AbstractType;
import org.apache.cassandra.service.ClientState;

/**
 * A transaction under a name and a version, compiled against the schema as it is. Its parameters are its named bind
 * markers, in the order in which they first stand in the text. Immutable.
 *
 * @param markers of the plan, each as the place of its parameter
 */
record Procedure(ProcedureId id, String text, Plan plan, List<ColumnSpecification> parameters, List<Integer> markers) {
    /** Longer texts are refused: each node that calls it keeps it. */
    static final int MOST_CHARS = 1 << 16;

    /**
     * @throws org.apache.cassandra.exceptions.RequestValidationException saying what cannot be, and what can be done
     *     instead
     */
    static Procedure compile(ProcedureId id, String text) {
        if (text.length() > MOST_CHARS) {
            throw Errors.invalid("procedure " + id + " has " + text.length() + " characters; at most " + MOST_CHARS
                    + " are kept. Make several of it, or bind large values as arguments");
        }
        Script script = ScriptParser.parse(text);
        Plan plan = Compiler.compile(script, ClientState.forInternalCalls(id.keyspace()))
                .from(text);
        Sandbox.check(id, text, plan);
        Map<String, Integer> places = new LinkedHashMap<>();
        List<ColumnSpecification> parameters = new ArrayList<>();
        List<Integer> markers = new ArrayList<>();
        for (int i = 0; i < plan.markers().size(); i++) {
            ColumnIdentifier name = script.markerNames().get(i);
            if (name == null) {
                throw Errors.invalid("bind marker " + (i + 1) + " of procedure " + id
                        + " has no name: write :name instead of ?. Parameters are called by name, and may stand in"
                        + " several places");
            }
            AbstractType<?> type = plan.markers().get(i).type.unwrap();
            int place = places.computeIfAbsent(name.toString(), added -> parameters.size());
            if (place == parameters.size()) {
                parameters.add(new ColumnSpecification(id.keyspace(), id.name(), name, type));
            } else if (!typeOf(parameters.get(place).type).equals(typeOf(type))) {
                throw Errors.invalid("parameter " + name + " of procedure " + id + " stands for "
                        + typeOf(parameters.get(place).type) + " in one place and for " + typeOf(type)
                        + " in another: make two parameters of it, or write the type before it, as in (int) :" + name);
            }
            markers.add(place);
        }
        return new Procedure(id, text, plan, List.copyOf(parameters), List.copyOf(markers));
    }

    /** As it is written; a collection that is stored in parts is given as a whole like any other. */
    private static String typeOf(AbstractType<?> type) {
        String written = type.freeze().asCQL3Type().toString();
        return written.startsWith("frozen<") ? written.substring("frozen<".length(), written.length() - 1) : written;
    }

    /** Names and types of what a CALL gives it. */
    String signature() {
        return parameters.stream()
                .map(each -> each.name.toCQLString() + " " + typeOf(each.type))
                .collect(Collectors.joining(", ", "(", ")"));
    }

    boolean isCurrent() {
        return plan.isCurrent();
    }
}
