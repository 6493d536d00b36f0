/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.smallscope;

import java.util.Arrays;

/**
 * The whole world at one moment, in numbers: the nodes' states and the sessions', what is on its way, and what the
 * search keeps count of. To be packed into an array when it no longer changes.
 */
final class WorldState {
    private static final int[] NONE = {};
    private static final int NODES = LocalNode.NODES;

    final int[] nodes;
    final int[] clients;
    int faultsLeft;

    /** How often the search has departed from the order of events that it takes by itself. */
    int departures;

    /** What it has passed over since, a bit for each source of events. */
    int passedOver;

    /** Batches of messages by from * NODES + to, oldest first. */
    private final int[][] links;

    /** Mutations by their destination, sorted: they arrive in any order. */
    private final int[][] parcels;

    WorldState(int sessions) {
        nodes = new int[NODES];
        clients = new int[sessions];
        links = new int[NODES * NODES][];
        parcels = new int[NODES][];
        Arrays.fill(links, NONE);
        Arrays.fill(parcels, NONE);
    }

    /** Of an array that {@link #packed} made. */
    static WorldState of(int[] packed, int sessions) {
        WorldState state = new WorldState(sessions);
        int at = 0;
        for (int i = 0; i < NODES; i++) {
            state.nodes[i] = packed[at++];
        }
        for (int i = 0; i < sessions; i++) {
            state.clients[i] = packed[at++];
        }
        state.faultsLeft = packed[at++];
        state.departures = packed[at++];
        state.passedOver = packed[at++];
        for (int[][] queues : new int[][][] {state.links, state.parcels}) {
            for (int i = 0; i < queues.length; i++) {
                int length = packed[at++];
                if (length > 0) {
                    queues[i] = Arrays.copyOfRange(packed, at, at + length);
                    at += length;
                }
            }
        }
        return state;
    }

    int[] packed() {
        int size = nodes.length + clients.length + 3 + links.length + parcels.length;
        for (int[] link : links) {
            size += link.length;
        }
        for (int[] here : parcels) {
            size += here.length;
        }
        int[] packed = new int[size];
        int at = 0;
        for (int node : nodes) {
            packed[at++] = node;
        }
        for (int client : clients) {
            packed[at++] = client;
        }
        packed[at++] = faultsLeft;
        packed[at++] = departures;
        packed[at++] = passedOver;
        for (int[][] queues : new int[][][] {links, parcels}) {
            for (int[] queue : queues) {
                packed[at++] = queue.length;
                System.arraycopy(queue, 0, packed, at, queue.length);
                at += queue.length;
            }
        }
        return packed;
    }

    // --- links -------------------------------------------------------------------------------------------------

    int onLink(int from, int to) {
        return links[from * NODES + to].length;
    }

    int batch(int from, int to, int index) {
        return links[from * NODES + to][index];
    }

    void send(int from, int to, int batch) {
        int[] link = links[from * NODES + to];
        int[] longer = Arrays.copyOf(link, link.length + 1);
        longer[link.length] = batch;
        links[from * NODES + to] = longer;
    }

    void takeFromLink(int from, int to, int index) {
        links[from * NODES + to] = without(links[from * NODES + to], index);
    }

    void clearLink(int from, int to) {
        links[from * NODES + to] = NONE;
    }

    // --- mutations ---------------------------------------------------------------------------------------------

    int parcelsTo(int to) {
        return parcels[to].length;
    }

    int parcel(int to, int index) {
        return parcels[to][index];
    }

    void ship(int to, int parcel) {
        int[] longer = Arrays.copyOf(parcels[to], parcels[to].length + 1);
        longer[longer.length - 1] = parcel;
        Arrays.sort(longer);
        parcels[to] = longer;
    }

    void takeParcel(int to, int index) {
        parcels[to] = without(parcels[to], index);
    }

    private static int[] without(int[] queue, int index) {
        if (queue.length == 1) {
            return NONE;
        }
        int[] shorter = new int[queue.length - 1];
        System.arraycopy(queue, 0, shorter, 0, index);
        System.arraycopy(queue, index + 1, shorter, index, shorter.length - index);
        return shorter;
    }
}
