/* SPDX-License-Identifier: Apache-2.0 */
/** The commands of the tool: arguments in, a call to the library, sentences and an exit code out. */
@NullMarked
package org.meteorshower.lab.cli;

import org.jspecify.annotations.NullMarked;
