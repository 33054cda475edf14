package dev.jdyno.bench;

import com.sun.net.httpserver.HttpServer;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http.HttpVersion;
import io.undertow.Undertow;
import io.vertx.core.AbstractVerticle;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Vertx;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.concurrent.Executors;
import org.apache.catalina.startup.Tomcat;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.Callback;

/// A page that answers "ok", on the HTTP server named by the first argument, mostly with that
/// server's defaults. It listens on a free port of the loopback device and prints `port N`.
public final class Fast {
    static final String ANSWER = "ok";
    static final String HOST = "127.0.0.1";
    private static final byte[] BYTES = ANSWER.getBytes(StandardCharsets.US_ASCII);

    private Fast() {}

    public static void main(String[] args) throws Exception {
        int port =
                switch (args[0]) {
                    case "tomcat" -> tomcat();
                    case "jetty" -> jetty();
                    case "undertow" -> undertow();
                    case "netty" -> netty();
                    case "jdk" -> jdk();
                    case "vertx" -> vertx();
                    case "helidon" -> FastHelidon.start();
                    default -> throw new IllegalArgumentException("no such server: " + args[0]);
                };
        System.out.println("port " + port);
    }

    private static int tomcat() throws Exception {
        var tomcat = new Tomcat();
        tomcat.setBaseDir(Files.createTempDirectory("fast-tomcat").toString());
        tomcat.setHostname(HOST);
        tomcat.setPort(0);
        tomcat.getConnector().setProperty("address", HOST);
        // the default closes a connection after 100 requests
        tomcat.getConnector().setProperty("maxKeepAliveRequests", "-1");
        var context = tomcat.addContext("", null);
        Tomcat.addServlet(
                context,
                "ok",
                new HttpServlet() {
                    @Override
                    protected void doGet(HttpServletRequest request, HttpServletResponse response)
                            throws IOException {
                        response.setContentType("text/plain");
                        response.setContentLength(BYTES.length);
                        response.getOutputStream().write(BYTES);
                    }
                });
        context.addServletMappingDecoded("/", "ok");
        tomcat.start();
        return tomcat.getConnector().getLocalPort();
    }

    private static int jetty() throws Exception {
        var server = new Server();
        var connector = new ServerConnector(server);
        connector.setHost(HOST);
        server.addConnector(connector);
        server.setHandler(
                new Handler.Abstract() {
                    @Override
                    public boolean handle(Request request, Response response, Callback callback) {
                        response.getHeaders().put("Content-Type", "text/plain");
                        Content.Sink.write(response, true, ANSWER, callback);
                        return true;
                    }
                });
        server.start();
        return connector.getLocalPort();
    }

    private static int undertow() {
        var server =
                Undertow.builder()
                        .addHttpListener(0, HOST)
                        .setHandler(exchange -> exchange.getResponseSender().send(ANSWER))
                        .build();
        server.start();
        return ((InetSocketAddress) server.getListenerInfo().get(0).getAddress()).getPort();
    }

    private static int netty() throws Exception {
        var loops = new MultiThreadIoEventLoopGroup(NioIoHandler.newFactory());
        var channel =
                new ServerBootstrap()
                        .group(loops)
                        .channel(NioServerSocketChannel.class)
                        .childHandler(
                                new ChannelInitializer<SocketChannel>() {
                                    @Override
                                    protected void initChannel(SocketChannel opened) {
                                        opened.pipeline()
                                                .addLast(new HttpServerCodec())
                                                .addLast(new HttpObjectAggregator(65_536))
                                                .addLast(new Ok());
                                    }
                                })
                        .bind(HOST, 0)
                        .sync()
                        .channel();
        return ((InetSocketAddress) channel.localAddress()).getPort();
    }

    private static final class Ok extends SimpleChannelInboundHandler<FullHttpRequest> {
        @Override
        protected void channelRead0(ChannelHandlerContext context, FullHttpRequest request) {
            var response =
                    new DefaultFullHttpResponse(
                            HttpVersion.HTTP_1_1,
                            HttpResponseStatus.OK,
                            Unpooled.wrappedBuffer(ByteBuffer.wrap(BYTES)));
            response.headers().set(HttpHeaderNames.CONTENT_LENGTH, BYTES.length);
            context.writeAndFlush(response);
        }
    }

    private static int jdk() throws IOException {
        var server =
                HttpServer.create(new InetSocketAddress(InetAddress.getByName(HOST), 0), 1024);
        server.createContext(
                "/",
                exchange -> {
                    exchange.sendResponseHeaders(200, BYTES.length);
                    exchange.getResponseBody().write(BYTES);
                    exchange.close();
                });
        server.setExecutor(Executors.newFixedThreadPool(16));
        server.start();
        return server.getAddress().getPort();
    }

    private static int vertx() throws Exception {
        var vertx = Vertx.vertx();
        // all instances of a verticle share the port of the first one
        int port;
        try (var free = new java.net.ServerSocket(0, 1, InetAddress.getByName(HOST))) {
            port = free.getLocalPort();
        }
        vertx.deployVerticle(
                        () ->
                                new AbstractVerticle() {
                                    @Override
                                    public void start(io.vertx.core.Promise<Void> started) {
                                        vertx.createHttpServer()
                                                .requestHandler(r -> r.response().end(ANSWER))
                                                .listen(port, HOST)
                                                .<Void>mapEmpty()
                                                .onComplete(started);
                                    }
                                },
                        new DeploymentOptions()
                                .setInstances(Runtime.getRuntime().availableProcessors()))
                .toCompletionStage()
                .toCompletableFuture()
                .get();
        return port;
    }
}
