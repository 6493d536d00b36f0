/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.runtime;

import java.util.function.Consumer;
import org.meteorshower.transactions.port.Effect;
import org.meteorshower.transactions.port.Event;

/**
 * The data centre's own replicas. Methods are called on the loop and must not block; {@code then} may be called on any
 * thread, and is not called before what it tells of is so. What fails is tried again, by the store: a process whose
 * store is gone stands still, and its clients' deadlines tell them.
 */
public interface Store {
    /** See {@link Effect.Persist}: first all records, then the fence. */
    void persist(Effect.Persist persist, Consumer<Event> then);

    /** May tell of the rows in several events. */
    void readRows(Effect.ReadRows read, Consumer<Event> then);

    void readKeys(Effect.ReadKeys read, Consumer<Event> then);

    void writeRows(Effect.WriteRows write, Consumer<Event> then);

    void writeChanges(Effect.WriteChanges write, Consumer<Event> then);

    void readPage(Effect.ReadPage read, Consumer<Event> then);

    void writePage(Effect.WritePage write, Consumer<Event> then);

    /** Told when none is left, which may take long. */
    void forgetEditions(Effect.ForgetEditions forget, Consumer<Event> then);

    void readLog(Effect.ReadLog read, Consumer<Event> then);

    void readDue(Effect.ReadDue read, Consumer<Event> then);

    void forgetDue(Effect.ForgetDue forget);
}
