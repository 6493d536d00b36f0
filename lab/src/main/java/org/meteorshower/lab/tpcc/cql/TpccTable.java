/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.tpcc.cql;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * The tables. A district's orders, lines and new orders are a partition each, so that they are ranges; so are its
 * customers, whom a Delivery finds by an order. Stocks are a partition each: nobody asks for a range of them. Sums and
 * next numbers have rows of their own, apart from what never changes. A stock's texts for districts are a map, so that
 * New-Orders of all districts have the same text, and prepared ones take a tenth of the memory.
 */
enum TpccTable {
    WAREHOUSE("w_id int", "PRIMARY KEY (w_id)", "name text, %s, tax int"),
    WAREHOUSE_YTD("w_id int", "PRIMARY KEY (w_id)", "ytd bigint"),
    DISTRICT("w_id int, d_id int", "PRIMARY KEY ((w_id, d_id))", "name text, %s, tax int"),
    DISTRICT_YTD("w_id int, d_id int", "PRIMARY KEY ((w_id, d_id))", "ytd bigint"),
    DISTRICT_NEXT("w_id int, d_id int", "PRIMARY KEY ((w_id, d_id))", "next_o_id int"),
    CUSTOMER(
            "w_id int, d_id int, c_id int",
            "PRIMARY KEY ((w_id, d_id), c_id)",
            "first text, middle text, last text, %s, phone text, since timestamp, credit text, credit_lim bigint,"
                    + " discount int, balance bigint, ytd_payment bigint, payment_cnt int, delivery_cnt int, data text"),
    /** Who has a last name, by first name: written once, and read nearby. */
    CUSTOMER_NAMES("w_id int, d_id int, last text", "PRIMARY KEY ((w_id, d_id), last)", "c_ids frozen<list<int>>"),
    HISTORY(
            "w_id int, d_id int, id bigint",
            "PRIMARY KEY ((w_id, d_id), id)",
            "c_w_id int, c_d_id int, c_id int, at timestamp, amount bigint, data text"),
    /** With the time of delivery of all its lines. */
    ORDERS(
            "w_id int, d_id int, o_id int",
            "PRIMARY KEY ((w_id, d_id), o_id)",
            "c_id int, entry_d timestamp, carrier_id int, ol_cnt int, all_local int, delivery_d timestamp"),
    ORDERS_BY_CUSTOMER(
            "w_id int, d_id int, c_id int, o_id int",
            "PRIMARY KEY ((w_id, d_id, c_id), o_id)) WITH CLUSTERING ORDER BY (o_id DESC",
            ""),
    NEW_ORDER("w_id int, d_id int, o_id int", "PRIMARY KEY ((w_id, d_id), o_id)", ""),
    ORDER_LINE(
            "w_id int, d_id int, o_id int, number int",
            "PRIMARY KEY ((w_id, d_id), o_id, number)",
            "i_id int, supply_w_id int, quantity int, amount bigint, dist_info text"),
    STOCK(
            "w_id int, i_id int",
            "PRIMARY KEY ((w_id, i_id))",
            "quantity int, dists map<int, text>, ytd bigint, order_cnt int, remote_cnt int, data text"),
    ITEM("i_id int", "PRIMARY KEY (i_id)", "im_id int, name text, price bigint, data text");

    private final String keys;
    private final String primaryKey;
    private final String values;

    TpccTable(String keys, String primaryKey, String values) {
        this.keys = keys;
        this.primaryKey = primaryKey;
        this.values = values.replace("%s", address());
    }

    /** No field: constants of an enum are made before those. */
    private static String address() {
        return "street_1 text, street_2 text, city text, state text, zip text";
    }

    /** Without its prefix. */
    String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    String creation(String prefix) {
        return "CREATE TABLE " + prefix + word() + " (" + columns() + ", " + primaryKey + ")";
    }

    private String columns() {
        return values.isEmpty() ? keys : keys + ", " + values;
    }

    /** The names of all columns, the key's first. */
    List<String> names() {
        return Arrays.stream(columns().split(", (?![^<]*>)"))
                .map(column -> column.split(" ")[0])
                .toList();
    }

    /** One row, all columns of which are bound. */
    String insertion(String prefix) {
        return "INSERT INTO " + prefix + word() + " (" + String.join(", ", names()) + ") VALUES ("
                + names().stream().map(name -> "?").collect(Collectors.joining(", ")) + ")";
    }
}
