package dev.jdyno.report.words;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FrameNameTest {
    @ParameterizedTest
    @CsvSource({
        "com.acme.Page.get, Page.get",
        "Page.get, Page.get",
        "com.acme.Page$Row.<init>, Page$Row.<init>",
        "com.acme.Page.lambda$get$0, Page.lambda$get$0",
        "com.acme.Page$$Lambda.0x00007f1c2c0d3.apply, Page$$Lambda.0x00007f1c2c0d3.apply",
        "com.acme.Page$$Lambda/0x00007f1c2c0d3.apply, Page$$Lambda/0x00007f1c2c0d3.apply"
    })
    void keepsClassAndMethodOfJavaFrame(String frame, String brief) {
        assertThat(FrameName.isJava(frame)).isTrue();
        assertThat(FrameName.brief(frame)).isEqualTo(brief);
    }

    @ParameterizedTest
    @CsvSource({
        "pthread_mutex_lock@@GLIBC_2.2.5, pthread_mutex_lock",
        "memcpy@GLIBC_2.2.5, memcpy",
        "read@plt, read@plt",
        "finish_task_switch.isra.0_[k], finish_task_switch.isra.0_[k]",
        "__memmove_avx.part.0, __memmove_avx.part.0",
        "deflate_slow.cold, deflate_slow.cold",
        "a.part.0.cold, a.part.0.cold",
        "libc.so.6, libc.so.6",
        "G1ParScanThreadState::trim, G1ParScanThreadState::trim",
        "'void Table<A.B, C>::iterate(D)', 'void Table<A.B, C>::iterate(D)'",
        "start_thread, start_thread",
        "http-nio-exec, http-nio-exec"
    })
    void keepsNativeNameWithoutVersion(String frame, String brief) {
        assertThat(FrameName.isJava(frame)).isFalse();
        assertThat(FrameName.brief(frame)).isEqualTo(brief);
    }
}
