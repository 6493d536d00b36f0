/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.tpcc.cql;

import java.time.Instant;
import java.util.List;
import java.util.Locale;
import org.meteorshower.lab.tpcc.Logic;
import org.meteorshower.lab.tpcc.TpccInput;
import org.meteorshower.lab.tpcc.Unit;

/** The units in CQL: what {@link Logic} does, said once more. The same kind of unit has the same text. */
final class TpccText {
    /** Of a last order: an order has no more. */
    static final int MOST_LINES = 15;

    private static final int LEAST_LEFT = 10;
    private static final int REFILL = 91;

    private final String prefix;

    /** @param prefix of the tables' names, with the keyspace */
    TpccText(String prefix) {
        this.prefix = prefix;
    }

    Script of(Unit unit) {
        if (unit instanceof Unit.NewOrder order) {
            return newOrder(order);
        } else if (unit instanceof Unit.Payment payment) {
            return payment(payment);
        } else if (unit instanceof Unit.LastOrder status) {
            return lastOrder(status);
        } else if (unit instanceof Unit.Deliver delivery) {
            return deliver(delivery);
        } else if (unit instanceof Unit.RecentItems items) {
            return recentItems(items);
        }
        return countBelow((Unit.CountBelow) unit);
    }

    private Script newOrder(Unit.NewOrder order) {
        int w = order.warehouse();
        int d = order.district();
        int lines = order.lines().size();
        Script script = new Script(prefix)
                .add("LET w = (SELECT tax FROM @warehouse WHERE w_id = ?);", w)
                .add("LET d = (SELECT tax FROM @district WHERE w_id = ? AND d_id = ?);", w, d)
                .add("LET n = (SELECT next_o_id FROM @district_next WHERE w_id = ? AND d_id = ?);", w, d)
                .add(
                        "LET c = (SELECT discount, last, credit FROM @customer WHERE w_id = ? AND d_id = ? AND c_id = ?);",
                        w,
                        d,
                        order.customer());
        for (int k = 1; k <= lines; k++) {
            script.add(
                    "LET i" + k + " = (SELECT name, price, data FROM @item WHERE i_id = ?);",
                    order.lines().get(k - 1).item());
        }
        for (int k = 1; k <= lines; k++) {
            stock(script, k, lines, w, order.lines().get(k - 1));
        }
        // The item that there may not be is the last one (clause 2.4.1.5).
        script.add("IF i" + lines + " IS NOT NULL THEN")
                .add("UPDATE @district_next SET next_o_id = n.next_o_id + 1 WHERE w_id = ? AND d_id = ?;", w, d)
                .add(
                        "INSERT INTO @orders (w_id, d_id, o_id, c_id, entry_d, ol_cnt, all_local)"
                                + " VALUES (?, ?, n.next_o_id, ?, ?, ?, ?);",
                        w,
                        d,
                        order.customer(),
                        Instant.ofEpochMilli(order.at()),
                        lines,
                        order.isLocal() ? 1 : 0)
                .add("INSERT INTO @new_order (w_id, d_id, o_id) VALUES (?, ?, n.next_o_id);", w, d)
                .add(
                        "INSERT INTO @orders_by_customer (w_id, d_id, c_id, o_id) VALUES (?, ?, ?, n.next_o_id);",
                        w,
                        d,
                        order.customer());
        for (int k = 1; k <= lines; k++) {
            TpccInput.Line line = order.lines().get(k - 1);
            script.add(
                    "INSERT INTO @order_line (w_id, d_id, o_id, number, i_id, supply_w_id, quantity, amount, dist_info)"
                            + " VALUES (?, ?, n.next_o_id, " + k + ", ?, ?, ?, i" + k + ".price * ?, s" + k
                            + ".dists[?]);",
                    w,
                    d,
                    line.item(),
                    line.supplier(),
                    line.quantity(),
                    (long) line.quantity(),
                    d);
        }
        script.add("END IF").add("SELECT n.next_o_id, w.tax, d.tax, c.discount, c.last, c.credit");
        for (int k = 1; k <= lines; k++) {
            script.add(
                    String.format(Locale.ROOT, ", i%1$d.price, i%1$d.name, i%1$d.data, s%1$d.quantity, s%1$d.data", k));
        }
        return script.add(";");
    }

    /** Looked at right before it is written: two lines may want the same. */
    private static void stock(Script script, int k, int lines, int w, TpccInput.Line line) {
        String update = "UPDATE @stock SET quantity += ?, ytd += ?, order_cnt += 1, remote_cnt += ?"
                + " WHERE w_id = ? AND i_id = ?;";
        int remote = line.supplier() == w ? 0 : 1;
        int count = line.quantity();
        script.add(
                        "LET s" + k + " = (SELECT quantity, dists, data FROM @stock WHERE w_id = ? AND i_id = ?);",
                        line.supplier(),
                        line.item())
                .add("IF i" + lines + " IS NOT NULL AND s" + k + ".quantity >= ? THEN", count + LEAST_LEFT)
                .add(update, -count, (long) count, remote, line.supplier(), line.item())
                .add("ELSE IF i" + lines + " IS NOT NULL THEN")
                .add(update, REFILL - count, (long) count, remote, line.supplier(), line.item())
                .add("END IF");
    }

