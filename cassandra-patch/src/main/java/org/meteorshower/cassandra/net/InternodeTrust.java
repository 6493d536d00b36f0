/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.net;

import io.netty.handler.ssl.SslContext;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.security.cert.Certificate;
import java.util.List;
import org.apache.cassandra.auth.IInternodeAuthenticator;
import org.apache.cassandra.auth.IInternodeAuthenticator.InternodeConnectionDirection;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.config.EncryptionOptions.ServerEncryptionOptions;
import org.apache.cassandra.config.EncryptionOptions.ServerEncryptionOptions.InternodeEncryption;
import org.apache.cassandra.exceptions.AuthenticationException;
import org.apache.cassandra.security.ISslContextFactory.SocketType;
import org.apache.cassandra.security.SSLFactory;
import org.jspecify.annotations.Nullable;
import org.meteorshower.transport.PeerAuthenticator;
import org.meteorshower.transport.PeerAuthenticator.OpenedBy;
import org.meteorshower.transport.TlsSettings;

/** Whom Cassandra lets in between nodes, and how it encrypts there: MeteorShower does the same. */
public final class InternodeTrust {
    private static final String CONTEXT = "meteorshower";

    private InternodeTrust() {}

    /** As {@code server_encryption_options} say; null where they say none. Renewed certificates are followed. */
    public static @Nullable TlsSettings tls() {
        ServerEncryptionOptions options = DatabaseDescriptor.getInternodeMessagingEncyptionOptions();
        if (options.internode_encryption == InternodeEncryption.none) {
            return null;
        }
        return new TlsSettings(
                () -> context(options, SocketType.CLIENT),
                () -> context(options, SocketType.SERVER),
                options.require_client_auth,
                options.require_endpoint_verification);
    }

    private static SslContext context(ServerEncryptionOptions options, SocketType type) {
        try {
            return SSLFactory.getOrCreateSslContext(options, true, type, CONTEXT);
        } catch (IOException e) {
            throw new UncheckedIOException("server_encryption_options: " + e.getMessage(), e);
        }
    }

    /**
     * As {@code internode_authenticator} decides. It is told which end opened the connection, as Cassandra tells it:
     * one that goes by certificates may trust others for accepting than for connecting.
     */
    public static PeerAuthenticator authenticator() {
        IInternodeAuthenticator authenticator = DatabaseDescriptor.getInternodeAuthenticator();
        int port = DatabaseDescriptor.getStoragePort();
        return (InetAddress address, List<Certificate> certificates, OpenedBy opened) -> {
            try {
                return authenticator.authenticate(
                        address, port, certificates.toArray(new Certificate[0]), direction(opened));
            } catch (AuthenticationException e) {
                // Thrown where a certificate names nobody.
                return false;
            }
        };
    }

    private static InternodeConnectionDirection direction(OpenedBy opened) {
        return opened == OpenedBy.OTHER ? InternodeConnectionDirection.INBOUND : InternodeConnectionDirection.OUTBOUND;
    }
}
