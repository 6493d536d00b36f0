/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.servers;

import java.util.ArrayList;
import java.util.List;

/** What a range's server wants done, until it is taken. */
final class Outbox {
    private final List<ServerEffect> effects = new ArrayList<>();
    private long request;

    void send(int to, ChainMessage message) {
        effects.add(new ServerEffect.Send(to, message));
    }

    void emit(ServerEffect effect) {
        effects.add(effect);
    }

    long nextRequest() {
        return ++request;
    }

    List<ServerEffect> take() {
        List<ServerEffect> taken = List.copyOf(effects);
        effects.clear();
        return taken;
    }
}
