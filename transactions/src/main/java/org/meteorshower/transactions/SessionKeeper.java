/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.meteorshower.transactions.log.Request;
import org.meteorshower.transactions.log.SessionId;
import org.meteorshower.transactions.log.Version;
import org.meteorshower.transactions.merge.Merged;
import org.meteorshower.transactions.port.Members;
import org.meteorshower.transactions.port.Settings;
import org.meteorshower.transactions.port.Turn;

/**
 * Proposes the end of sessions that have not been used for long. A session's data centre does so first, the others
 * later. Only the proposal hangs on a clock: whether the session ends is agreed, and it does not where it was used
 * meanwhile.
 */
final class SessionKeeper {
    private static final long LOOK_EVERY_MICROS = 1_000_000;

    /** Of those beyond it the longest unused ones end early. */
    private static final int MOST_SESSIONS = 50_000;

    private static final class Use {
        private long version;
        private long micros;
    }

    private final Members members;
    private final Settings settings;
    private final Turn turn;
    private final Submissions submissions;
    /** The longest unused first. */
    private final Map<SessionId, Use> uses = new LinkedHashMap<>(16, 0.75f, true);

    private long lookedMicros;

    SessionKeeper(Members members, Settings settings, Turn turn, Submissions submissions) {
        this.members = members;
        this.settings = settings;
        this.turn = turn;
        this.submissions = submissions;
    }

    void executed(Merged merged, int index, Request request) {
        long version = Version.of(merged.number(), index);
        request.accept(new UsedBy(merged, index)).ifPresent(session -> used(session, version));
    }

    /** The session that a request has used or opened; empty where that is none, or none any more. */
    private final class UsedBy implements Request.Visitor<Optional<SessionId>> {
        private final Merged merged;
        private final int index;

        UsedBy(Merged merged, int index) {
            this.merged = merged;
            this.index = index;
        }

        @Override
        public Optional<SessionId> on(Request.Open open) {
            return Optional.of(new SessionId(merged.lane(), merged.position(), index));
        }

        @Override
        public Optional<SessionId> on(Request.Run run) {
            return Optional.of(run.session());
        }

        @Override
        public Optional<SessionId> on(Request.Once once) {
            return Optional.empty();
        }

        @Override
        public Optional<SessionId> on(Request.Read read) {
            return Optional.empty();
        }

        @Override
        public Optional<SessionId> on(Request.Resolve resolve) {
            return Optional.of(resolve.session());
        }

        @Override
        public Optional<SessionId> on(Request.Expire expire) {
            Use use = uses.get(expire.session());
            if (use != null && use.version <= expire.lastUsedVersion()) {
                uses.remove(expire.session());
            }
            return Optional.empty();
        }

        @Override
        public Optional<SessionId> on(Request.ExpireRows expire) {
            return Optional.empty();
        }
    }

    private void used(SessionId session, long version) {
        Use use = uses.computeIfAbsent(session, s -> new Use());
        use.version = Math.max(use.version, version);
        use.micros = turn.micros();
    }

    void tick() {
        if (turn.micros() - lookedMicros < LOOK_EVERY_MICROS) {
            return;
        }
        lookedMicros = turn.micros();
        int tooMany = uses.size() - MOST_SESSIONS;
        for (Map.Entry<SessionId, Use> use : List.copyOf(uses.entrySet())) {
            long unusedMicros = turn.micros() - use.getValue().micros;
            if (tooMany-- <= 0 && unusedMicros <= patienceMicros(use.getKey())) {
                continue;
            }
            use.getValue().micros = turn.micros();
            submissions.submit(new Request.Expire(use.getKey(), use.getValue().version));
        }
    }

    private long patienceMicros(SessionId session) {
        return session.lane() == members.self() ? settings.sessionIdleMicros() : 2 * settings.sessionIdleMicros();
    }
}
