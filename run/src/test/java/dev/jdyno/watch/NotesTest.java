package dev.jdyno.watch;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class NotesTest {
    private final List<String> printed = new ArrayList<>();
    private final Notes notes = new Notes(printed::add);

    @Test
    void troubleIsReportedOnce() {
        notes.add("a");
        notes.add("b");
        notes.add("a");
        notes.end();

        assertThat(printed).containsExactly("a", "b");
    }

    @Test
    void troublesAboveTheMaximumAreAnnouncedAndCounted() {
        for (int i = 0; i < Notes.MAX + 7; i++) {
            notes.add("trouble " + i);
            notes.add("trouble 0");
        }
        assertThat(printed).hasSize(Notes.MAX + 1);

        notes.end();
        assertThat(printed).hasSize(Notes.MAX + 2);
        assertThat(printed.getLast()).endsWith(": 7");
    }

    @Test
    void nothingIsAnnouncedAtTheMaximum() {
        for (int i = 0; i < Notes.MAX; i++) {
            notes.add("trouble " + i);
        }
        notes.end();

        assertThat(printed).hasSize(Notes.MAX).doesNotHaveDuplicates();
    }
}
