/* SPDX-License-Identifier: Apache-2.0 */
/** What the plugin's nodes say to each other: forwarded reads, peers' addresses, TLS. */
@NullMarked
package org.meteorshower.cassandra.net;

import org.jspecify.annotations.NullMarked;
