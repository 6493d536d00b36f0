/* SPDX-License-Identifier: Apache-2.0 */
@NullMarked
package org.meteorshower.transport;

import org.jspecify.annotations.NullMarked;
