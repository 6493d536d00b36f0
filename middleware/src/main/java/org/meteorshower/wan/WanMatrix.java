/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.wan;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * The emulated network: one rule per ordered pair of data centres; and an offset per clock and a pause per disk.
 * Immutable; what is not named is 0 or false.
 *
 * <p>Its written form is lines of {@code key=value}; blank lines and lines that begin with {@code #} or {@code !} are
 * skipped:
 *
 * <pre>
 * delay.FROM.TO=50      one way, milliseconds, 0..600000, decimals allowed
 * jitter.FROM.TO=2.5    at most this much more, milliseconds
 * loss.FROM.TO=0.01     the share that is lost, 0..1
 * cut.FROM.TO=true      nothing gets through
 * clock.NODE=-120000    milliseconds that the clock of this node (a name or an address) is ahead
 * disk.NODE=3           milliseconds that this node's disk takes longer for each write of the journal, 0..60000
 * </pre>
 */
public final class WanMatrix {
    public static final WanMatrix NONE = new WanMatrix(Map.of(), Map.of(), Map.of());

    private static final double MAX_DELAY_MILLIS = 600_000;
    private static final double MAX_CLOCK_MILLIS = 10 * 365 * 86_400_000.0;
    private static final double MAX_DISK_MILLIS = 60_000;

    private final Map<String, Map<String, WanLink>> links;
    private final Map<String, Long> clockOffsetsMicros;
    private final Map<String, Long> diskPausesMicros;

    private WanMatrix(
            Map<String, Map<String, WanLink>> links,
            Map<String, Long> clockOffsetsMicros,
            Map<String, Long> diskPausesMicros) {
        this.links = links;
        this.clockOffsetsMicros = clockOffsetsMicros;
        this.diskPausesMicros = diskPausesMicros;
    }

    /**
     * @throws WanFormatException naming the line and the key, if a line makes no sense; then none of it is to be used
     */
    public static WanMatrix parse(List<String> lines) throws WanFormatException {
        Map<String, Map<String, WanLink>> links = new HashMap<>();
        Map<String, Long> clocks = new HashMap<>();
        Map<String, Long> disks = new HashMap<>();
        Set<String> seen = new HashSet<>();
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i).strip();
            if (!line.isEmpty() && line.charAt(0) != '#' && line.charAt(0) != '!') {
                parseLine(i + 1, line, links, clocks, disks, seen);
            }
        }
        links.values().forEach(row -> row.values().removeIf(WanLink::isOpen));
        return new WanMatrix(links, clocks, disks);
    }

    /** Whether every link is open: messages need not be looked at. */
    boolean isOpen() {
        return links.values().stream().allMatch(Map::isEmpty);
    }

    WanLink link(String fromDc, String toDc) {
        Map<String, WanLink> row = links.get(fromDc);
        return row == null ? WanLink.OPEN : row.getOrDefault(toDc, WanLink.OPEN);
    }

    /** How far ahead a node's clock is to be; 0 if none of its names is in the file, else the first that is. */
    public long clockOffsetMicros(String... nameOrAddress) {
        return first(clockOffsetsMicros, nameOrAddress);
    }

    /** How much longer each write of the journal is to take at a node; 0 if none of its names is in the file. */
    public long diskPauseMicros(String... nameOrAddress) {
        return first(diskPausesMicros, nameOrAddress);
    }

    private static long first(Map<String, Long> micros, String... nameOrAddress) {
        for (String name : nameOrAddress) {
            Long found = micros.get(name);
            if (found != null) {
                return found;
            }
        }
        return 0;
    }

    @Override
    public String toString() {
        return "links " + links + ", clocks " + clockOffsetsMicros + ", disks " + diskPausesMicros;
    }

    private static void parseLine(
            int number,
            String line,
            Map<String, Map<String, WanLink>> links,
            Map<String, Long> clocks,
            Map<String, Long> disks,
            Set<String> seen)
            throws WanFormatException {
        int equals = line.indexOf('=');
        if (equals < 0) {
            throw new WanFormatException(number, line, "has no '='; write key=value");
        }
        String key = line.substring(0, equals).strip();
        String value = line.substring(equals + 1).strip();
        if (!seen.add(key)) {
            throw new WanFormatException(number, key, "is given twice; remove one");
        }
        if (key.startsWith("clock.") && key.length() > "clock.".length()) {
            double millis = number(number, key, value, -MAX_CLOCK_MILLIS, MAX_CLOCK_MILLIS);
            clocks.put(key.substring("clock.".length()), Math.round(millis * 1_000));
            return;
        }
        if (key.startsWith("disk.") && key.length() > "disk.".length()) {
            double millis = number(number, key, value, 0, MAX_DISK_MILLIS);
            disks.put(key.substring("disk.".length()), Math.round(millis * 1_000));
            return;
        }
        parseLink(number, key, value, links);
    }

    private static void parseLink(int number, String key, String value, Map<String, Map<String, WanLink>> links)
            throws WanFormatException {
        String[] parts = key.split("\\.", -1);
        if (parts.length != 3 || parts[1].isEmpty() || parts[2].isEmpty()) {
            throw new WanFormatException(
                    number,
                    key,
                    "is not known; the keys are delay.FROM.TO, jitter.FROM.TO, loss.FROM.TO, cut.FROM.TO, clock.NODE"
                            + " and disk.NODE, where the names of data centres have no dots");
        }
        Map<String, WanLink> row = links.computeIfAbsent(parts[1], from -> new HashMap<>());
        WanLink link = row.getOrDefault(parts[2], WanLink.OPEN);
        row.put(
                parts[2],
                switch (parts[0]) {
                    case "delay" -> link.withDelayNanos(nanos(number(number, key, value, 0, MAX_DELAY_MILLIS)));
                    case "jitter" -> link.withJitterNanos(nanos(number(number, key, value, 0, MAX_DELAY_MILLIS)));
                    case "loss" -> link.withLoss(number(number, key, value, 0, 1));
                    case "cut" -> link.withCut(bool(number, key, value));
                    default ->
                        throw new WanFormatException(
                                number,
                                key,
                                "is not known; it must begin with delay, jitter, loss, cut, clock or disk");
                });
    }

    private static long nanos(double millis) {
        return Math.round(millis * 1_000_000);
    }

    private static double number(int line, String key, String value, double least, double most)
            throws WanFormatException {
        double number;
        try {
            number = Double.parseDouble(value);
        } catch (NumberFormatException e) {
            throw new WanFormatException(line, key, "is no number: '" + value + "'");
        }
        // Written so that NaN is refused too.
        if (!(number >= least && number <= most)) {
            throw new WanFormatException(
                    line, key, String.format(Locale.ROOT, "must be within %.0f..%.0f, but is %s", least, most, value));
        }
        return number;
    }

    private static boolean bool(int line, String key, String value) throws WanFormatException {
        return switch (value) {
            case "true" -> true;
            case "false" -> false;
            default -> throw new WanFormatException(line, key, "must be true or false, but is '" + value + "'");
        };
    }
}
