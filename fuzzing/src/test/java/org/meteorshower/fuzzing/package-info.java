/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.fuzzing;
