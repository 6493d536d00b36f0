/* SPDX-License-Identifier: Apache-2.0 */
/**
 * What came of it: files for programs, histograms, a page for people, and the statistics in them.
 *
 * <p>{@code Report} writes the folder: {@code ResultsJson}, {@code HistogramFiles}, and {@code Page}, which is made of
 * the {@code …Section}s and drawn with {@code Svg}. What is compared with what is a {@code Comparison} of
 * {@code Series}; how sure a ratio is, {@code Ratios} and {@code Bootstrap} say. {@code ConsoleTable} is the short
 * form.
 */
@NullMarked
package org.meteorshower.lab.bench.report;

import org.jspecify.annotations.NullMarked;
