/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.prove;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Which of a specification's behaviours are looked through. Each is one of the specification: a counterexample is real.
 *
 * @param beginning the first steps, as the specification names them; then it is free
 * @param depth how many states a behaviour has at most, the first one and those of the beginning counted; 0: any number
 */
record Bounds(List<String> beginning, int depth) {
    static final String MODULE = "Bounded";
    static final Bounds NONE = new Bounds(List.of(), 0);

    boolean areAny() {
        return !equals(NONE);
    }

    /**
     * Extends the specification. Of its own it has a number of the next step, which stands still after the beginning.
     */
    String module(String specification) {
        return "---- MODULE " + MODULE + " ----\n"
                + "EXTENDS " + specification + ", TLC\n"
                + "VARIABLE boundedStep\n"
                + "BoundedBeginning ==\n  \\/ FALSE" + steps() + "\n"
                + "BoundedNext ==\n"
                + (depth == 0 ? "" : "  /\\ TLCGet(\"level\") < " + depth + "\n")
                + "  /\\ IF boundedStep > " + beginning.size() + " THEN Next /\\ UNCHANGED boundedStep\n"
                + "     ELSE BoundedBeginning /\\ boundedStep' = boundedStep + 1\n"
                + "BoundedSpec == Init /\\ boundedStep = 1 /\\ [][BoundedNext]_<<vars, boundedStep>>\n"
                + "====\n";
    }

    private String steps() {
        return IntStream.range(0, beginning.size())
                .mapToObj(each -> "\n  \\/ boundedStep = " + (each + 1) + " /\\ " + beginning.get(each))
                .collect(Collectors.joining());
    }
}