    private Script payment(Unit.Payment payment) {
        int w = payment.warehouse();
        int d = payment.district();
        TpccInput.Who who = payment.who();
        long amount = payment.amount();
        return new Script(prefix)
                .add("LET w = (SELECT * FROM @warehouse WHERE w_id = ?);", w)
                .add("LET d = (SELECT * FROM @district WHERE w_id = ? AND d_id = ?);", w, d)
                .add(
                        "LET c = (SELECT * FROM @customer WHERE w_id = ? AND d_id = ? AND c_id = ?);",
                        who.warehouse(),
                        who.district(),
                        who.id())
                .add("UPDATE @warehouse_ytd SET ytd += ? WHERE w_id = ?;", amount, w)
                .add("UPDATE @district_ytd SET ytd += ? WHERE w_id = ? AND d_id = ?;", amount, w, d)
                .add(
                        "UPDATE @customer SET balance -= ?, ytd_payment += ?, payment_cnt += 1"
                                + " WHERE w_id = ? AND d_id = ? AND c_id = ?;",
                        amount,
                        amount,
                        who.warehouse(),
                        who.district(),
                        who.id())
                .add("IF c.credit = 'BC' THEN")
                // What is beyond 500 characters is not cut off, which the language cannot: readers do.
                .add(
                        "UPDATE @customer SET data = ? + c.data WHERE w_id = ? AND d_id = ? AND c_id = ?;",
                        Logic.note(payment),
                        who.warehouse(),
                        who.district(),
                        who.id())
                .add("END IF")
                .add(
                        "INSERT INTO @history (w_id, d_id, id, c_w_id, c_d_id, c_id, at, amount, data)"
                                + " VALUES (?, ?, ?, ?, ?, ?, ?, ?, w.name + '    ' + d.name);",
                        w,
                        d,
                        payment.id(),
                        who.warehouse(),
                        who.district(),
                        who.id(),
                        Instant.ofEpochMilli(payment.at()),
                        amount)
                .add(
                        "SELECT c.balance, c.first, c.middle, c.last, c.phone, c.since, c.credit, c.credit_lim, c.discount,"
                                + " c.data" + address("c") + ", w.name" + address("w") + ", d.name" + address("d")
                                + ";");
    }

    private static String address(String row) {
        return String.format(Locale.ROOT, ", %1$s.street_1, %1$s.street_2, %1$s.city, %1$s.state, %1$s.zip", row);
    }

    /** One result has it all, so lines are columns. */
    private Script lastOrder(Unit.LastOrder unit) {
        Object[] customer = {unit.warehouse(), unit.district(), unit.customer()};
        Script script = new Script(prefix)
                .add(
                        "LET c = (SELECT balance, first, middle, last FROM @customer"
                                + " WHERE w_id = ? AND d_id = ? AND c_id = ?);",
                        customer)
                .add(
                        "LET b = (SELECT o_id FROM @orders_by_customer WHERE w_id = ? AND d_id = ? AND c_id = ? LIMIT 1);",
                        customer)
                .add(
                        "LET o = (SELECT entry_d, carrier_id, ol_cnt, delivery_d FROM @orders"
                                + " WHERE w_id = ? AND d_id = ? AND o_id = b.o_id);",
                        unit.warehouse(),
                        unit.district());
        for (int k = 1; k <= MOST_LINES; k++) {
            script.add(
                    "LET l" + k + " = (SELECT i_id, supply_w_id, quantity, amount FROM @order_line"
                            + " WHERE w_id = ? AND d_id = ? AND o_id = b.o_id AND number = " + k + ");",
                    unit.warehouse(),
                    unit.district());
        }
        script.add(
                "SELECT c.balance, b.o_id, o.ol_cnt, c.first, c.middle, c.last, o.entry_d, o.carrier_id, o.delivery_d");
        for (int k = 1; k <= MOST_LINES; k++) {
            script.add(String.format(Locale.ROOT, ", l%1$d.i_id, l%1$d.supply_w_id, l%1$d.quantity, l%1$d.amount", k));
        }
        return script.add(";");
    }

    private Script deliver(Unit.Deliver unit) {
        Object[] district = {unit.warehouse(), unit.district()};
        return new Script(prefix)
                .add("LET n = (SELECT o_id FROM @new_order WHERE w_id = ? AND d_id = ? LIMIT 1);", district)
                .add("LET o = (SELECT c_id FROM @orders WHERE w_id = ? AND d_id = ? AND o_id = n.o_id);", district)
                .add(
                        "LET s = (SELECT sum(amount) AS total FROM @order_line"
                                + " WHERE w_id = ? AND d_id = ? AND o_id = n.o_id);",
                        district)
                .add("IF n IS NOT NULL THEN")
                .add("DELETE FROM @new_order WHERE w_id = ? AND d_id = ? AND o_id = n.o_id;", district)
                .add(
                        "UPDATE @orders SET carrier_id = ?, delivery_d = ? WHERE w_id = ? AND d_id = ? AND o_id = n.o_id;",
                        unit.carrier(),
                        Instant.ofEpochMilli(unit.at()),
                        unit.warehouse(),
                        unit.district())
                .add(
                        "UPDATE @customer SET balance += s.total, delivery_cnt += 1"
                                + " WHERE w_id = ? AND d_id = ? AND c_id = o.c_id;",
                        district)
                .add("END IF")
                .add("SELECT n.o_id, s.total;");
    }

    private Script recentItems(Unit.RecentItems unit) {
        return new Script(prefix)
                .add(
                        "LET n = (SELECT next_o_id FROM @district_next WHERE w_id = ? AND d_id = ?);",
                        unit.warehouse(),
                        unit.district())
                .add(
                        "SELECT i_id FROM @order_line WHERE w_id = ? AND d_id = ? AND o_id >= n.next_o_id - "
                                + Logic.RECENT_ORDERS + " AND o_id < n.next_o_id;",
                        unit.warehouse(),
                        unit.district());
    }

    private Script countBelow(Unit.CountBelow unit) {
        return new Script(prefix)
                .add(
                        "SELECT quantity FROM @stock WHERE w_id = ? AND i_id IN ?;",
                        unit.warehouse(),
                        List.copyOf(unit.items()));
    }
}
