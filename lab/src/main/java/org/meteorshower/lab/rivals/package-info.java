/* SPDX-License-Identifier: Apache-2.0 */
/** Software that is compared with: fetched where a plan wants it, and in no class path of ours. */
@NullMarked
package org.meteorshower.lab.rivals;

import org.jspecify.annotations.NullMarked;
