/* SPDX-License-Identifier: Apache-2.0 */
@NullMarked
package org.meteorshower.protocol;

import org.jspecify.annotations.NullMarked;
