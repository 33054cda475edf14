package dev.jdyno.lab.planted;

import dev.jdyno.lab.service.CannotStart;
import dev.jdyno.lab.service.ListenOptions;
import dev.jdyno.lab.service.Running;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;

/// A Netty server that handles requests on the event loops themselves.
final class NettyService implements Running {
    /// Maximum length of a request body. The cases send no bodies.
    private static final int BODY_MAX = 1 << 16;

    private final EventLoopGroup loops;
    private final Channel listener;

    private NettyService(EventLoopGroup loops, Channel listener) {
        this.loops = loops;
        this.listener = listener;
    }

    /// The work of a request, on the event loop that read it.
    interface Work {
        void run() throws IOException;
    }

    static NettyService start(ListenOptions listen, int loopCount, Work work) {
        EventLoopGroup loops =
                new MultiThreadIoEventLoopGroup(loopCount, NioIoHandler.newFactory());
        ChannelFuture bound =
                new ServerBootstrap()
                        .group(loops)
                        .channel(NioServerSocketChannel.class)
                        .childHandler(
                                new ChannelInitializer<SocketChannel>() {
                                    @Override
                                    protected void initChannel(SocketChannel channel) {
                                        channel.pipeline()
                                                .addLast(
                                                        new HttpServerCodec(),
                                                        new HttpObjectAggregator(BODY_MAX),
                                                        new Answer(work));
                                    }
                                })
                        .bind(listen.bind(), listen.port())
                        .awaitUninterruptibly();
        if (!bound.isSuccess()) {
            loops.shutdownGracefully().awaitUninterruptibly();
            throw CannotStart.listening(
                    listen.bind(), listen.port(), String.valueOf(bound.cause().getMessage()));
        }
        return new NettyService(loops, bound.channel());
    }

    @Override
    public int port() {
        return ((InetSocketAddress) listener.localAddress()).getPort();
    }

    @Override
    public void await() throws InterruptedException {
        listener.closeFuture().await();
    }

    @Override
    public void close() {
        listener.close().awaitUninterruptibly();
        loops.shutdownGracefully().awaitUninterruptibly();
    }

    private static final class Answer extends SimpleChannelInboundHandler<HttpRequest> {
        private final Work work;

        Answer(Work work) {
            this.work = work;
        }

        @Override
        protected void channelRead0(ChannelHandlerContext context, HttpRequest request)
                throws IOException {
            work.run();
            FullHttpResponse response =
                    new DefaultFullHttpResponse(
                            HttpVersion.HTTP_1_1,
                            HttpResponseStatus.OK,
                            Unpooled.copiedBuffer("ok\n", StandardCharsets.US_ASCII));
            HttpUtil.setContentLength(response, response.content().readableBytes());
            // if the client has gone, the write may fail without consequences
            ChannelFuture unused = context.writeAndFlush(response);
        }
    }
}
