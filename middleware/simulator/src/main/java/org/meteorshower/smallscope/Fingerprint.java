/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.smallscope;

/** 128 bits that stand for a structure of objects. */
record Fingerprint(long high, long low) {}
