/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.metrics;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.apache.cassandra.concurrent.NamedThreadFactory;
import org.jspecify.annotations.Nullable;

/**
 * Answers {@code GET /metrics}, and nothing else. Where it has a secret, only to who brings it ({@code Authorization:
 * Bearer secret}); it travels as it is, so whoever can listen on the way learns it. Metrics can only be read.
 *
 * <p>Bounded: {@value #THREADS} threads, {@value #QUEUED} requests that wait, and {@value #PATIENCE_SECONDS} seconds
 * for a client to send its request or to take its answer.
 */
public final class PrometheusEndpoint implements AutoCloseable {
    static final int THREADS = 2;
    static final int QUEUED = 16;
    static final int PATIENCE_SECONDS = 5;
    private static final String PATH = "/metrics";

    private final HttpServer server;
    private final ThreadPoolExecutor threads;
    private final Supplier<String> text;
    private final byte @Nullable [] expected;

    /**
     * Listens from now on.
     *
     * @param secret that clients must bring; null: none
     * @throws IOException if the address or port cannot be had
     */
    public PrometheusEndpoint(InetSocketAddress address, @Nullable String secret, Supplier<String> text)
            throws IOException {
        this.text = text;
        this.expected = secret == null ? null : ("Bearer " + secret).getBytes(StandardCharsets.UTF_8);
        // The server that the JDK brings has no other way to be told; it reads them once.
        limit("sun.net.httpserver.maxReqTime");
        limit("sun.net.httpserver.maxRspTime");
        server = HttpServer.create(address, QUEUED);
        threads = new ThreadPoolExecutor(
                THREADS,
                THREADS,
                10,
                TimeUnit.SECONDS,
                new ArrayBlockingQueue<>(QUEUED),
                new NamedThreadFactory("MeteorShower-Metrics"),
                new ThreadPoolExecutor.DiscardPolicy()); // its connection is closed when its time is over
        threads.allowCoreThreadTimeOut(true);
        server.setExecutor(threads);
        server.createContext("/", this::answer);
        server.start();
    }

    private static void limit(String property) {
        if (System.getProperty(property) == null) {
            System.setProperty(property, Integer.toString(PATIENCE_SECONDS));
        }
    }

    /** Where it listens. */
    public InetSocketAddress address() {
        return server.getAddress();
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            boolean head = exchange.getRequestMethod().equals("HEAD");
            if (!admits(exchange)) {
                exchange.getResponseHeaders().set("WWW-Authenticate", "Bearer");
                send(exchange, 401, "bring the secret of the option metrics.secret: Authorization: Bearer ...\n", head);
            } else if (!exchange.getRequestURI().getPath().equals(PATH)) {
                send(exchange, 404, "the metrics are at " + PATH + "\n", head);
            } else if (!head && !exchange.getRequestMethod().equals("GET")) {
                send(exchange, 405, "the metrics can only be read\n", head);
            } else {
                exchange.getResponseHeaders().set("Content-Type", PrometheusText.CONTENT_TYPE);
                send(exchange, 200, text.get(), head);
            }
        }
    }

    private boolean admits(HttpExchange exchange) {
        String brought = exchange.getRequestHeaders().getFirst("Authorization");
        return expected == null
                || (brought != null && MessageDigest.isEqual(expected, brought.getBytes(StandardCharsets.UTF_8)));
    }

    private static void send(HttpExchange exchange, int status, String body, boolean head) throws IOException {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(status, head ? -1 : bytes.length);
        if (!head) {
            exchange.getResponseBody().write(bytes);
        }
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
