/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.client.changes;

/**
 * The data centre has not, or has no longer, what was asked for: it was deleted to make room, or the data centre was
 * away for so long that it took a snapshot instead. Go on at another data centre, whose stream may still hold it, with
 * the same position. Or go on at {@link #oldest()}, and then read the tables anew: what was between is not told.
 */
public final class ChangesGoneException extends RuntimeException {

    private final transient ChangePosition asked;
    private final transient ChangePosition oldest;

    /**
     * @param asked where a reader wanted to go on
     * @param oldest from where on there is everything
     */
    public ChangesGoneException(ChangePosition asked, ChangePosition oldest) {
        super("What was changed from position " + asked + " on is gone here; the oldest position is " + oldest
                + ". Go on at another data centre, which may still have it, or at " + oldest
                + " and read the tables anew");
        this.asked = asked;
        this.oldest = oldest;
    }

    /** What the reader has asked for. */
    public ChangePosition asked() {
        return asked;
    }

    /** The oldest position that could be read when it was asked; it moves on. */
    public ChangePosition oldest() {
        return oldest;
    }
}
