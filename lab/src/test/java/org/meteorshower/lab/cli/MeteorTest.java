/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class MeteorTest {
    private static final String GOOD = """
            {"session":"a","op":"write","key":"k","value":"1","start_ns":1,"end_ns":2,"status":"ok"}
            {"session":"a","op":"read","key":"k","value":"1","start_ns":3,"end_ns":4,"status":"ok"}
            """;
    private static final String BAD = """
            {"session":"a","op":"write","key":"k","value":"1","start_ns":1,"end_ns":2,"status":"ok"}
            {"session":"a","op":"read","key":"k","value":null,"start_ns":3,"end_ns":4,"status":"ok"}
            """;

    @TempDir
    private Path folder;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @Test
    void everyCommandExplainsItselfWithAnExample() {
        for (String command : List.of(
                "",
                "demo",
                "cluster",
                "cluster start",
                "cluster stop",
                "cluster status",
                "cluster logs",
                "cluster kill",
                "cluster pause",
                "cluster resume",
                "cluster restart",
                "cluster add",
                "cluster remove",
                "cluster replace",
                "cluster rf",
                "cluster wan",
                "cluster wan set",
                "cluster wan cut",
                "cluster wan heal",
                "cluster wan clock",
                "check",
                "simulate",
                "top",
                "changes",
                "torture",
                "torture transactions",
                "ycsb")) {
            out.getBuffer().setLength(0);
            assertThat(run((command + " --help").strip().split(" "))).isZero();
            assertThat(out.toString()).as(command).contains("Usage: meteor", "Example", "./meteor");
        }
    }

    @Test
    void wrongArgumentsEndWithCode2AndSayWhatIsRight() {
        assertThat(run("cluster", "start", "--delay", "soon")).isEqualTo(2);
        assertThat(err.toString()).contains("'soon' is no delay");
        assertThat(run("demo", "--seconds", "1")).isEqualTo(2);
        assertThat(run("demo", "--modes", "fast")).isEqualTo(2);
        assertThat(run("demo", "--json", folder.resolve("none/out.json").toString()))
                .isEqualTo(2);
        assertThat(err.toString()).contains("--seconds must be", "no mode is called 'fast'", "its folder must exist");
        assertThat(run("torture", "--faults", "flood")).isEqualTo(2);
        assertThat(run("torture", "--faults")).isEqualTo(2);
        assertThat(run("torture", "--faults", "--minutes", "1")).isEqualTo(2);
        assertThat(err.toString()).contains("--faults takes one or more of these", "  decommission ", "  outage ");
        assertThat(run("torture", "--minutes", "0")).isEqualTo(2);
        assertThat(run("torture", "transactions", "--faults", "disable")).isEqualTo(2);
        assertThat(run("torture", "transactions", "--rows", "2")).isEqualTo(2);
        assertThat(err.toString()).contains("no fault is called 'disable'; there are kill", "--rows must be");
        assertThat(err.toString()).contains("no fault is called 'flood'; there are kill", "--minutes must be");
        assertThat(run("top", "--interval", "0")).isEqualTo(2);
        assertThat(run("top", "--contact", "10.0.0.1:port")).isEqualTo(2);
        assertThat(err.toString()).contains("--interval must be", "'10.0.0.1:port' is no node");
        assertThat(run("clster")).isEqualTo(2);
        assertThat(err.toString()).contains("Did you mean: meteor cluster");
        assertThat(run("cluster", "status", "--name", "../x")).isEqualTo(2);
        assertThat(run("cluster", "add")).isEqualTo(2);
        assertThat(run("cluster", "rf", "eu", "many")).isEqualTo(2);
        assertThat(run("cluster", "add", "eu", "--timeout", "0")).isEqualTo(2);
        assertThat(err.toString()).contains("Missing required parameter", "'many' is not an int", "--timeout must be");
    }

    @Test
    void withoutAClusterTheCodeIs3() {
        for (String command : List.of(
                "status",
                "stop",
                "wan",
                "kill eu-1",
                "logs eu-1",
                "wan heal",
                "add eu",
                "remove eu-1",
                "replace eu-1",
                "rf eu 2")) {
            String[] args = ("cluster " + command + " --dir " + folder.resolve("none")).split(" ");
            assertThat(run(args)).as(command).isEqualTo(3);
        }
        assertThat(run("changes", "--dir", folder.resolve("none").toString())).isEqualTo(3);
        assertThat(err.toString()).contains("no cluster in");
    }

    @Test
    void aModelToGoOnFromMustBeOne() {
        assertThat(run("prove", "--from", "nonsense")).isEqualTo(2);
        assertThat(err.toString()).contains("no model is called nonsense; there are ");
        assertThat(run("prove", "--from", "order", "--model", "order")).isEqualTo(2);
    }

    @Test
    void aClusterMayBeNamedBeforeAChangeOfItsNetworkToo() {
        Path none = folder.resolve("none-of-this-name");
        assertThat(run("cluster", "wan", "--dir", none.toString(), "heal")).isEqualTo(3);
        assertThat(err.toString()).contains("none-of-this-name");
    }

    @Test
    void theCheckersVerdictIsTheExitCode() throws Exception {
        String good = file("good.jsonl", GOOD);
        String bad = file("bad.jsonl", BAD);
        String broken = file("broken.jsonl", "{\"session\":");
        assertThat(run("check", good)).isZero();
        assertThat(run("check", "--model", "linearizable", good)).isZero();
        assertThat(run("check", good, bad)).isEqualTo(1);
        assertThat(run("check", bad, broken)).isEqualTo(2);
        assertThat(err.toString()).contains("broken.jsonl:1");
        assertThat(run("check", "--model", "strongest", good)).isEqualTo(2);
        assertThat(run("check", folder.resolve("none").toString())).isEqualTo(2);
    }

    private String file(String name, String content) throws Exception {
        return Files.writeString(folder.resolve(name), content).toString();
    }

    private int run(String... args) {
        return Meteor.run(new PrintWriter(out, true), new PrintWriter(err, true), args);
    }
}
