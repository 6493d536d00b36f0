/* SPDX-License-Identifier: Apache-2.0 */
@NullMarked
package org.meteorshower.lab;

import org.jspecify.annotations.NullMarked;
