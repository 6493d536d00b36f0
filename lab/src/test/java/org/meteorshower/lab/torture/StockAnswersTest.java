/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.torture;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.DriverTimeoutException;
import com.datastax.oss.driver.api.core.NoNodeAvailableException;
import com.datastax.oss.driver.api.core.connection.ClosedConnectionException;
import org.junit.jupiter.api.Test;
import org.meteorshower.lab.torture.StockRequest.Answer;

class StockAnswersTest {
    @Test
    void silenceIsATimeOut() {
        assertThat(StockAnswers.of(new DriverTimeoutException("PT5S"))).isEqualTo(Answer.TIMED_OUT);
        assertThat(StockAnswers.name(new DriverTimeoutException("PT5S"))).isEqualTo("DriverTimeoutException");
    }

    @Test
    void whereNobodyAnsweredNobodyRefused() {
        assertThat(StockAnswers.of(new NoNodeAvailableException())).isEqualTo(Answer.UNREACHABLE);
        assertThat(StockAnswers.of(new ClosedConnectionException("lost"))).isEqualTo(Answer.UNREACHABLE);
    }
}
