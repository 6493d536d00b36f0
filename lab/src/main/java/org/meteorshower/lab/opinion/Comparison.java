/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.opinion;

import org.meteorshower.lab.opinion.Answer.Opinion;

/** What two checkers say of the same property of the same history. */
record Comparison(String property, Answer ours, Answer theirs) {
    boolean isOpen() {
        return ours.is(Opinion.OPEN) || theirs.is(Opinion.OPEN);
    }

    boolean differs() {
        return !isOpen() && ours.opinion() != theirs.opinion();
    }
}
