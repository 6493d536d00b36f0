/* SPDX-License-Identifier: Apache-2.0 */
/** How messages and durable records are written as bytes. Whatever is read is bounded: it may come from anybody. */
@NullMarked
package org.meteorshower.transactions.codec;

import org.jspecify.annotations.NullMarked;
