/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.bench.report;

import java.util.ArrayList;
import java.util.List;

/** An axis from 0 to a round number. Immutable. */
record Linear(double most) implements Grid {
    private static final int LEAST_TICKS = 4;

    /** One that holds all these values; those that are none do not count. */
    static Linear holding(List<Double> values) {
        double high = values.stream()
                .filter(Double::isFinite)
                .mapToDouble(v -> v)
                .max()
                .orElse(1);
        if (high <= 0) {
            return new Linear(1);
        }
        double step = step(high);
        return new Linear(Math.ceil(high / step - 1e-9) * step);
    }

    /** 1, 2 or 5 times a power of ten, so large that a few of them hold the value. */
    private static double step(double high) {
        double decade = Math.pow(10, Math.floor(Math.log10(high)));
        for (double part : new double[] {1, 0.5, 0.2}) {
            if (high / (decade * part) >= LEAST_TICKS) {
                return decade * part;
            }
        }
        return decade * 0.1 * (high / decade >= LEAST_TICKS / 5.0 ? 2 : 1);
    }

    @Override
    public double at(double value) {
        return Math.max(0, Math.min(1, value / most));
    }

    @Override
    public List<Double> ticks() {
        List<Double> ticks = new ArrayList<>();
        double step = step(most);
        for (int i = 0; i * step <= most * 1.001; i++) {
            ticks.add(i * step);
        }
        return ticks;
    }

    @Override
    public String label(double tick) {
        return Scale.text(tick);
    }
}
