/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.tpcc;

/** The tables of TPC-C in a system. For one thread, but for its clients. */
public interface TpccStore extends AutoCloseable {
    /** Makes the tables and writes the first rows; returns when all data centres have them. */
    void create(Population population);

    /** A client in a data centre. */
    TpccClient client(String dc);

    /** All rows that conditions are about, once nothing is under way. */
    Audit audit();

    @Override
    void close();
}
