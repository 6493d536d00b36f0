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
 *     connection comes from no longer matters
 * @param verifyHostName whether the acceptor's certificate must name the address this node connects to
 */
public record TlsSettings(
        Supplier<SslContext> client,
        Supplier<SslContext> server,
        boolean clientAuthentication,
        boolean verifyHostName) {}
