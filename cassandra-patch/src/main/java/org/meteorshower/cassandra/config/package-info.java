/* SPDX-License-Identifier: Apache-2.0 */
/** meteorshower.yaml: strict reading, one record of settings. */
@NullMarked
package org.meteorshower.cassandra.config;

import org.jspecify.annotations.NullMarked;
