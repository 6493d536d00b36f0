/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class FatalTest {
    private final List<Throwable> told = new ArrayList<>();

    private void on(Runnable task) throws InterruptedException {
        Thread thread = new Thread(() -> {
            try {
                task.run();
            } catch (Throwable e) {
                // as a pool or a future would
            }
        });
        thread.setUncaughtExceptionHandler((in, thrown) -> told.add(thrown));
        thread.start();
        thread.join();
    }

    @Test
    void outOfMemoryReachesTheHandlerThoughItIsCaught() throws InterruptedException {
        OutOfMemoryError error = new OutOfMemoryError("on purpose");
        on(Fatal.told(() -> {
            throw error;
        }));

        assertThat(told).containsExactly(error);
    }

    @Test
    void whatIsNotTheMachinesFaultDoesNot() throws InterruptedException {
        on(() -> Fatal.report(new AssertionError()));
        on(Fatal.told(() -> {
            throw new IllegalStateException();
        }));

        assertThat(told).isEmpty();
    }

    @Test
    void aTaskThrowsAsBefore() {
        assertThatThrownBy(() -> Fatal.told(() -> {
                            throw new IllegalStateException("as before");
                        })
                        .run())
                .hasMessage("as before");
    }
}
