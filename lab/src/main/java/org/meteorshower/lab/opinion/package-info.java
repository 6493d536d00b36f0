/* SPDX-License-Identifier: Apache-2.0 */
/** Has checkers that are not ours judge the same histories as ours: Porcupine and Elle. */
@NullMarked
package org.meteorshower.lab.opinion;

import org.jspecify.annotations.NullMarked;
