/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.cql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.apache.cassandra.exceptions.InvalidRequestException;
import org.apache.cassandra.transport.messages.ResultMessage;
import org.apache.cassandra.utils.ByteBufferUtil;
import org.junit.jupiter.api.Test;
import org.meteorshower.cassandra.token.CoordinatorToken;
import org.meteorshower.cassandra.token.TokenFormat;
import org.meteorshower.cassandra.token.TokenSecrets;
import org.meteorshower.protocol.Effect.ReadInfo;
import org.meteorshower.protocol.ReadMode;
import org.meteorshower.protocol.Served;

class SessionTest {
    private final TokenFormat format =
            new TokenFormat(new TokenSecrets(Map.of(0, "0123456789abcdef".getBytes(StandardCharsets.UTF_8)), null));
    private final CoordinatorToken shared = new CoordinatorToken(0);

    private Session session(Map<String, ByteBuffer> payload) {
        return Session.of(payload, format, shared);
    }

    @Test
    void clientsThatBringNothingShareTheCoordinatorsTokenAndAreAnsweredWithoutPayload() throws Exception {
        shared.advanceTo(50);
        Session session = session(null);
        assertThat(session.tokenMicros()).isEqualTo(50);
        assertThat(session.mode()).isEqualTo(ReadMode.SEQUENTIAL);
        ResultMessage response = new ResultMessage.Void();
        session.answerRead(response, new ReadInfo(70, Served.LOCAL, 0), 70, false);
        assertThat(response.getCustomPayload()).isNull();
        assertThat(shared.cutMicros()).isEqualTo(70);
    }

    @Test
    void aClientWithATokenOfItsOwnIsAnsweredWithANewOneAndMovesNobodyElse() throws Exception {
        Session session = session(Map.of(PayloadKeys.TOKEN, format.encode(100)));
        assertThat(session.tokenMicros()).isEqualTo(100);
        ResultMessage response = new ResultMessage.Void();
        session.answerRead(response, new ReadInfo(120, Served.OLDER, 3), 130, true);
        Map<String, ByteBuffer> payload = response.getCustomPayload();
        assertThat(format.decode(payload.get(PayloadKeys.TOKEN))).isEqualTo(130);
        assertThat(ByteBufferUtil.string(payload.get(PayloadKeys.SERVED))).isEqualTo("older");
        assertThat(payload.get(PayloadKeys.CUT).getLong(0)).isEqualTo(120);
        assertThat(payload.get(PayloadKeys.STALENESS).getLong(0)).isEqualTo(3);
        assertThat(payload.get(PayloadKeys.FORWARDED).get(0)).isEqualTo((byte) 1);
        assertThat(shared.cutMicros()).isZero();
    }

    @Test
    void aReadOfATableThatIsBeingFilledIsCassandrasOwnAndMovesTheToken() throws Exception {
        Session session = session(Map.of(PayloadKeys.TOKEN, format.encode(100)));
        ResultMessage response = new ResultMessage.Void();
        session.answerRead(response, new ReadInfo(120, Served.PLAIN, 0), 120, false);
        Map<String, ByteBuffer> payload = response.getCustomPayload();
        assertThat(format.decode(payload.get(PayloadKeys.TOKEN))).isEqualTo(120);
        assertThat(payload).containsKey(PayloadKeys.PLAIN).doesNotContainKeys(PayloadKeys.SERVED, PayloadKeys.CUT);
    }

    @Test
    void aWriteIsAnsweredWithItsTimestamp() throws Exception {
        Session session = session(Map.of(PayloadKeys.TOKEN, ByteBuffer.allocate(0)));
        ResultMessage response = new ResultMessage.Void();
        session.answerWrite(response, 500, 510);
        assertThat(response.getCustomPayload().get(PayloadKeys.TIMESTAMP).getLong(0))
                .isEqualTo(500);
        assertThat(format.decode(response.getCustomPayload().get(PayloadKeys.TOKEN)))
                .isEqualTo(510);
    }

    @Test
    void anAnswerOfCassandrasOwnRaisesTheTokenToTheTablesEndAndIsMarked() throws Exception {
        ResultMessage response = new ResultMessage.Void();
        session(Map.of(PayloadKeys.TOKEN, format.encode(100))).answerPlain(response, 120);
        assertThat(format.decode(response.getCustomPayload().get(PayloadKeys.TOKEN)))
                .isEqualTo(120);
        assertThat(response.getCustomPayload()).containsKey(PayloadKeys.PLAIN);

        session(Map.of(PayloadKeys.TOKEN, format.encode(200))).answerPlain(response, 120);
        assertThat(format.decode(response.getCustomPayload().get(PayloadKeys.TOKEN)))
                .isEqualTo(200);

        ResultMessage stock = new ResultMessage.Void();
        session(null).answerPlain(stock, 120);
        assertThat(stock.getCustomPayload()).isNull();
    }

    @Test
    void aSessionsTokenNeverGoesBack() throws Exception {
        Session session = session(Map.of(PayloadKeys.TOKEN, format.encode(100)));
        ResultMessage response = new ResultMessage.Void();
        session.answerRead(response, null, 0, false);
        assertThat(format.decode(response.getCustomPayload().get(PayloadKeys.TOKEN)))
                .isEqualTo(100);
    }

    @Test
    void modesAreReadAsTheClientSpellsThem() {
        assertThat(ModeText.parse("meteorshower1")).isEqualTo(ReadMode.METEORSHOWER1);
        assertThat(ModeText.parse("meteorshower2")).isEqualTo(ReadMode.METEORSHOWER2);
        assertThat(ModeText.parse("strict")).isEqualTo(ReadMode.STRICT);
        assertThat(ModeText.parse("bounded:5000")).isEqualTo(ReadMode.bounded(5_000));
        for (String wrong : new String[] {"", "eventual", "bounded:", "bounded:-1", "bounded:1e3"}) {
            assertThatThrownBy(() -> ModeText.parse(wrong)).hasMessageContaining("'" + wrong + "'");
        }
    }

    @Test
    void whatMakesNoSenseIsAnInvalidRequest() {
        assertThatThrownBy(() -> session(Map.of(PayloadKeys.TOKEN, ByteBuffer.wrap(new byte[] {1, 2}))))
                .isInstanceOf(InvalidRequestException.class)
                .hasMessageContaining("2 bytes");
        assertThatThrownBy(() -> session(Map.of(PayloadKeys.MODE, ByteBufferUtil.bytes("fast"))))
                .isInstanceOf(InvalidRequestException.class)
                .hasMessageContaining("'fast'");
    }
}
