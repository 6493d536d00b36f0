/* SPDX-License-Identifier: Apache-2.0 */
/**
 * {@code meteor demo}: real nodes in emulated data centres, clients on all of them, one mode of reading after the other,
 * and the checker's verdict on what the clients saw.
 */
@NullMarked
package org.meteorshower.lab.demo;

import org.jspecify.annotations.NullMarked;
