/* SPDX-License-Identifier: Apache-2.0 */
@NullMarked
package org.meteorshower.cassandra;

import org.jspecify.annotations.NullMarked;
