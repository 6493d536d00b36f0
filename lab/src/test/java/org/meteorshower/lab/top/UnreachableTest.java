/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.top;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.DriverTimeoutException;
import com.datastax.oss.driver.api.core.connection.ConnectionInitException;
import java.net.ConnectException;
import java.nio.channels.ClosedChannelException;
import org.junit.jupiter.api.Test;

/** What the driver says of channels and frames, in an operator's words. */
class UnreachableTest {
    @Test
    void nothingListens() {
        assertThat(Unreachable.why(new ConnectionInitException("[s3|control] step 1", new ConnectException("refused"))))
                .isEqualTo(Unreachable.why(new ConnectionInitException("[s3] step 1", new ClosedChannelException())))
                .contains("is down")
                .doesNotContain("step");
    }

    @Test
    void noAnswer() {
        assertThat(Unreachable.why(new ConnectionInitException("[s3|control]", new DriverTimeoutException("3 s"))))
                .contains("no answer in time");
    }

    @Test
    void whatIsNotKnownIsToldAsItIs() {
        assertThat(Unreachable.why(new IllegalStateException("outer", new IllegalStateException("the cause"))))
                .isEqualTo("the cause");
    }
}
