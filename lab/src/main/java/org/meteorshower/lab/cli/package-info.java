/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The tool's entry point, {@code Meteor}, and the commands that have no package of their own: {@code cluster} and what
 * is below it, {@code check}. Arguments in, a call to the library, sentences and an exit code out. Each of the other
 * commands is the class {@code …Command} of the package that bears its name; options that several have are in
 * {@code lab.arguments}.
 */
@NullMarked
package org.meteorshower.lab.cli;

import org.jspecify.annotations.NullMarked;
