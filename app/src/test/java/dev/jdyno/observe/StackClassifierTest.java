package dev.jdyno.observe;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.measure.Cause;
import dev.jdyno.observe.ThreadDump.JavaThread;
import dev.jdyno.observe.ThreadDump.State;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class StackClassifierTest {
    private final StackClassifier classifier = new StackClassifier(Frames.builtIn());

    private Classified runnable(String... frames) {
        return classifier.classify(
                new JavaThread(
                        "exec-1",
                        7,
                        State.RUNNABLE,
                        Optional.empty(),
                        List.of(frames),
                        Optional.empty(),
                        List.of()));
    }

    private static Optional<Cause> cause(Classified thread) {
        return thread.doing().map(Doing::cause);
    }

    /// As dumped from Tomcat 10.1 on JDK 17.0: sockets are written through the files' dispatcher.
    @Test
    void aSocketWrittenThroughTheFilesCodeIsNoDiskWrite() {
        assertThat(
                        cause(
                                runnable(
                                        "sun.nio.ch.FileDispatcherImpl.write0",
                                        "sun.nio.ch.SocketDispatcher.write",
                                        "sun.nio.ch.IOUtil.writeFromNativeBuffer",
                                        "sun.nio.ch.SocketChannelImpl.write",
                                        "org.apache.catalina.connector.CoyoteOutputStream.write",
                                        "com.acme.Page.get",
                                        "jakarta.servlet.http.HttpServlet.service")))
                .contains(Cause.CPU);
    }

    @Test
    void aFileWrittenThroughTheSameCodeIsOne() {
        assertThat(
                        cause(
                                runnable(
                                        "sun.nio.ch.FileDispatcherImpl.write0",
                                        "sun.nio.ch.IOUtil.writeFromNativeBuffer",
                                        "sun.nio.ch.FileChannelImpl.write",
                                        "com.acme.Page.get",
                                        "jakarta.servlet.http.HttpServlet.service")))
                .contains(Cause.DISK);
    }

    @Test
    void anEventLoopInItsSelectorIsIdleAndOneInAHandlerIsNot() {
        Classified idle =
                runnable(
                        "sun.nio.ch.EPoll.wait",
                        "sun.nio.ch.SelectorImpl.select",
                        "io.netty.channel.SingleThreadIoEventLoop.run");
        Classified blocked =
                runnable(
                        "java.net.Socket$SocketInputStream.read",
                        "com.acme.Handler.call",
                        "io.netty.channel.AbstractChannelHandlerContext.fireChannelRead",
                        "io.netty.channel.SingleThreadIoEventLoop.run");

        assertThat(idle.loop()).isTrue();
        assertThat(idle.doing()).isEmpty();
        assertThat(blocked.loop()).isTrue();
        assertThat(cause(blocked)).contains(Cause.DOWNSTREAM);
    }
}
