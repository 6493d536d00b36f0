/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.metrics;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads Prometheus's text format 0.0.4 strictly, by its description and by nothing of the writer's: each family has one
 * HELP and one TYPE before its samples, samples of a family stand together, no series comes twice, histograms add up.
 */
final class Scrape {
    private static final Pattern HEADER = Pattern.compile("# (HELP|TYPE) ([a-zA-Z_:][a-zA-Z0-9_:]*) (.+)");
    private static final Pattern SAMPLE = Pattern.compile("([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\\{(.*)\\})? (\\S+)");
    private static final Pattern LABEL =
            Pattern.compile("([a-zA-Z_][a-zA-Z0-9_]*)=\"((?:[^\"\\\\\\n]|\\\\[\\\\\"n])*)\"(,|$)");

    final Map<String, String> types = new LinkedHashMap<>();
    final Map<String, Double> samples = new LinkedHashMap<>();
    private final Map<String, List<double[]>> buckets = new TreeMap<>();

    static Scrape of(String text) {
        Scrape scrape = new Scrape();
        if (!text.endsWith("\n")) {
            throw new AssertionError("the last line does not end");
        }
        String helped = "";
        String family = "";
        for (String line : text.lines().toList()) {
            Matcher header = HEADER.matcher(line);
            if (line.startsWith("#")) {
                require(header.matches(), line);
                if (header.group(1).equals("HELP")) {
                    helped = header.group(2);
                } else {
                    family = header.group(2);
                    require(family.equals(helped), "TYPE without its HELP: " + line);
                    require(scrape.types.put(family, header.group(3)) == null, "a second time: " + line);
                }
            } else {
                scrape.sample(family, line);
            }
        }
        scrape.buckets.forEach(Scrape::checkBuckets);
        return scrape;
    }

    private void sample(String family, String line) {
        Matcher sample = SAMPLE.matcher(line);
        require(sample.matches(), line);
        String name = sample.group(1);
        Map<String, String> labels = labels(sample.group(2));
        double value = sample.group(3).equals("+Inf") ? Double.POSITIVE_INFINITY : Double.parseDouble(sample.group(3));
        String type = types.get(family);
        if ("histogram".equals(type)) {
            require(name.matches(Pattern.quote(family) + "_(bucket|sum|count)"), line);
        } else {
            require(name.equals(family), "not of the family " + family + ": " + line);
            require(!"counter".equals(type) || (name.endsWith("_total") && value >= 0), line);
        }
        require(samples.put(name + labels, value) == null, "a second time: " + line);
        if (name.endsWith("_bucket")) {
            String bound = labels.remove("le");
            require(bound != null, "no le: " + line);
            buckets.computeIfAbsent(family + labels, key -> new ArrayList<>()).add(new double[] {
                bound.equals("+Inf") ? Double.POSITIVE_INFINITY : Double.parseDouble(bound), value
            });
        } else if (name.endsWith("_count") && "histogram".equals(type)) {
            List<double[]> all = buckets.get(family + labels);
            require(all != null && all.get(all.size() - 1)[1] == value, "the count is not the last bucket: " + line);
        }
    }

    private static Map<String, String> labels(String text) {
        Map<String, String> labels = new TreeMap<>();
        if (text == null) {
            return labels;
        }
        Matcher label = LABEL.matcher(text);
        int at = 0;
        while (at < text.length()) {
            require(label.find(at) && label.start() == at, "labels: " + text);
            require(labels.put(label.group(1), label.group(2)) == null, "a label twice: " + text);
            at = label.end();
        }
        return labels;
    }

    private static void checkBuckets(String series, List<double[]> buckets) {
        for (int i = 1; i < buckets.size(); i++) {
            require(buckets.get(i)[0] > buckets.get(i - 1)[0], series + ": bounds must grow");
            require(buckets.get(i)[1] >= buckets.get(i - 1)[1], series + ": counts are cumulative");
        }
        require(Double.isInfinite(buckets.get(buckets.size() - 1)[0]), series + ": the last bound is +Inf");
    }

    private static void require(boolean so, String line) {
        if (!so) {
            throw new AssertionError(line);
        }
    }
}
