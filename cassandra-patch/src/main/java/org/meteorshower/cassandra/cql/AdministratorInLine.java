/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.cql;

import java.util.function.Supplier;
import org.apache.cassandra.cql3.statements.ModificationStatement;
import org.meteorshower.cassandra.request.ClientRequest;
import org.meteorshower.cassandra.tables.Administrator;

/** Lets MeteorShower's virtual tables know who is writing into them while Cassandra carries out a statement. */
final class AdministratorInLine {
    private AdministratorInLine() {}

    static <T> T during(ClientRequest request, Supplier<T> work) {
        if (!(request.statement() instanceof ModificationStatement write) || !write.isVirtual()) {
            return work.get();
        }
        Administrator.set(request.client());
        try {
            return work.get();
        } finally {
            Administrator.clear();
        }
    }
}
