/* SPDX-License-Identifier: Apache-2.0 */
/** The protocol core in a small world, in which every order of events is tried: up to a stated depth, or to the end. */
@NullMarked
package org.meteorshower.smallscope;

import org.jspecify.annotations.NullMarked;
