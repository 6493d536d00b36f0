/* SPDX-License-Identifier: Apache-2.0 */
/** How commands speak to people. */
@NullMarked
package org.meteorshower.lab.console;

import org.jspecify.annotations.NullMarked;
