/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.cluster;

/**
 * What a node is, running or not.
 *
 * @param name data centre and number in it, such as eu-1
 * @param dc its data centre
 * @param address its loopback address, for everything it listens on
 * @param token its place on Cassandra's ring
 */
public record NodeSpec(String name, String dc, String address, long token) {
    public static final int CQL_PORT = 9042;
    public static final int STORAGE_PORT = 7000;
    public static final int TRANSPORT_PORT = 7600;
}
