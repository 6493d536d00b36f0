/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.log;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a process says of {@link Formats}: which it knows, and which its data centre's log is in.
 *
 * @param used one of those that are known
 */
public record FormatUse(Formats known, int used) {
    /** Of a process that says nothing. */
    public static final FormatUse UNSAID = new FormatUse(new Formats(Formats.FIRST, Formats.FIRST), Formats.FIRST);

    public FormatUse {
        if (!known.know(used)) {
            throw new IllegalArgumentException("format " + used + " is used, and " + known + " known");
        }
    }

    /**
     * Whether each knows what the other one uses. They need not use the same: the order says from where on another one
     * counts.
     */
    public boolean fits(FormatUse theirs) {
        return known.know(theirs.used) && theirs.known.know(used);
    }

    /**
     * The format that a data centre that says this is to go on to, where somebody wants it there or another one is
     * ahead: the next one, once all know it and use at least the one before it. So whoever uses a format knows that all
     * others can read it, and who uses the one after it, that all others have noted that they can.
     *
     * @param all what each data centre has said lately, its own among it; null of one that has said nothing
     * @param wanted whether somebody asks for what only a later format has
     * @return 0 where there is nothing to go on to
     */
    public int next(List<@Nullable FormatUse> all, boolean wanted) {
        int next = used + 1;
        boolean isAsked = wanted;
        for (FormatUse theirs : all) {
            if (theirs == null || !theirs.known.know(next) || !theirs.hasNoted(used)) {
                return 0;
            }
            isAsked |= theirs.used > used;
        }
        return isAsked && known.know(next) ? next : 0;
    }

    /** Whether it has noted, durably, that it reads the format. */
    private boolean hasNoted(int format) {
        return used >= format;
    }

    @Override
    public String toString() {
        return "knows " + known + " and uses " + used;
    }
}
