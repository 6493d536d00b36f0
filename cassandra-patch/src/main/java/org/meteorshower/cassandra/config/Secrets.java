/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.config;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The token secrets in the file: one, or several by id. */
final class Secrets {
    private static final int MIN_BYTES = 16;
    private static final String FORM = "at least " + MIN_BYTES + " bytes, as hexadecimal digits or as text";

    private Secrets() {}

    static Map<Integer, byte[]> of(OptionMap options) throws ConfigException {
        String one = options.string("token_secret");
        Map<?, ?> several = options.map("token_secrets");
        if (one != null && several != null) {
            throw new ConfigException("token_secret and token_secrets exclude each other: keep token_secrets");
        }
        Map<Integer, byte[]> secrets = new TreeMap<>();
        if (one != null) {
            secrets.put(0, secret(options, "token_secret", one));
        } else if (several != null) {
            for (Map.Entry<?, ?> entry : several.entrySet()) {
                if (!(entry.getKey() instanceof Integer id) || id < 0 || id > 255) {
                    throw options.wrong("token_secrets", null, "secrets by an id from 0 to 255");
                }
                secrets.put(id, secret(options, "token_secrets", entry.getValue()));
            }
        }
        return secrets;
    }

    /** The id of the secret that new tokens are made with, or null if the file does not say. */
    static @Nullable Integer chosen(OptionMap options) throws ConfigException {
        int id = options.integer("token_secret_id", -1, 0, 255);
        if (id < 0) {
            return null;
        }
        Map<?, ?> several = options.map("token_secrets");
        if (several == null || !several.containsKey(id)) {
            throw options.wrong("token_secret_id", id, "the id of one of token_secrets");
        }
        return id;
    }

    private static byte[] secret(OptionMap options, String name, @Nullable Object value) throws ConfigException {
        if (!(value instanceof String text)) {
            throw options.wrong(name, null, FORM + ", in quotes");
        }
        byte[] bytes = text.length() % 2 == 0 && text.matches("[0-9a-fA-F]+")
                ? HexFormat.of().parseHex(text)
                : text.getBytes(StandardCharsets.UTF_8);
        if (bytes.length < MIN_BYTES) {
            throw options.wrong(name, null, FORM + "; it has " + bytes.length);
        }
        return bytes;
    }
}
