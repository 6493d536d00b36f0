/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.cluster;

import java.math.BigDecimal;
import java.util.Map;
import java.util.TreeMap;

/**
 * The emulated wide-area network: what happens to a message from one data centre to another. Immutable; each change
 * gives a new matrix. What is not set is 0 or false.
 *
 * <p>Its written form, which the nodes read, is a properties file: {@code delay.FROM.TO} and {@code jitter.FROM.TO} in
 * milliseconds one way, {@code loss.FROM.TO} as a fraction 0..1, {@code cut.FROM.TO=true}, {@code clock.NODE} in
 * milliseconds that the node's clock is ahead, {@code disk.NODE} in milliseconds that each write of its journal takes
 * longer.
 */
public final class WanMatrix {
    public static final WanMatrix EMPTY = new WanMatrix(new TreeMap<>());

    private final Map<String, String> settings;

    private WanMatrix(Map<String, String> settings) {
        this.settings = settings;
    }

    static WanMatrix of(Map<String, String> settings) {
        return new WanMatrix(new TreeMap<>(settings));
    }

    /** The network of a new cluster. */
    static WanMatrix of(ClusterOptions options) {
        WanMatrix matrix = EMPTY;
        for (DelayList.Pair pair : DelayList.pairs(options.dcs(), options.delaysMillis())) {
            matrix = matrix.withLink(
                            pair.a(), pair.b(), pair.delayMillis(), options.jitterMillis(), options.lossFraction())
                    .withLink(pair.b(), pair.a(), pair.delayMillis(), options.jitterMillis(), options.lossFraction());
        }
        return matrix;
    }

    public WanMatrix withLink(String from, String to, double delayMillis, double jitterMillis, double lossFraction) {
        return with(key("delay", from, to), delayMillis)
                .with(key("jitter", from, to), jitterMillis)
                .with(key("loss", from, to), lossFraction);
    }

    public WanMatrix withCut(String from, String to, boolean cut) {
        TreeMap<String, String> changed = new TreeMap<>(settings);
        if (cut) {
            changed.put(key("cut", from, to), "true");
        } else {
            changed.remove(key("cut", from, to));
        }
        return new WanMatrix(changed);
    }

    /** Joins what was cut. Delays, loss and clocks stay. */
    public WanMatrix withoutCuts() {
        TreeMap<String, String> changed = new TreeMap<>(settings);
        changed.keySet().removeIf(k -> k.startsWith("cut."));
        return new WanMatrix(changed);
    }

    public WanMatrix withClock(String node, double offsetMillis) {
        return with("clock." + node, offsetMillis);
    }

    public WanMatrix withDisk(String node, double pauseMillis) {
        return with("disk." + node, pauseMillis);
    }

    public double delayMillis(String from, String to) {
        return number(key("delay", from, to));
    }

    public double jitterMillis(String from, String to) {
        return number(key("jitter", from, to));
    }

    public double lossFraction(String from, String to) {
        return number(key("loss", from, to));
    }

    public boolean isCut(String from, String to) {
        return "true".equals(settings.get(key("cut", from, to)));
    }

    public double clockMillis(String node) {
        return number("clock." + node);
    }

    public double diskMillis(String node) {
        return number("disk." + node);
    }

    /** The settings as they are written, sorted by key. */
    Map<String, String> settings() {
        return new TreeMap<>(settings);
    }

    private WanMatrix with(String key, double value) {
        TreeMap<String, String> changed = new TreeMap<>(settings);
        if (value == 0) {
            changed.remove(key);
        } else {
            changed.put(key, plain(value));
        }
        return new WanMatrix(changed);
    }

    private double number(String key) {
        return Double.parseDouble(settings.getOrDefault(key, "0"));
    }

    private static String key(String what, String from, String to) {
        return what + "." + from + "." + to;
    }

    /** 50 and 0.001, never 50.0 or 1.0E-3. */
    static String plain(double value) {
        return BigDecimal.valueOf(value).stripTrailingZeros().toPlainString();
    }
}
