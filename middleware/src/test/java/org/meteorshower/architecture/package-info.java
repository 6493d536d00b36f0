/* SPDX-License-Identifier: Apache-2.0 */
/** The module's structure as tests: which package may use which, and what the protocol core may not use at all. */
package org.meteorshower.architecture;
