package dev.jdyno.observe.threads;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.target.Jcmd;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class CompileQueueTest {
    /// Output of JDK 25.0.3 and 17.0.15 in a service with starved compilers, shortened.
    private static final String STARVED =
            """
            Current compiles:\s
            C2 CompilerThread0  6807       4       org.h2.util.StringUtils::toUpperEnglish (86 bytes)
            C1 CompilerThread0  8622       1       java.util.Collections$EmptyMap::hashCode (2 bytes)

            C1 compile queue:
            8046       3       java.lang.StringBuilder::indexOf (6 bytes)
            8047  s    3       java.lang.AbstractStringBuilder::indexOf (7 bytes)
             948 %  !  3       org.thymeleaf.engine.Attributes::<init> @ 12 (20 bytes)

            C2 compile queue:
            1803       4       jdk.internal.org.objectweb.asm.SymbolTable$Entry::<init> (17 bytes)

            """;

    @Test
    void countsQueuedMethodsButNotMethodsInCompilation() {
        assertThat(CompileQueue.length(STARVED)).contains(4);
    }

    @Test
    void emptyQueuesAreEmpty() {
        assertThat(
                        CompileQueue.length(
                                "Current compiles: \n\nC1 compile queue:\nEmpty\n\nC2 compile queue:\nEmpty\n"))
                .contains(0);
    }

    @Test
    void jvmWithoutCompilersHasEmptyQueue() {
        assertThat(CompileQueue.length("Current compiles: \n\n")).contains(0);
    }

    @Test
    void replyThatIsNoCompileQueueIsRefused() {
        assertThat(CompileQueue.length("")).isEmpty();
        assertThat(
                        CompileQueue.length(
                                "java.lang.IllegalArgumentException: Unknown diagnostic command"))
                .isEmpty();
        assertThat(CompileQueue.length("8046       3       a::b (6 bytes)")).isEmpty();
    }

    @Test
    void queueOfARealJvmIsRead() throws InterruptedException {
        Optional<Integer> here =
                CompileQueue.length(
                        new Jcmd(ProcessHandle.current().pid()).run(CompileQueue.COMMAND));

        assertThat(here).hasValueSatisfying(n -> assertThat(n).isNotNegative());
    }
}
