/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.changes;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.util.RawValue;
import java.util.List;
import org.meteorshower.client.changes.ChangePosition;
import org.meteorshower.client.changes.ChangedRow;

/** The stream for programs, a line of JSON each. Keys and rows stand there as the node has written them. */
final class ChangeJson {
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private ChangeJson() {}

    /** A transaction, of which only these rows are shown. */
    static String of(ChangePosition at, List<ChangedRow> rows) {
        ObjectNode root = MAPPER.createObjectNode();
        root.put("at", at.place() + "." + at.index());
        ArrayNode changes = root.putArray("changes");
        for (ChangedRow row : rows) {
            ObjectNode change = changes.addObject();
            change.put("table", row.table());
            change.putRawValue("key", new RawValue(row.key()));
            String content = row.row();
            if (content == null) {
                change.putNull("row");
            } else {
                change.putRawValue("row", new RawValue(content));
            }
        }
        return text(root);
    }

    /** All before it has been printed. */
    static String until(ChangePosition position) {
        return text(MAPPER.createObjectNode().put("until", position.toString()));
    }

    private static String text(ObjectNode root) {
        try {
            return MAPPER.writeValueAsString(root);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }
}
