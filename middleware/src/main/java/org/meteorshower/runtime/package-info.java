/* SPDX-License-Identifier: Apache-2.0 */
@NullMarked
package org.meteorshower.runtime;

import org.jspecify.annotations.NullMarked;
