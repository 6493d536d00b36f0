/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.ycsb;

import java.util.List;
import java.util.Map;
import java.util.Properties;

/**
 * What to run. Immutable, but for the workload, which nobody changes.
 *
 * @param workload its properties
 * @param mode how rows are read and written
 * @param dataCentres where the clients are, in turn; empty: with the first host
 * @param overrides properties that win over all others
 */
record YcsbOptions(Properties workload, YcsbMode mode, List<String> dataCentres, Map<String, String> overrides) {
    public YcsbOptions {
        dataCentres = List.copyOf(dataCentres);
        overrides = Map.copyOf(overrides);
    }

    Properties properties(List<String> hosts, boolean load) {
        Properties all = new Properties();
        all.putAll(workload);
        all.putAll(load ? mode.loadProperties() : mode.properties());
        all.setProperty("hosts", String.join(",", hosts));
        all.setProperty("cassandra.keyspace", mode.keyspace());
        if (!dataCentres.isEmpty()) {
            all.setProperty("cassandra.datacenters", String.join(",", dataCentres));
        }
        all.setProperty("measurementtype", "hdrhistogram");
        all.setProperty("hdrhistogram.percentiles", "50,95,99,99.9");
        all.setProperty("status.interval", "1");
        all.putAll(overrides);
        if (all.containsKey("target") && !all.containsKey("measurement.interval")) {
            // From when an operation should have begun, too: a client that waits for a slow one hides the next.
            all.setProperty("measurement.interval", "both");
        }
        return all;
    }
}
