/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.request;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.apache.cassandra.transport.messages.ResultMessage;
import org.junit.jupiter.api.Test;

class HandlerTest {
    private final List<String> asked = new ArrayList<>();

    private Handler handler(String name, boolean takes) {
        return request -> {
            asked.add(name);
            return takes ? ResultMessage.Void::new : null;
        };
    }

    @Test
    void theFirstThatTakesARequestGetsItAndNobodyAfterItIsAsked() {
        assertThat(Handler.first(List.of(handler("a", false), handler("b", true), handler("c", true)), null))
                .isNotNull();
        assertThat(asked).containsExactly("a", "b");
    }

    @Test
    void nobodyIsAnAnswerToo() {
        assertThat(Handler.first(List.of(handler("a", false)), null)).isNull();
    }
}
