/* SPDX-License-Identifier: Apache-2.0 */
/** Clusters of several data centres in containers, for the tests of applications. */
@NullMarked
package org.meteorshower.testcontainers;

import org.jspecify.annotations.NullMarked;
