/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.tables;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.schema.TableParams;
import org.apache.cassandra.utils.ByteBufferUtil;
import org.junit.jupiter.api.Test;
import org.meteorshower.cassandra.placement.WriteQuorum;
import org.meteorshower.cassandra.store.TestTables;
import org.meteorshower.cassandra.tables.TableOptions.Ranges;
import org.meteorshower.cassandra.tables.TableOptions.Strict;
import org.meteorshower.fuzzing.Fuzz;
import org.meteorshower.fuzzing.Target;

/** The options in a table's schema, and those that an operator types, are read or refused, and nothing else. */
class TableOptionsFuzzTest {
    private static final List<String> WORDS = List.of(
            "w=",
            "one",
            "majority",
            "ranges=",
            "cassandra",
            "served",
            ",",
            ";",
            "v1,",
            "epoch=",
            "999999999999999999",
            ",moved",
            ",ring=",
            ",strict=home,holders=",
            "+",
            "\u0130",
            "\n");

    private static final List<WriteQuorum> QUORUMS = List.of(WriteQuorum.values());
    private static final List<Ranges> RANGES = List.of(Ranges.values());

    private static TableOptions options(SplittableRandom random) {
        TableEpoch epoch = random.nextBoolean()
                ? TableEpoch.NONE
                : new TableEpoch(random.nextInt(1, 1_000_000), random.nextBoolean(), "r" + random.nextInt());
        WriteQuorum quorum = QUORUMS.get(random.nextInt(QUORUMS.size()));
        Strict strict = quorum != WriteQuorum.ONE && random.nextBoolean() ? Strict.HOME : Strict.CLOCKS;
        Set<String> holders =
                strict == Strict.HOME && random.nextBoolean() ? Set.of("Eu-1", "d" + random.nextInt(9)) : Set.of();
        return new TableOptions(quorum, RANGES.get(random.nextInt(RANGES.size())), strict, holders, epoch);
    }

    private static final class Extensions implements Target {
        @Override
        public Sample sample(SplittableRandom random) {
            TableOptions options = options(random);
            return new Sample(ByteBufferUtil.getArray(options.toExtension()), options);
        }

        @Override
        public TableOptions decode(byte[] input) {
            TableParams params = TestTables.PAIRS
                    .params
                    .unbuild()
                    .extensions(Map.of(TableOptions.EXTENSION, ByteBuffer.wrap(input)))
                    .build();
            TableMetadata table = TestTables.PAIRS.unbuild().params(params).build();
            return TableOptions.of(table);
        }

        @Override
        public boolean declares(Throwable thrown) {
            return thrown instanceof IllegalArgumentException;
        }

        @Override
        public List<String> words() {
            return WORDS;
        }
    }

    private static final class Typed implements Target {
        @Override
        public Sample sample(SplittableRandom random) {
            TableOptions options = options(random);
            return Sample.text(options.toString(), options.in(TableEpoch.NONE));
        }

        @Override
        public TableOptions decode(byte[] input) {
            return TableOptions.parse(new String(input, StandardCharsets.UTF_8));
        }

        @Override
        public boolean declares(Throwable thrown) {
            return thrown instanceof IllegalArgumentException;
        }

        @Override
        public List<String> words() {
            return WORDS;
        }
    }

    @Test
    void theOptionsInASchemaAreReadAsTheyWereWrittenOrRefused() {
        Fuzz.run("options in the schema", new Extensions(), 20_000);
    }

    @Test
    void theOptionsOfAnOperatorAreReadOrRefused() {
        Fuzz.run("options of an operator", new Typed(), 50_000);
    }
}
