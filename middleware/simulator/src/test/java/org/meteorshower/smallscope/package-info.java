/* SPDX-License-Identifier: Apache-2.0 */
/** A slice of the search in the small, and what it rests on. */
package org.meteorshower.smallscope;
