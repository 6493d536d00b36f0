/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.transactions.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.meteorshower.fuzzing.Fuzz;
import org.meteorshower.fuzzing.Target;
import org.meteorshower.transactions.codec.BadDataException;
import org.meteorshower.transactions.log.FormatUse;
import org.meteorshower.transactions.log.Formats;

/** A parcel is read as it was written or refused, in each version. */
final class ParcelFuzzTest {
    private static final class Parcels implements Target {
        private final int version;

        Parcels(int version) {
            this.version = version;
        }

        @Override
        public Sample sample(SplittableRandom random) {
            long life = random.nextLong(1L << 31);
            int oldest = random.nextInt(1, 9);
            FormatUse use = new FormatUse(new Formats(oldest, oldest + random.nextInt(3)), oldest);
            byte[] message = new byte[random.nextInt(20)];
            random.nextBytes(message);
            Parcel.Packed packed =
                    switch (random.nextInt(version < Parcel.STATES_FORMATS ? 2 : 4)) {
                        case 0 -> Parcel.announcement(life, use, version);
                        case 1 -> Parcel.contents(life, random.nextLong(1 << 20), List.of(message, new byte[1]), 1);
                        case 2 -> version >= Parcel.WISHES ? Parcel.wish() : Parcel.candidacy();
                        default -> Parcel.farewell(life);
                    };
            try {
                return new Sample(packed.bytes(), view(Parcel.decode(packed.bytes(), version)));
            } catch (BadDataException e) {
                throw new AssertionError(e);
            }
        }

        @Override
        public Object decode(byte[] input) throws BadDataException {
            return Parcel.decode(input, version);
        }

        @Override
        public Object view(Object decoded) {
            return decoded instanceof Parcel.Contents contents
                    ? contents.life() + " " + contents.number() + " "
                            + Arrays.deepToString(contents.messages().toArray())
                    : decoded.toString();
        }

        @Override
        public boolean declares(Throwable thrown) {
            return thrown instanceof BadDataException;
        }
    }

    @Test
    void damagedParcelsAreReadOrRefused() {
        for (int version : new int[] {1, 2, 3, Parcel.WISHES}) {
            assertThat(Fuzz.run("parcels of version " + version, new Parcels(version), 20_000)
                            .refused())
                    .isPositive();
        }
    }
}
