package dev.jdyno.load.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@EnabledOnOs(OS.LINUX)
class SchedulingTest {
    private static final int NICE_FIELD_AFTER_NAME = 16;

    /// Nice value of the calling thread, from a line such as `4711 (name) S 1 … 20 -10 …`.
    private static int nice() {
        try {
            String stat = Files.readString(Path.of("/proc/thread-self/stat"));
            String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
            return Integer.parseInt(fields[NICE_FIELD_AFTER_NAME]);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void raisesPriorityAndRestoresNiceness() throws InterruptedException {
        List<Integer> nice = new ArrayList<>();
        Thread thread =
                Thread.ofPlatform()
                        .start(() -> {
                            var scheduling = new Scheduling();
                            nice.add(nice());
                            scheduling.shortTurns(false);
                            nice.add(nice());
                            scheduling.shortTurns(true);
                            nice.add(nice());
                            scheduling.shortTurns(false);
                            nice.add(nice());
                        });
        thread.join();

        int own = nice.get(0);
        // Only a thread that may raise its priority does so. A higher nice value that the user has
        // set stays.
        assertThat(nice.get(2)).isIn(own > 0 ? List.of(own) : List.of(own, -20));
        assertThat(nice.get(1)).isEqualTo(own);
        assertThat(nice.get(3)).isEqualTo(own);
    }
}
