/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Plans that nobody drew: a search that is guided by what runs make a core do. It knows plans as trees of names and
 * values, and asks a {@link org.meteorshower.lab.search.Subject} for drawn ones and to run them.
 */
@NullMarked
package org.meteorshower.lab.search;

import org.jspecify.annotations.NullMarked;
