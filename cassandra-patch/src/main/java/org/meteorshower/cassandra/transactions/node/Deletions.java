/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.transactions.node;

import java.nio.ByteBuffer;
import org.apache.cassandra.db.BufferClusteringBound;
import org.apache.cassandra.db.ClusteringBound;
import org.apache.cassandra.db.ClusteringPrefix;
import org.apache.cassandra.db.DeletionTime;
import org.apache.cassandra.db.RangeTombstone;
import org.apache.cassandra.db.Slice;
import org.apache.cassandra.db.marshal.Int32Type;
import org.apache.cassandra.db.marshal.LongType;
import org.apache.cassandra.db.marshal.UTF8Type;
import org.apache.cassandra.utils.FBUtilities;

/** Deletions of what nobody reads any more, whatever comes late. Stateless. */
final class Deletions {
    /** Above all that is written otherwise. */
    static final long TIMESTAMP = Long.MAX_VALUE / 2;

    private Deletions() {}

    /** All versions of a row from one on and below another. They are kept in descending order. */
    static RangeTombstone versions(long from, long below) {
        return of(
                bound(ClusteringPrefix.Kind.EXCL_START_BOUND, LongType.instance.decompose(below)),
                bound(ClusteringPrefix.Kind.INCL_END_BOUND, LongType.instance.decompose(from)));
    }

    /** What is below a number, of a lane. */
    static RangeTombstone ofLane(int lane, long below) {
        ByteBuffer prefix = Int32Type.instance.decompose(lane);
        return of(
                bound(ClusteringPrefix.Kind.INCL_START_BOUND, prefix),
                bound(ClusteringPrefix.Kind.EXCL_END_BOUND, prefix.duplicate(), LongType.instance.decompose(below)));
    }

    /** What is below a number. */
    static RangeTombstone below(long number) {
        return of(
                ClusteringBound.BOTTOM,
                bound(ClusteringPrefix.Kind.EXCL_END_BOUND, LongType.instance.decompose(number)));
    }

    /** The row of a name, as it was up to a timestamp. */
    static RangeTombstone row(String name, long timestamp) {
        ByteBuffer value = UTF8Type.instance.decompose(name);
        return new RangeTombstone(
                Slice.make(
                        bound(ClusteringPrefix.Kind.INCL_START_BOUND, value),
                        bound(ClusteringPrefix.Kind.INCL_END_BOUND, value.duplicate())),
                DeletionTime.build(timestamp, FBUtilities.nowInSeconds()));
    }

    private static ClusteringBound<?> bound(ClusteringPrefix.Kind kind, ByteBuffer... values) {
        return BufferClusteringBound.create(kind, values);
    }

    private static RangeTombstone of(ClusteringBound<?> start, ClusteringBound<?> end) {
        return new RangeTombstone(Slice.make(start, end), DeletionTime.build(TIMESTAMP, FBUtilities.nowInSeconds()));
    }
}
