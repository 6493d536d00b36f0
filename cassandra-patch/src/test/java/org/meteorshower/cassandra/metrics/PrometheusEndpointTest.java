/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class PrometheusEndpointTest {
    private final MetricSet set = new MetricSet(MetricSet.SILENT);
    private PrometheusEndpoint endpoint;

    @BeforeEach
    void open() throws IOException {
        endpoint = new PrometheusEndpoint(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), null, () -> PrometheusText.of(set));
    }

    @AfterEach
    void close() {
        endpoint.close();
    }

    private HttpResponse<String> ask(String method, String path) throws IOException, InterruptedException {
        return ask(method, path, null);
    }

    private HttpResponse<String> ask(String method, String path, String authorization)
            throws IOException, InterruptedException {
        InetSocketAddress at = endpoint.address();
        HttpRequest.Builder request = HttpRequest.newBuilder(
                        URI.create("http://" + at.getAddress().getHostAddress() + ":" + at.getPort() + path))
                .method(method, HttpRequest.BodyPublishers.noBody())
                .timeout(Duration.ofSeconds(30));
        if (authorization != null) {
            request.header("Authorization", authorization);
        }
        return HttpClient.newHttpClient().send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    @Test
    void itAnswersWithTheMetricsOfTheMoment() throws Exception {
        set.count(Metric.ALARMS, "protocol").increment();
        HttpResponse<String> answer = ask("GET", "/metrics");
        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.headers().firstValue("Content-Type")).hasValue(PrometheusText.CONTENT_TYPE);
        assertThat(Scrape.of(answer.body()).samples).containsEntry("meteorshower_alarms_total{kind=protocol}", 1.0);
        assertThat(ask("HEAD", "/metrics").body()).isEmpty();
    }

    @Test
    void thereIsNothingElseAndNothingCanBeChanged() throws Exception {
        assertThat(ask("GET", "/").statusCode()).isEqualTo(404);
        assertThat(ask("GET", "/metrics/../secret").statusCode()).isEqualTo(404);
        assertThat(ask("POST", "/metrics").statusCode()).isEqualTo(405);
        assertThat(ask("DELETE", "/metrics").statusCode()).isEqualTo(405);
    }

    @Test
    void whereThereIsASecretWhoDoesNotBringItLearnsNothing() throws Exception {
        endpoint.close();
        endpoint = new PrometheusEndpoint(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                "sixteen-letters!",
                () -> PrometheusText.of(set));
        set.count(Metric.ALARMS, "protocol").increment();
        for (String brought :
                new String[] {null, "", "Bearer", "Bearer sixteen-letters", "Basic sixteen-letters!", "sixteen-letters!"
                }) {
            HttpResponse<String> answer = ask("GET", "/metrics", brought);
            assertThat(answer.statusCode()).isEqualTo(401);
            assertThat(answer.body()).doesNotContain("meteorshower_").contains("metrics.secret");
            assertThat(ask("GET", "/", brought).statusCode()).isEqualTo(401);
        }
        HttpResponse<String> answer = ask("GET", "/metrics", "Bearer sixteen-letters!");
        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.body()).contains("meteorshower_alarms_total");
    }

    @Test
    void clientsThatNeverFinishTheirRequestsDoNotKeepOthersOutForLong() throws Exception {
        List<Socket> slow = new ArrayList<>();
        try {
            for (int i = 0; i < PrometheusEndpoint.THREADS + PrometheusEndpoint.QUEUED; i++) {
                Socket socket = new Socket(
                        endpoint.address().getAddress(), endpoint.address().getPort());
                socket.getOutputStream().write("GET /metrics HTTP/1.1\r\nHost:".getBytes(StandardCharsets.US_ASCII));
                socket.getOutputStream().flush();
                slow.add(socket);
            }
            long deadline = System.nanoTime() + Duration.ofSeconds(60).toNanos();
            int status = 0;
            while (status != 200 && System.nanoTime() - deadline < 0) {
                try {
                    status = ask("GET", "/metrics").statusCode();
                } catch (IOException e) {
                    Thread.sleep(200); // it was one too many: closed when its time was over
                }
            }
            assertThat(status).isEqualTo(200);
        } finally {
            for (Socket socket : slow) {
                socket.close();
            }
        }
    }

    @Test
    void aPortInUseIsAnError() {
        assertThatThrownBy(() -> new PrometheusEndpoint(endpoint.address(), null, () -> ""))
                .isInstanceOf(IOException.class);
    }
}
