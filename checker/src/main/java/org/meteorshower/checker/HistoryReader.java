/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.checker;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads histories of JSON lines (docs/HISTORY_FORMAT.md). Several files are one history: a session that stands in more
 * than one continues in the order in which the files are given. Not thread-safe.
 */
public final class HistoryReader {
    /** Longest line accepted. */
    public static final int MAX_LINE_BYTES = 1 << 20;

    private final HistoryBuilder builder = History.builder();
    private final JsonFactory json = JsonFactory.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .build();

    private HistoryReader() {}

    /**
     * Reads files as one history.
     *
     * @throws BadHistoryException naming file, line and reason, where a line is not as the format says
     * @throws IOException where a file cannot be opened or read
     */
    public static History read(List<Path> files) throws IOException, BadHistoryException {
        HistoryReader reader = new HistoryReader();
        for (Path file : files) {
            try (InputStream in = Files.newInputStream(file)) {
                reader.readFrom(in, file.toString());
            }
        }
        return reader.finish(files.toString());
    }

    /** Reads one stream as a history; {@code name} stands in messages in place of a file. */
    public static History read(InputStream in, String name) throws IOException, BadHistoryException {
        HistoryReader reader = new HistoryReader();
        reader.readFrom(in, name);
        return reader.finish(name);
    }

    private History finish(String name) throws BadHistoryException {
        if (builder.size() == 0) {
            throw new BadHistoryException(name, 0, "no operations: an empty history proves nothing");
        }
        return builder.build();
    }

    private void readFrom(InputStream in, String name) throws IOException, BadHistoryException {
        int source = builder.source(name);
        LineSource lines = new LineSource(in, name, MAX_LINE_BYTES);
        for (@Nullable String line = lines.next(); line != null; line = lines.next()) {
            if (!line.isBlank()) {
                addLine(line, lines, source, name);
            }
        }
    }

    private void addLine(String line, LineSource lines, int source, String name)
            throws IOException, BadHistoryException {
        try {
            builder.add(OperationParser.parse(json, line), source, lines.line());
        } catch (JsonProcessingException e) {
            String cure = lines.endedByNewline() ? "" : " (the file ends inside this line: was its writer cut off?)";
            throw new BadHistoryException(name, lines.line(), "not a JSON object: " + e.getOriginalMessage() + cure);
        } catch (IllegalArgumentException e) {
            throw new BadHistoryException(name, lines.line(), String.valueOf(e.getMessage()));
        }
    }
}
