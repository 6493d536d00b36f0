/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.views;

import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.apache.cassandra.db.marshal.UTF8Type;
import org.apache.cassandra.db.marshal.UUIDType;
import org.apache.cassandra.db.virtual.AbstractMutableVirtualTable;
import org.apache.cassandra.db.virtual.SimpleDataSet;
import org.apache.cassandra.exceptions.InvalidRequestException;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.service.StorageService;
import org.meteorshower.cassandra.tables.Administrator;

/**
 * {@code meteorshower.left_behind}: the peers that this node no longer waits for, because too much waited for them.
 * Where one does not come back by itself ({@code automatic_return}) an operator brings it back in two steps, on each
 * node that lists it: announces its repair, repairs it in full, and says so. docs/INSTALL.md shows the statements.
 * Thread-safe.
 */
public final class PeersTable extends AbstractMutableVirtualTable {
    private static final String HOST_ID = "host_id";
    private static final String ADDRESS = "address";
    private static final String STATE = "state";
    private static final String REPAIRING = "repairing";
    private static final String REPAIRED = "repaired";

    /** Who was left behind by this node. */
    public interface Condition {
        Set<UUID> leftBehind();

        /** Whose repair was announced here. A subset of {@link #leftBehind}. */
        Set<UUID> beingRepaired();

        /** Who is waited for again: those, and who comes back by itself. A subset of {@link #leftBehind}. */
        Set<UUID> awaitedAgain();

        /** From now on nothing is retired without the peer. */
        void repairing(UUID peer);

        /** The peer takes part again. */
        void repaired(UUID peer);
    }

    private final Condition condition;

    public PeersTable(Condition condition) {
        super(Show.define(
                        "left_behind",
                        "peers that lack something; they come back by themselves, or update state to 'repairing', repair them, then to 'repaired'",
                        HOST_ID,
                        UUIDType.instance)
                .addRegularColumn(ADDRESS, UTF8Type.instance)
                .addRegularColumn(STATE, UTF8Type.instance)
                .build());
        this.condition = condition;
    }

    @Override
    public DataSet data() {
        SimpleDataSet rows = new SimpleDataSet(metadata());
        Set<UUID> beingRepaired = condition.beingRepaired();
        Set<UUID> awaited = condition.awaitedAgain();
        for (UUID peer : condition.leftBehind()) {
            InetAddressAndPort address =
                    StorageService.instance.getTokenMetadata().getEndpointForHostId(peer);
            rows.row(peer)
                    .column(ADDRESS, address == null ? "not on the ring" : address.getHostAddressAndPort())
                    .column(
                            STATE,
                            beingRepaired.contains(peer)
                                    ? REPAIRING
                                    : awaited.contains(peer) ? "coming back" : "left behind");
        }
        return rows;
    }

    @Override
    protected void applyColumnUpdate(ColumnValues partition, ColumnValues row, Optional<ColumnValue> value) {
        Administrator.ensureMayAlterAll();
        UUID peer = partition.value(0);
        if (value.isEmpty() || !value.get().name().equals(STATE)) {
            throw refused("what can be set is " + STATE + ", to '" + REPAIRING + "' or '" + REPAIRED + "'");
        }
        if (!condition.leftBehind().contains(peer)) {
            throw refused("this node has not left " + peer + " behind: SELECT * FROM meteorshower.left_behind lists who"
                    + " was");
        }
        String state = value.get().value();
        switch (state) {
            case REPAIRING -> condition.repairing(peer);
            case REPAIRED -> admit(peer);
            default ->
                throw refused("'" + state + "' is no state to set: first '" + REPAIRING + "', then '" + REPAIRED + "'");
        }
    }

    private void admit(UUID peer) {
        if (!condition.beingRepaired().contains(peer)) {
            throw refused("the repair of " + peer
                    + " was not announced here, or this node has restarted or gone over max_records since, so it may lack"
                    + " what was forgotten meanwhile: set its state to '" + REPAIRING
                    + "' on each node that lists it, repair it in full, then say '"
                    + REPAIRED + "'");
        }
        condition.repaired(peer);
    }

    private static InvalidRequestException refused(String reason) {
        return new InvalidRequestException("MeteorShower: " + reason);
    }
}
