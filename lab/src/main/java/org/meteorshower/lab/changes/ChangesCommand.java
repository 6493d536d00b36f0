/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.changes;

import com.datastax.oss.driver.api.core.DriverException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.meteorshower.client.changes.ChangePosition;
import org.meteorshower.client.changes.ChangeStream;
import org.meteorshower.client.changes.ChangesGoneException;
import org.meteorshower.client.changes.ChangesOffException;
import org.meteorshower.lab.arguments.ClusterPlace;
import org.meteorshower.lab.arguments.ContactArguments;
import org.meteorshower.lab.arguments.ExitCodes;
import org.meteorshower.lab.cluster.ClusterException;
import org.meteorshower.lab.top.Unreachable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code meteor changes}. */
@Command(
        name = "changes",
        mixinStandardHelpOptions = true,
        description = {
            "Print what transactions have changed, in their one order: a line of JSON for each transaction, with each row"
                    + " as it was after it, null where it was deleted.",
            "At its end, where to go on is told on the standard error stream.",
            "Without --contact: the cluster that ./meteor cluster started. The nodes need transactions.changes_disk_mb.",
            "The exit code is 0; 3 where there is no cluster; 4 where what was asked for is gone."
        },
        footer = {
            "",
            "Examples:",
            "  ./meteor changes",
            "  ./meteor changes --follow --table shop.accounts",
            "  ./meteor changes --from 1234.2 --most 100 --dc us",
            "  CQL_PASSWORD=… ./meteor changes --contact 10.0.0.1 --user indexer --follow --until --from oldest"
        })
public final class ChangesCommand implements Callable<Integer> {
    /** The exit code where what was asked for is not there any more, or never was. */
    static final int GONE = 4;

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    @Mixin
    private ClusterPlace place = new ClusterPlace();

    @Mixin
    private ContactArguments contact = new ContactArguments();

    @Option(
            names = "--dc",
            paramLabel = "NAME",
            description = "the data centre whose stream is read (default: the first, or that of --contact)")
    private @Nullable String dc;

    @Option(
            names = "--group",
            paramLabel = "N",
            description = "of which group of data centres, by number; a message names them where there are several"
                    + " (default: that of all, or the only one)")
    private @Nullable Integer group;

    @Option(
            names = "--from",
            paramLabel = "POSITION",
            description = "the first to be printed: a position such as 123 or 123.4, oldest, or now (default: now with"
                    + " --follow, else oldest)")
    private @Nullable String from;

    @Option(names = "--follow", description = "go on with what is committed from now on, until Ctrl-C")
    private boolean follow;

    @Option(
            names = "--table",
            paramLabel = "KS.TABLE",
            description = "only rows of this table, and transactions that have some; may be repeated")
    private List<String> tables = new ArrayList<>();

    @Option(names = "--most", paramLabel = "N", description = "stop after so many transactions")
    private long most = Long.MAX_VALUE;

    @Option(
            names = "--until",
            description = "with --follow: whenever a second passes with nothing to print, a line with the position"
                    + " before which all has been printed")
    private boolean until;

    private final PrintWriter out;
    private final PrintWriter err;
    private final Connecting connecting;

    public ChangesCommand(PrintWriter out, PrintWriter err) {
        this(out, err, StreamConnection::open);
    }

    ChangesCommand(PrintWriter out, PrintWriter err, Connecting connecting) {
        this.out = out;
        this.err = err;
        this.connecting = connecting;
    }

    /** Finds the stream that is meant. */
    @FunctionalInterface
    interface Connecting {
        StreamConnection to(ClusterPlace place, ContactArguments contact, @Nullable String dc, @Nullable Integer group);
    }

    @Override
    public Integer call() throws InterruptedException {
        check();
        try (StreamConnection connection = connecting.to(place, contact, dc, group)) {
            err.println("go on with --from " + print(connection.stream()));
            return ExitCodes.OK;
        } catch (ChangesGoneException e) {
            err.println(e.getMessage() + " (--from " + e.oldest() + "; --dc names another data centre)");
            return GONE;
        } catch (ChangesOffException e) {
            throw new ClusterException(String.valueOf(e.getMessage()), e);
        } catch (DriverException e) {
            throw new ClusterException("the change stream cannot be read: " + Unreachable.why(e), e);
        }
    }

    private void check() {
        if (most < 1) {
            throw new IllegalArgumentException("--most must be at least 1, not " + most);
        }
        if (group != null && group < 0) {
            throw new IllegalArgumentException("--group must be a number from 0, not " + group);
        }
        if (until && !follow) {
            throw new IllegalArgumentException("--until is for --follow");
        }
        for (String table : tables) {
            if (!table.matches("[^.]+\\.[^.]+")) {
                throw new IllegalArgumentException(
                        "--table '" + table + "' is no table: give its keyspace too, as in shop.accounts");
            }
        }
        if (from != null && !from.equals("oldest") && !from.equals("now")) {
            ChangePosition.parse(from);
        }
    }

    /** Where to go on. */
    private ChangePosition print(ChangeStream stream) throws InterruptedException {
        ChangePosition end = stream.end();
        ChangePrinter printer =
                new ChangePrinter(new PatientReading(stream, PATIENCE), out, Set.copyOf(tables), most, until);
        ChangePosition start = start(stream, end);
        return follow ? printer.follow(start) : printer.printUpTo(end, start);
    }

    private ChangePosition start(ChangeStream stream, ChangePosition end) {
        String asked = from == null ? (follow ? "now" : "oldest") : from;
        return switch (asked) {
            case "oldest" -> stream.oldest();
            case "now" -> end;
            default -> ChangePosition.parse(asked);
        };
    }
}
