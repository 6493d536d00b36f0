/* SPDX-License-Identifier: Apache-2.0 */
/**
 * {@code meteor demo}: real nodes in emulated data centres, clients on all of them, one mode of reading after the
 * other, and the checker's verdict on what the clients saw.
 *
 * <p>{@code Demo} is one run, by the {@code Plan} of its phases, each run by {@code PhaseRunner}: {@code Worker}s do
 * what {@code Participant}s do, and {@code Judge} looks at what they wrote down. {@code ResultPrinter} and
 * {@code DemoJson} tell. That of transactions is the package below.
 */
@NullMarked
package org.meteorshower.lab.demo;

import org.jspecify.annotations.NullMarked;
