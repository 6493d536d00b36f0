/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.cluster;

import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Which peers a node believes to be up and in the ring, read from what it logs from a moment on. Not thread-safe.
 *
 * <p>The log is used because the CQL port shows which peers a node knows, not which it would send a request to. A peer
 * can be up before its place in the ring has come: a keyspace that names its data centre is refused until then.
 */
final class GossipLog {
    private static final Pattern CHANGE = Pattern.compile(
            "InetAddress [^ /]*/([0-9.]+):\\d+ is now (UP|DOWN)|Node [^ /]*/([0-9.]+):\\d+ state NORMAL, token");

    private final FreshLines log;
    private final Set<String> up = new HashSet<>();
    private final Set<String> inRing = new HashSet<>();

    /** Follows the log from its present end. */
    GossipLog(Path log) {
        this.log = new FreshLines(log);
    }

    /** Addresses in the ring whose last change since the start was to be up. */
    Set<String> peersUp() {
        String fresh = log.readOn();
        Matcher matcher = CHANGE.matcher(fresh);
        while (matcher.find()) {
            if (matcher.group(3) != null) {
                inRing.add(matcher.group(3));
            } else if ("UP".equals(matcher.group(2))) {
                up.add(matcher.group(1));
            } else {
                up.remove(matcher.group(1));
            }
        }
        Set<String> both = new HashSet<>(up);
        both.retainAll(inRing);
        return both;
    }
}
