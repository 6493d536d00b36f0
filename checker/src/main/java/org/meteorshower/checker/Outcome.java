/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.checker;

/** How a check ends, with the exit status of the command line. */
public enum Outcome {
    /** An order exists that the model asks for. */
    CONSISTENT(0),
    /** No such order exists; the verdict carries a counterexample. */
    VIOLATION(1),
    /** The history could not be read, see {@link BadHistoryException}. No verdict ever has this outcome. */
    BAD_INPUT(2),
    /** Neither proved nor refuted within the limits; the verdict says why. */
    UNDECIDED(3);

    private final int exitStatus;

    Outcome(int exitStatus) {
        this.exitStatus = exitStatus;
    }

    /** Exit status of a process that ends with this outcome, 0 to 3. */
    public int exitStatus() {
        return exitStatus;
    }

    /** The outcome that a run over several histories should report: a violation outweighs what is undecided. */
    public Outcome worst(Outcome other) {
        return severity() >= other.severity() ? this : other;
    }

    private int severity() {
        return switch (this) {
            case CONSISTENT -> 0;
            case UNDECIDED -> 1;
            case VIOLATION -> 2;
            case BAD_INPUT -> 3;
        };
    }
}
