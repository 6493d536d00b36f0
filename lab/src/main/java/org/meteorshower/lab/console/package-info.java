/* SPDX-License-Identifier: Apache-2.0 */
/**
 * How commands speak: to people, {@code Display} and {@code Numbers}; to programs, {@code Json}; and
 * {@code OutputFile}, which looks before a run whether its result can be written.
 */
@NullMarked
package org.meteorshower.lab.console;

import org.jspecify.annotations.NullMarked;
