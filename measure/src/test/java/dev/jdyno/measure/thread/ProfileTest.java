package dev.jdyno.measure.thread;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ProfileTest {
    /// A profile of two pools. One waits in native code called by the service's method, the other
    /// one has only native code.
    private static Profile profile() {
        return new Profile(
                Profile.Kind.WALL,
                "async-profiler",
                16,
                100,
                0.01,
                0,
                new Profile.Node(
                        "all",
                        150,
                        List.of(
                                stack(
                                        100,
                                        "render",
                                        "java.lang.Thread.run",
                                        "com.acme.Page.render",
                                        "java.util.concurrent.FutureTask.get",
                                        "Unsafe_Park",
                                        "Parker::park",
                                        "__futex_abstimed_wait_common"),
                                stack(50, "GC Thread", "start_thread", "G1Work::drain"))));
    }

    private static Profile.Node stack(long samples, String... frames) {
        List<Profile.Node> below = List.of();
        for (String frame : List.of(frames).reversed()) {
            below = List.of(new Profile.Node(frame, samples, below));
        }
        return below.getFirst();
    }

    @Test
    void attributesNativeCodeToCallingMethod() {
        assertThat(profile().samplesByApplicationFrame())
                .containsEntry("com.acme.Page.render", 100L)
                .containsEntry("G1Work::drain", 50L)
                .doesNotContainKey("__futex_abstimed_wait_common");
        assertThat(profile().samplesOf("render")).isEqualTo(100);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "__futex_abstimed_wait_common",
                "Parker::park",
                "std::vector<a.b>::at",
                "finish_task_switch.isra.0_[k]",
                "copy.constprop.0",
                "libc.so.6",
                "[libjvm.so]"
            })
    void aNameWithoutAClassIsNativeCode(String frame) {
        assertThat(Profile.isNative(frame)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "com.acme.Page.render",
                "com.acme.Plan.part",
                "Main.main",
                "com.acme.App$$Lambda.0x00000000551308a8.handle",
                "com.acme.Scala$.$plus"
            })
    void aNameWithAClassIsAMethod(String frame) {
        assertThat(Profile.isOfTheApplication(frame)).isTrue();
    }

    /// A service that allocates much, so the flight recorder itself has a share of the samples.
    @Test
    void removesSamplesOfObserver() {
        Profile.Node recorder = new Profile.Node("JfrStackTrace::record", 30, List.of());
        Profile.Node work = new Profile.Node("com.acme.Work.run", 100, List.of(recorder));
        Profile.Node own = new Profile.Node("jdk.jfr.internal.Chunk.write", 7, List.of());
        Profile all =
                new Profile(
                        Profile.Kind.CPU,
                        "async-profiler",
                        20,
                        100,
                        0.01,
                        0,
                        new Profile.Node(
                                "all",
                                107,
                                List.of(new Profile.Node("pool", 107, List.of(work, own)))));

        Profile left = all.withoutObserver();

        assertThat(left.root().samples()).isEqualTo(70);
        assertThat(left.samplesByApplicationFrame())
                .containsOnly(Map.entry("com.acme.Work.run", 70L));
        assertThat(left.withoutObserver()).isSameAs(left);
    }
}
