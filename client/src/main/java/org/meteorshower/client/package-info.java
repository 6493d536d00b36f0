/* SPDX-License-Identifier: Apache-2.0 */
@NullMarked
package org.meteorshower.client;

import org.jspecify.annotations.NullMarked;
