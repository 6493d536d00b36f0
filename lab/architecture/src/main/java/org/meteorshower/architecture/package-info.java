/* SPDX-License-Identifier: Apache-2.0 */
/** What each module's {@code ArchitectureTest} asks of its classes. */
@NullMarked
package org.meteorshower.architecture;

import org.jspecify.annotations.NullMarked;
