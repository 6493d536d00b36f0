/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.demo;

import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.meteorshower.lab.load.TableMaker;

/** Makes the demo's tables, as anybody would with cqlsh. */
final class Schema {
    static final String KEYSPACE = "demo";

    private final Connections connections;
    private final List<Mode> modes;

    Schema(Connections connections, List<Mode> modes) {
        this.connections = connections;
        this.modes = modes;
    }

    /** Returns when the tables exist and every data centre serves the enabled ones. */
    void create() {
        new TableMaker(connections.dataCentres(), KEYSPACE).create(tables(), enabled());
        connections.prepare(modes);
    }

    private Set<String> tables() {
        return modes.stream().map(Mode::table).collect(Collectors.toCollection(LinkedHashSet::new));
    }

    private Map<String, String> enabled() {
        Map<String, String> enabled = new LinkedHashMap<>();
        modes.stream().filter(Mode::isServed).forEach(mode -> enabled.put(mode.table(), mode.tableOptions()));
        return enabled;
    }
}
