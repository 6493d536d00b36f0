/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.opinion;

/** A checker that is not ours is not to be had here. The message says what is missing, and how to get it. */
final class MissingJudgeException extends Exception {
    private static final long serialVersionUID = 1;

    MissingJudgeException(String message) {
        super(message);
    }
}
