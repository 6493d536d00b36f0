/* SPDX-License-Identifier: Apache-2.0 */
/** What came of it: files for programs, histograms, a page for people, and the statistics in them. */
@NullMarked
package org.meteorshower.lab.bench.report;

import org.jspecify.annotations.NullMarked;
