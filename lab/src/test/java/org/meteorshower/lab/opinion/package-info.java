/* SPDX-License-Identifier: Apache-2.0 */
/** Checkers that are not ours, and what they are given. */
package org.meteorshower.lab.opinion;
