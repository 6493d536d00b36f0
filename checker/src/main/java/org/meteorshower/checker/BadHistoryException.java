/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.checker;

/** A recorded history that cannot be checked. The message names file, line and reason. */
public final class BadHistoryException extends Exception {
    private static final long serialVersionUID = 1L;

    private final String file;
    private final int line;
    private final String reason;

    /** @param line first line is 1; 0 where the whole file is meant */
    public BadHistoryException(String file, int line, String reason) {
        super(line > 0 ? file + ":" + line + ": " + reason : file + ": " + reason);
        this.file = file;
        this.line = line;
        this.reason = reason;
    }

    /** The file as it was named to the reader. */
    public String file() {
        return file;
    }

    /** Line number from 1, or 0 where the whole file is meant. */
    public int line() {
        return line;
    }

    /** What is wrong and what would be right. */
    public String reason() {
        return reason;
    }
}
