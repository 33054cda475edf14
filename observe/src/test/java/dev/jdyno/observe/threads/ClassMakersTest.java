package dev.jdyno.observe.threads;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.measure.thread.Signals;
import dev.jdyno.measure.thread.Signals.Sign;
import dev.jdyno.observe.stacks.Frames;
import dev.jdyno.observe.stacks.StackClassifier;
import dev.jdyno.observe.stacks.ThreadDump.JavaThread;
import dev.jdyno.observe.stacks.ThreadDump.State;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ClassMakersTest {
    private final Frames frames = Frames.builtIn();

    private SampledThread thread(String below, String... stack) {
        var thread =
                new JavaThread(
                        "exec-1",
                        7,
                        State.RUNNABLE,
                        Optional.empty(),
                        Stream.concat(Stream.of(stack), Stream.of(below)).toList(),
                        Optional.empty(),
                        List.of());
        return new SampledThread(
                new StackClassifier(frames).classify(thread), Optional.empty(), false);
    }

    private SampledThread request(String... stack) {
        return thread("jakarta.servlet.http.HttpServlet.service", stack);
    }

    private Signals of(SampledThread... threads) {
        var makers = new ClassMakers(frames);
        makers.add(List.of(threads));
        return makers.signals();
    }

    /// The compiler has many frames. The caller that requested the class is below the outermost of
    /// them.
    @Test
    void namesCallerOfCompilerInEachRequest() {
        Signals reported =
                of(
                        request(
                                "groovyjarjarantlr4.v4.runtime.misc.MurmurHash.update",
                                "org.codehaus.groovy.control.CompilationUnit.compile",
                                "groovy.lang.GroovyClassLoader.parseClass",
                                "com.acme.Scripts.of",
                                "com.acme.Page.get"),
                        request("java.lang.String.indexOf", "com.acme.Page.get"));

        assertThat(reported.of(Sign.MAKES_CLASSES_SHARE)).contains(0.5);
        assertThat(reported.place(Sign.MAKES_CLASSES_SHARE))
                .contains("Groovy in com.acme.Scripts.of");
    }

    @Test
    void compilerOfTheJdkIsAClassMakerToo() {
        assertThat(
                        of(request(
                                        "com.sun.org.apache.xalan.internal.xsltc.compiler.XSLTC.compile",
                                        "com.sun.org.apache.xalan.internal.xsltc.trax.TransformerFactoryImpl.newTemplates",
                                        "org.basex.query.func.xslt.XsltTransform.transform"))
                                .place(Sign.MAKES_CLASSES_SHARE))
                .contains("XSLT in org.basex.query.func.xslt.XsltTransform.transform");
    }

    /// Lambdas that a background thread links belong to no request.
    @Test
    void onlyThreadsAtWorkCount() {
        assertThat(of(thread("java.lang.Thread.run", "net.bytebuddy.ByteBuddy.subclass")))
                .isEqualTo(Signals.NONE);
        assertThat(of(request("com.acme.Page.get")).of(Sign.MAKES_CLASSES_SHARE)).contains(0.0);
    }
}
