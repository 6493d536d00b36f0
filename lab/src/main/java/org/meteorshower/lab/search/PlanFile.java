/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.search;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import org.jspecify.annotations.Nullable;

/**
 * A plan as a file has it.
 *
 * @param model the simulator that runs it: "reads" or "catenae"
 * @param family whose drawn plans it was made of
 * @param complaint what was wrong when it was written; null where nothing was
 */
public record PlanFile(
        String model,
        String family,
        ObjectNode plan,
        @Nullable String complaint) {
    private static final ObjectMapper MAPPER = new ObjectMapper();

    /** Plans take some kilobytes. */
    private static final long MOST_BYTES = 1 << 20;

    /** Throws {@link IllegalArgumentException}, which says what is wrong, if it cannot be read or is none. */
    public static PlanFile read(Path file) {
        try {
            if (Files.size(file) > MOST_BYTES) {
                throw new IllegalArgumentException(file + " has more than " + MOST_BYTES
                        + " bytes: no plan has; give a file that ./meteor simulate --search wrote");
            }
            JsonNode json = MAPPER.readTree(Files.readString(file));
            if (!(json.path("plan") instanceof ObjectNode plan)
                    || !json.path("model").isTextual()
                    || !json.path("family").isTextual()) {
                throw new IllegalArgumentException(file + " is no plan: it must have a model, a family and a plan; give"
                        + " a file that ./meteor simulate --search wrote");
            }
            JsonNode complaint = json.path("complaint");
            return new PlanFile(
                    json.path("model").asText(),
                    json.path("family").asText(),
                    plan,
                    complaint.isTextual() ? complaint.asText() : null);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException(file + " is no JSON: " + e.getOriginalMessage(), e);
        } catch (IOException e) {
            throw new IllegalArgumentException("cannot read " + file + ": " + e.getMessage(), e);
        }
    }

    String text() {
        ObjectNode json = MAPPER.createObjectNode();
        json.put("model", model).put("family", family);
        if (complaint != null) {
            json.put("complaint", complaint);
        }
        json.set("plan", plan);
        return json.toString();
    }

    /** Whole or not at all. Throws {@link UncheckedIOException}, which names the file, where it cannot be written. */
    public void write(Path file) {
        Path part = file.resolveSibling(file.getFileName() + ".part");
        try {
            Files.writeString(part, text() + "\n");
            Files.move(part, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write " + file + ": " + e.getMessage(), e);
        }
    }
}
