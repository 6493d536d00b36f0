/* SPDX-License-Identifier: Apache-2.0 */
/** {@code meteor demo transactions}: transfers and one hot row on real nodes, then the death of a data centre. */
@NullMarked
package org.meteorshower.lab.demo.transactions;

import org.jspecify.annotations.NullMarked;
