/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.meteorshower.transactions.language.Bytes;

class DataOutTest {
    private static DataOut everything(DataOut out) {
        return out.u8(200)
                .bool(true)
                .varint(300)
                .varint(-1)
                .signed(-5)
                .fixed64(Long.MIN_VALUE)
                .fixed32(-7)
                .raw(new byte[20])
                .sized(new byte[200])
                .sized(Bytes.copyOf(new byte[] {1, 2, 3}))
                .text("Zürich 🌠");
    }

    @Test
    void countingIsAsLongAsWriting() {
        DataOut counted = everything(DataOut.counting());

        assertThat(counted.size()).isEqualTo(everything(new DataOut(16)).size());
        assertThatThrownBy(counted::toBytes)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("counted only");
    }

    @Test
    void bytesAreReadBackAsTheyWere() throws Exception {
        DataIn in = new DataIn(
                new DataOut(16).sized(Bytes.copyOf(new byte[] {9, 8, 7})).u8(6).toBytes());

        assertThat(in.sized("bytes")).containsExactly(9, 8, 7);
        assertThat(in.u8()).isEqualTo(6);
        in.end();
    }

    @Test
    void whatIsWrittenLaterDoesNotChangeWhatWasTaken() {
        DataOut out = new DataOut(16).raw(new byte[16]);
        byte[] taken = out.toBytes();
        out.u8(1);

        assertThat(taken).containsOnly(0).hasSize(16);
        assertThat(out.toBytes()).hasSize(17);
    }
}
