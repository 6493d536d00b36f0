/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.top;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.yaml.snakeyaml.Yaml;

/**
 * Alerts and dashboard speak of metrics that there are, the runbook of the alerts that there are, and each alert is
 * tried.
 */
final class MonitoringFilesTest {
    private static final Path DOCKER = Path.of("..", "docker");
    private static final Path DOCS = Path.of("..", "docs");
    private static final Pattern DOCUMENTED = Pattern.compile("(?m)^\\| `(meteorshower_[a-z_]+)` \\|([^|]*)\\|");
    private static final Pattern METRIC = Pattern.compile("\\bmeteorshower_[a-z_]+\\b");
    private static final Pattern RUNBOOK = Pattern.compile("(?m)^\\| [^|`]+ \\| `([^`]+)` \\|$");

    @Test
    void alertsAndDashboardAskForMetricsThatThereAre() throws IOException {
        Set<String> documented = new HashSet<>();
        Matcher row = DOCUMENTED.matcher(Files.readString(DOCS.resolve("METRICS.md")));
        while (row.find()) {
            documented.add(row.group(1));
        }
        List<String> asked = new ArrayList<>(alerts().values());
        asked.addAll(queriesOfDashboard());
        assertThat(asked).hasSizeGreaterThan(30);
        for (String query : asked) {
            Matcher metric = METRIC.matcher(query);
            while (metric.find()) {
                assertThat(documented).as(query).contains(metric.group().replaceFirst("_bucket$", ""));
            }
        }
    }

    @Test
    void theRunbookNamesEveryAlertAndNoOther() throws IOException {
        Set<String> told = new TreeSet<>();
        Matcher row = RUNBOOK.matcher(Files.readString(DOCS.resolve("OPERATE.md")));
        while (row.find()) {
            told.add(row.group(1));
        }
        assertThat(told).isEqualTo(new TreeSet<>(alerts().values()));
    }

    @Test
    void everyAlertIsSeenToFireAndNotTo() throws IOException {
        Set<String> fires = new TreeSet<>();
        Set<String> keepsQuiet = new TreeSet<>();
        for (Object test : list(yaml("prometheus-rules-test.yml").get("tests"))) {
            for (Object of : list(map(test).get("alert_rule_test"))) {
                Set<String> seen = map(of).get("exp_alerts") == null ? keepsQuiet : fires;
                seen.add(String.valueOf(map(of).get("alertname")));
            }
        }
        assertThat(fires).isEqualTo(alerts().keySet());
        assertThat(keepsQuiet).isEqualTo(alerts().keySet());
    }

    @Test
    void prometheusFindsTheAlertsAsTheirTestsSay() throws Exception {
        assumeTrue(
                isThere("promtool"),
                "promtool, which comes with Prometheus, is not installed: the alerts are not tried");
        Process promtool = new ProcessBuilder("promtool", "test", "rules", "prometheus-rules-test.yml")
                .directory(DOCKER.toFile())
                .redirectErrorStream(true)
                .start();
        promtool.getOutputStream().close();
        String said = new String(promtool.getInputStream().readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
        assertThat(promtool.waitFor(1, TimeUnit.MINUTES)).isTrue();
        assertThat(promtool.exitValue()).as(said).isZero();
    }

    private static boolean isThere(String program) {
        for (String folder : System.getenv().getOrDefault("PATH", "").split(java.io.File.pathSeparator)) {
            if (!folder.isEmpty() && Files.isExecutable(Path.of(folder, program))) {
                return true;
            }
        }
        return false;
    }

    /** What each alert asks, by its name. */
    private static Map<String, String> alerts() throws IOException {
        Map<String, String> alerts = new TreeMap<>();
        for (Object group : list(yaml("prometheus-rules.yml").get("groups"))) {
            for (Object rule : list(map(group).get("rules"))) {
                alerts.put(
                        String.valueOf(map(rule).get("alert")),
                        String.valueOf(map(rule).get("expr")));
            }
        }
        return alerts;
    }

    private static List<String> queriesOfDashboard() throws IOException {
        JsonNode dashboard = new ObjectMapper()
                .readTree(DOCKER.resolve("grafana/dashboards/meteorshower.json").toFile());
        List<String> queries = new ArrayList<>();
        dashboard.findValues("expr").forEach(query -> queries.add(query.asText()));
        return queries;
    }

    private static Map<?, ?> yaml(String file) throws IOException {
        return map(new Yaml().load(Files.readString(DOCKER.resolve(file))));
    }

    private static Map<?, ?> map(Object node) {
        return (Map<?, ?>) node;
    }

    private static List<?> list(Object node) {
        return (List<?>) node;
    }
}
