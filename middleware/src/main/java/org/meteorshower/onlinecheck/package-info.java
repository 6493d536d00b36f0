/* SPDX-License-Identifier: Apache-2.0 */
/** Judges, in bounded memory and while it runs, whether what one node answers is what its reads promise. Pure. */
@org.jspecify.annotations.NullMarked
package org.meteorshower.onlinecheck;
