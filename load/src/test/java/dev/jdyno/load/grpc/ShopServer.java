package dev.jdyno.load.grpc;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.DescriptorValidationException;
import com.google.protobuf.Descriptors.FileDescriptor;
import com.google.protobuf.DynamicMessage;
import com.google.protobuf.TimestampProto;
import io.grpc.BindableService;
import io.grpc.CompressorRegistry;
import io.grpc.Context;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.Server;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.ServerServiceDefinition;
import io.grpc.ServiceDescriptor;
import io.grpc.Status;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslContext;
import io.grpc.protobuf.ProtoFileDescriptorSupplier;
import io.grpc.protobuf.ProtoUtils;
import io.grpc.protobuf.services.ProtoReflectionService;
import io.grpc.protobuf.services.ProtoReflectionServiceV1;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;

/// The service of {@link Shop} on grpc-java with Netty. The name in a request decides its reply:
/// `fail:5` gives a status, `never` no reply, and any other name a price.
public final class ShopServer implements AutoCloseable {
    private static final Metadata.Key<String> TENANT =
            Metadata.Key.of("tenant", Metadata.ASCII_STRING_MARSHALLER);

    public final AtomicLong calls = new AtomicLong();
    final AtomicLong withDeadline = new AtomicLong();
    final Queue<String> tenants = new ConcurrentLinkedQueue<>();
    private final Descriptor request;
    private final Descriptor reply;
    private final Server server;

    public ShopServer(BindableService... more) throws IOException {
        this(0, Integer.MAX_VALUE, Optional.empty(), more);
    }

    /// A service over TLS.
    ShopServer(SslContext tls, BindableService... more) throws IOException {
        this(0, Integer.MAX_VALUE, Optional.of(tls), more);
    }

    /// @param streams maximum number of concurrent streams of a connection
    public ShopServer(int streams, BindableService... more) throws IOException {
        this(0, streams, Optional.empty(), more);
    }

    private ShopServer(int port, int streams, Optional<SslContext> tls, BindableService... more)
            throws IOException {
        FileDescriptor file = file();
        request = file.findMessageTypeByName("PriceRequest");
        reply = file.findMessageTypeByName("PriceReply");
        NettyServerBuilder builder =
                NettyServerBuilder.forAddress(
                                new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), port))
                        .maxConcurrentCallsPerConnection(streams)
                        .compressorRegistry(CompressorRegistry.getDefaultInstance())
                        .intercept(new Watching())
                        .directExecutor()
                        .addService(service(file));
        tls.ifPresent(builder::sslContext);
        for (BindableService service : more) {
            builder.addService(service);
        }
        server = builder.build().start();
    }

    /// Serves on a port until it is ended, for `bench/load/grpc.py` and manual tests. Old clients,
    /// such as ghz 0.93, only know v1alpha of server reflection.
    @SuppressWarnings("deprecation")
    public static void main(String[] args) throws IOException, InterruptedException {
        BindableService v1 = ProtoReflectionServiceV1.newInstance();
        BindableService v1alpha = ProtoReflectionService.newInstance();
        new ShopServer(Integer.parseInt(args[0]), Integer.MAX_VALUE, Optional.empty(), v1, v1alpha)
                .server.awaitTermination();
    }

    public URI url() {
        return URI.create("http://127.0.0.1:" + server.getPort() + Shop.PRICE);
    }

    private static FileDescriptor file() {
        try {
            return FileDescriptor.buildFrom(
                    Shop.FILE, new FileDescriptor[] {TimestampProto.getDescriptor()});
        } catch (DescriptorValidationException e) {
            throw new IllegalStateException(e);
        }
    }

    private ServerServiceDefinition service(FileDescriptor file) {
        ProtoFileDescriptorSupplier schema = () -> file;
        MethodDescriptor<DynamicMessage, DynamicMessage> price = method("price", MethodType.UNARY);
        MethodDescriptor<DynamicMessage, DynamicMessage> watch =
                method("watch", MethodType.SERVER_STREAMING);
        return ServerServiceDefinition.builder(
                        ServiceDescriptor.newBuilder("shop.Prices")
                                .setSchemaDescriptor(schema)
                                .addMethod(price)
                                .addMethod(watch)
                                .build())
                .addMethod(price, ServerCalls.asyncUnaryCall(this::price))
                .addMethod(watch, ServerCalls.asyncServerStreamingCall(this::watch))
                .build();
    }

    private MethodDescriptor<DynamicMessage, DynamicMessage> method(String name, MethodType type) {
        return MethodDescriptor.<DynamicMessage, DynamicMessage>newBuilder()
                .setType(type)
                .setFullMethodName("shop.Prices/" + name)
                .setRequestMarshaller(
                        ProtoUtils.marshaller(DynamicMessage.getDefaultInstance(request)))
                .setResponseMarshaller(
                        ProtoUtils.marshaller(DynamicMessage.getDefaultInstance(reply)))
                .build();
    }

    /// Sends as many prices as the id says.
    private void watch(DynamicMessage asked, StreamObserver<DynamicMessage> to) {
        calls.incrementAndGet();
        int wanted = (Integer) asked.getField(request.findFieldByName("id"));
        for (int i = 0; i < wanted; i++) {
            to.onNext(DynamicMessage.newBuilder(reply).build());
        }
        to.onCompleted();
    }

    private void price(DynamicMessage asked, StreamObserver<DynamicMessage> to) {
        calls.incrementAndGet();
        if (Context.current().getDeadline() != null) {
            withDeadline.incrementAndGet();
        }
        String name = (String) asked.getField(request.findFieldByName("name"));
        if (name.startsWith("fail:")) {
            int code = Integer.parseInt(name.substring("fail:".length()));
            to.onError(
                    Status.fromCodeValue(code)
                            .withDescription("asked for 100 %")
                            .asRuntimeException());
        } else if (!name.equals("never")) {
            to.onNext(
                    DynamicMessage.newBuilder(reply)
                            .setField(
                                    reply.findFieldByName("id"),
                                    asked.getField(request.findFieldByName("id")))
                            .setField(reply.findFieldByName("price"), 2.5)
                            .setField(reply.findFieldByName("note"), name)
                            .build());
            to.onCompleted();
        }
    }

    private final class Watching implements ServerInterceptor {
        @Override
        public <A, B> ServerCall.Listener<A> interceptCall(
                ServerCall<A, B> call, Metadata headers, ServerCallHandler<A, B> next) {
            String tenant = headers.get(TENANT);
            if (tenant != null) {
                tenants.add(tenant);
            }
            call.setCompression("gzip");
            call.setMessageCompression(true);
            return next.startCall(call, headers);
        }
    }

    @Override
    public void close() {
        server.shutdownNow();
    }
}
