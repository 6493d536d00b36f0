/* SPDX-License-Identifier: Apache-2.0 */
@NullMarked
package org.meteorshower.wan;

import org.jspecify.annotations.NullMarked;
