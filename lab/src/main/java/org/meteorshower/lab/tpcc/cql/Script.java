/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.tpcc.cql;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A transaction's text while it is written, and what its markers stand for. For one thread. */
final class Script {
    private final String prefix;
    private final StringBuilder text = new StringBuilder("BEGIN TRANSACTION ");
    private final List<@Nullable Object> values = new ArrayList<>();

    /** @param prefix of tables, which stands in lines as @ */
    Script(String prefix) {
        this.prefix = prefix;
    }

    /** One line, and a value for each ? in it. */
    Script add(String line, @Nullable Object... bound) {
        text.append(line.replace("@", prefix)).append(' ');
        values.addAll(Arrays.asList(bound));
        return this;
    }

    String text() {
        return text + "COMMIT TRANSACTION";
    }

    @Nullable
    Object[] values() {
        return values.toArray();
    }
}
