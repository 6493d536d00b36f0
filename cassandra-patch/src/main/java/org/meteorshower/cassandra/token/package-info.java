/* SPDX-License-Identifier: Apache-2.0 */
/** Session tokens as they travel in the custom payload. */
@NullMarked
package org.meteorshower.cassandra.token;

import org.jspecify.annotations.NullMarked;
