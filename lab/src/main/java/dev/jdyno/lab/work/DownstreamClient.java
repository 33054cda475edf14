package dev.jdyno.lab.work;

import java.io.Closeable;
import java.io.IOException;
import java.net.URI;
import org.apache.hc.client5.http.classic.methods.HttpGet;
import org.apache.hc.client5.http.config.ConnectionConfig;
import org.apache.hc.client5.http.config.RequestConfig;
import org.apache.hc.client5.http.impl.classic.CloseableHttpClient;
import org.apache.hc.client5.http.impl.classic.HttpClients;
import org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManagerBuilder;
import org.apache.hc.core5.http.io.entity.EntityUtils;
import org.apache.hc.core5.util.Timeout;

/// Blocking calls to the downstream service over pooled keep-alive connections.
public final class DownstreamClient implements Closeable {
    /// Maximum wait for an answer: more than any experiment needs, but limited.
    private static final Timeout ANSWER_WITHIN = Timeout.ofSeconds(120);

    private static final Timeout CONNECT_WITHIN = Timeout.ofSeconds(5);

    private final CloseableHttpClient client;
    private final URI base;

    /// @param poolSize maximum number of connections; it should be the maximum number of concurrent
    ///   calls, or the pool becomes the limit
    public DownstreamClient(URI base, int poolSize) {
        this.base = base;
        this.client =
                HttpClients.custom()
                        .setConnectionManager(
                                PoolingHttpClientConnectionManagerBuilder.create()
                                        .setMaxConnTotal(poolSize)
                                        .setMaxConnPerRoute(poolSize)
                                        .setDefaultConnectionConfig(
                                                ConnectionConfig.custom()
                                                        .setConnectTimeout(CONNECT_WITHIN)
                                                        .build())
                                        .build())
                        .setDefaultRequestConfig(
                                RequestConfig.custom()
                                        .setResponseTimeout(ANSWER_WITHIN)
                                        .setConnectionRequestTimeout(ANSWER_WITHIN)
                                        .build())
                        .disableAutomaticRetries()
                        .disableCookieManagement()
                        .disableRedirectHandling()
                        .build();
    }

    /// Calls the downstream, which answers after the given time at the earliest, and returns then.
    public void await(double millis) throws IOException {
        HttpGet get = new HttpGet(base.resolve("/wait?ms=" + millis));
        client.execute(
                get,
                answer -> {
                    EntityUtils.consume(answer.getEntity());
                    if (answer.getCode() != 200) {
                        throw new IOException(
                                get.getRequestUri() + " answered " + answer.getCode());
                    }
                    return answer.getCode();
                });
    }

    @Override
    public void close() throws IOException {
        client.close();
    }
}
