package dev.jdyno.lab.article;

import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.LoadingCache;
import dev.jdyno.lab.service.Container;
import dev.jdyno.lab.service.ContainerOptions;
import dev.jdyno.lab.service.ListenOptions;
import dev.jdyno.lab.service.Page;
import dev.jdyno.lab.service.Query;
import dev.jdyno.lab.service.Running;
import dev.jdyno.lab.service.Services;
import dev.jdyno.lab.service.UndertowService;
import io.undertow.server.HttpHandler;
import io.undertow.server.HttpServerExchange;
import io.undertow.util.Headers;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Deque;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import redis.clients.jedis.ConnectionPoolConfig;
import redis.clients.jedis.RedisClient;
import tools.jackson.databind.json.JsonMapper;

/// E10's read service. It reads an article by its key from Redis through a pool of blocking
/// connections, and converts JSON → object → template. It logs ten lines per request, as logback's
/// configuration sets.
@Command(
        name = "articles",
        mixinStandardHelpOptions = true,
        description = "Read service over Redis: GET /article?id=N.")
public final class Articles implements Callable<Integer> {
    private static final Logger LOG = LoggerFactory.getLogger("articles.Read");

    /// Number of keys in the store; a request names one by its id.
    private static final int ARTICLES = 200;

    private static final int LINES = 10;

    private static final JsonMapper JSON = JsonMapper.builder().build();

    /// The web server of the service.
    enum Server {
        tomcat,
        undertow
    }

    @Mixin private ListenOptions listen = new ListenOptions();

    @Option(names = "--redis", paramLabel = "PORT", required = true, description = "Its port.")
    private int redisPort;

    @Option(names = "--server", description = "${COMPLETION-CANDIDATES} (${DEFAULT-VALUE}).")
    private Server server = Server.tomcat;

    @Option(names = "--workers", description = "Threads that answer (${DEFAULT-VALUE}).")
    private int workers = 200;

    @Option(
            names = "--cache",
            description = "off, or how long an article is kept here, as 10s (${DEFAULT-VALUE}).")
    private String cache = "off";

    public static void main(String... args) {
        Services.main(new Articles(), args);
    }

    @Override
    public Integer call() throws InterruptedException {
        ConnectionPoolConfig pool = new ConnectionPoolConfig();
        pool.setMaxTotal(workers);
        pool.setMaxIdle(workers);
        try (RedisClient redis =
                RedisClient.builder()
                        .hostAndPort("127.0.0.1", redisPort)
                        .poolConfig(pool)
                        .build()) {
            fill(redis);
            try (Running running = start(page(redis))) {
                Services.listening(listen, running.port());
                running.await();
            }
        }
        return 0;
    }

    private static void fill(RedisClient redis) {
        for (int i = 0; i < ARTICLES; i++) {
            redis.set("article:" + i, JSON.writeValueAsString(Article.numbered(i)));
        }
    }

    private Page page(RedisClient redis) {
        if (cache.equals("off")) {
            return query -> answer(key(query), read(redis, key(query)).page());
        }
        LoadingCache<String, String> kept =
                Caffeine.newBuilder()
                        .expireAfterWrite(Duration.parse("PT" + cache))
                        .maximumSize(ARTICLES)
                        .build(key -> read(redis, key).page());
        return query -> answer(key(query), kept.get(key(query)));
    }

    private static String key(Query query) {
        return "article:" + query.id("id") % ARTICLES;
    }

    private static Article read(RedisClient redis, String key) {
        return JSON.readValue(redis.get(key), Article.class);
    }

    private static String answer(String key, String page) {
        for (int i = 0; i < LINES; i++) {
            LOG.info("{} part {} of {} characters read", key, i, page.length());
        }
        return page;
    }

    private Running start(Page page) {
        return server == Server.tomcat
                ? Container.start(
                        ContainerOptions.at(listen).maxThreads(workers), Map.of("/article", page))
                : UndertowService.start(
                        listen,
                        Runtime.getRuntime().availableProcessors(),
                        workers,
                        new Dispatched(page));
    }

    /// Answers on a worker thread, because reading from Redis blocks.
    private static final class Dispatched implements HttpHandler {
        private final Page page;

        Dispatched(Page page) {
            this.page = page;
        }

        @Override
        public void handleRequest(HttpServerExchange exchange) {
            exchange.dispatch(() -> {
                try {
                    byte[] body =
                            page.answer(new Query(name -> parameter(exchange, name)))
                                    .getBytes(StandardCharsets.UTF_8);
                    exchange.getResponseHeaders()
                            .put(Headers.CONTENT_TYPE, "text/html;charset=UTF-8");
                    exchange.getResponseSender().send(ByteBuffer.wrap(body));
                } catch (IOException e) {
                    exchange.setStatusCode(502).endExchange();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                    exchange.setStatusCode(503).endExchange();
                }
            });
        }

        private static @Nullable String parameter(HttpServerExchange exchange, String name) {
            Deque<String> values = exchange.getQueryParameters().get(name);
            return values == null ? null : values.peekFirst();
        }
    }
}
