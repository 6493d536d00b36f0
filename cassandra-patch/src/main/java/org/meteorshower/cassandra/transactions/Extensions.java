/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.transactions;

import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import org.apache.cassandra.schema.TableMetadata;
import org.jspecify.annotations.Nullable;

/** What the plugin keeps in tables' schemas. */
public final class Extensions {
    private Extensions() {}

    /** @param value null takes it away */
    public static TableMetadata with(TableMetadata table, String key, @Nullable ByteBuffer value) {
        Map<String, ByteBuffer> extensions = new HashMap<>(table.params.extensions);
        if (value == null) {
            extensions.remove(key);
        } else {
            extensions.put(key, value);
        }
        return table.unbuild()
                .params(table.params.unbuild().extensions(extensions).build())
                .build();
    }
}
