/* SPDX-License-Identifier: Apache-2.0 */
/** The command line tool: its entry point and where it finds what the build left. */
@NullMarked
package org.meteorshower.lab;

import org.jspecify.annotations.NullMarked;
