/* SPDX-License-Identifier: Apache-2.0 */
@NullMarked
package org.meteorshower.checker;

import org.jspecify.annotations.NullMarked;
