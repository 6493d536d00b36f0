/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.bench.report;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.List;

/** A logarithmic axis over whole decades, or halves of them. Immutable. */
record Scale(double least, double most) implements Grid {
    /** One that holds all these values; those that are none do not count. */
    static Scale holding(List<Double> values) {
        double low = values.stream()
                .filter(v -> Double.isFinite(v) && v > 0)
                .mapToDouble(v -> v)
                .min()
                .orElse(1);
        double high = values.stream()
                .filter(v -> Double.isFinite(v) && v > 0)
                .mapToDouble(v -> v)
                .max()
                .orElse(10);
        double least = decade(Math.max(0.01, low));
        double most = decade(high);
        for (double step : new double[] {1, 2, 5, 10}) {
            if (most * step >= high) {
                most = most * step;
                break;
            }
        }
        return new Scale(
                least * 5 <= low ? least * 5 : least * 2 <= low ? least * 2 : least, Math.max(most, least * 10));
    }

    private static double decade(double value) {
        return Math.pow(10, Math.floor(Math.log10(value)));
    }

    @Override
    public double at(double value) {
        double clipped = Math.max(least, Math.min(most, value));
        return Math.log10(clipped / least) / Math.log10(most / least);
    }

    /** 1, 2, 5 in each decade, or fewer where there are many decades. */
    @Override
    public List<Double> ticks() {
        double decades = Math.log10(most / least);
        double[] steps = decades <= 3.1 ? new double[] {1, 2, 5} : new double[] {1};
        List<Double> ticks = new ArrayList<>();
        for (double decade = decade(least); decade <= most * 1.001; decade *= 10) {
            for (double step : steps) {
                double tick = decade * step;
                if (tick >= least * 0.999 && tick <= most * 1.001) {
                    ticks.add(tick);
                }
            }
        }
        return ticks;
    }

    @Override
    public String label(double tick) {
        return text(tick);
    }

    /** 0.05, 0.5, 5, 50, 5k, 50M. */
    static String text(double tick) {
        double factor = tick >= 1e6 ? 1e6 : tick >= 1e4 ? 1e3 : 1;
        return BigDecimal.valueOf(tick / factor)
                        .round(new MathContext(3))
                        .stripTrailingZeros()
                        .toPlainString()
                + (factor == 1e6 ? "M" : factor == 1e3 ? "k" : "");
    }
}
