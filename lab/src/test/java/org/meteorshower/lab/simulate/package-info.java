/* SPDX-License-Identifier: Apache-2.0 */
/** What {@code meteor simulate} tells of seeds and mutants. */
package org.meteorshower.lab.simulate;
