/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transport;

import io.netty.handler.ssl.SslContext;
import java.util.function.Supplier;

/**
 * How connections are encrypted. The suppliers are asked for every connection, so renewed certificates are used; they
 * must be quick and thread-safe.
 *
 * @param client for connections that this node opens
 * @param server for those it accepts
 * @param clientAuthentication whether {@code server} demands and verifies a certificate; if it does, the address that a
 *     connection comes from need not be the one the ring knows
 * @param verifyHostName whether the other end's certificate must name its address: the one this node connects to, or
 *     the one that a connection comes from
 */
public record TlsSettings(
        Supplier<SslContext> client,
        Supplier<SslContext> server,
        boolean clientAuthentication,
        boolean verifyHostName) {}
