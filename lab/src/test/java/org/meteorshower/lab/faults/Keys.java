/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** Keys and certificates in files of a folder, for nodes that encrypt and for those that want to be taken for one. */
final class Keys {
    static final String PASSWORD = "secret of a test";
    private static final String TYPE = "PKCS12";

    private final Path folder;

    Keys(Path folder) {
        this.folder = folder;
    }

    Path file(String name) {
        return folder.resolve(name + ".p12");
    }

    /**
     * Makes a key for each name, with a certificate signed by itself that gives its identity, with the JDK's own tool:
     * the JDK has no public way to sign a certificate.
     */
    void make(String... names) throws Exception {
        List<Process> tools = new ArrayList<>();
        for (String name : names) {
            List<String> command = new ArrayList<>(List.of(
                    Path.of(System.getProperty("java.home"), "bin", "keytool").toString(), "-genkeypair"));
            command.addAll(List.of("-keystore", file(name).toString(), "-storetype", TYPE, "-storepass", PASSWORD));
            command.addAll(List.of("-alias", name, "-keyalg", "EC", "-groupname", "secp256r1", "-validity", "2"));
            command.addAll(List.of("-dname", "CN=" + name, "-ext", "san=uri:" + identity(name)));
            tools.add(new ProcessBuilder(command).redirectErrorStream(true).start());
        }
        for (Process tool : tools) {
            String said = new String(tool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(tool.waitFor()).as(said).isZero();
        }
    }

    /** Who a certificate says its owner is. What follows a dash tells keys of one owner apart. */
    static String identity(String name) {
        return "spiffe://meteorshower/" + name.replaceAll("-.*", "");
    }

    /** Writes a file of certificates that are trusted, or replaces it. */
    void trust(String file, String... names) throws Exception {
        KeyStore store = KeyStore.getInstance(TYPE);
        store.load(null, null);
        for (String name : names) {
            store.setCertificateEntry(name, load(name).getCertificate(name));
        }
        try (OutputStream out = Files.newOutputStream(file(file))) {
            store.store(out, PASSWORD.toCharArray());
        }
    }

    /** A client that shows the certificates of one file (none if it is empty) and trusts those of another. */
    SSLContext client(String keys, String trusted) throws Exception {
        KeyManagerFactory own = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        if (keys.isEmpty()) {
            own.init(null, null);
        } else {
            own.init(load(keys), PASSWORD.toCharArray());
        }
        TrustManagerFactory others = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        others.init(load(trusted));
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(own.getKeyManagers(), others.getTrustManagers(), null);
        return context;
    }

    private KeyStore load(String name) throws Exception {
        KeyStore store = KeyStore.getInstance(TYPE);
        try (InputStream in = Files.newInputStream(file(name))) {
            store.load(in, PASSWORD.toCharArray());
        }
        return store;
    }
}
