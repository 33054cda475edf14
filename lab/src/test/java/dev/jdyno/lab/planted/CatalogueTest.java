package dev.jdyno.lab.planted;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class CatalogueTest {
    private static final List<Label> LABELS = Catalogue.ALL.stream().map(Case::label).toList();

    @Test
    void namesOfCasesAreUnique() {
        assertThat(LABELS).extracting(Label::name).doesNotHaveDuplicates();
    }

    @Test
    void everyLabelIsANameOfTheTaxonomy() throws IOException {
        List<String> taxonomy = taxonomy();

        assertThat(taxonomy).contains("lock", "gc-leak");
        assertThat(LABELS).extracting(Label::bottleneck).isSubsetOf(taxonomy);
        assertThat(LABELS).flatExtracting(Label::also).isSubsetOf(taxonomy);
    }

    @Test
    void nameStartsWithPlantedFault() {
        assertThat(LABELS).allMatch(label -> label.name().startsWith(label.bottleneck()));
    }

    @Test
    void aLineOfTheListIsJson() {
        Label label =
                Label.of("a", "cpu", 20, "x\"y\\z", "n")
                        .also("jit", "lock")
                        .jvm("-Xint")
                        .jdk(21, 23)
                        .needs("root");

        assertThat(label.json())
                .isEqualTo(
                        "{\"case\":\"a\",\"bottleneck\":\"cpu\",\"also\":[\"jit\",\"lock\"],"
                                + "\"whereContains\":\"x\\\"y\\\\z\",\"concurrency\":20,"
                                + "\"jvmArgs\":[\"-Xint\"],\"jdkMin\":21,\"jdkMax\":23,"
                                + "\"needs\":\"root\",\"note\":\"n\"}");
    }

    @Test
    void sameSeedGivesTheSameCases() {
        Vary first = new Vary("cpu", 7);
        Vary again = new Vary("cpu", 7);

        for (int i = 0; i < 100; i++) {
            int drawn = first.between("n", 3, 6);
            assertThat(drawn).isBetween(3, 6).isEqualTo(again.between("n", 3, 6));
        }
        assertThat(first.drawn()).isEqualTo(again.drawn()).startsWith(" n=");
    }

    @Test
    void liftMultipliesTheDrawnValue() {
        Vary lifted = new Vary("cpu", 1, Map.of("n", 0.5));
        int drawn = new Vary("cpu", 1).between("n", 100, 1_000_000);
        assertThat(lifted.unused()).containsExactly("n");
        assertThat(lifted.between("n", 100, 1_000_000))
                .isEqualTo(Math.toIntExact(Math.round(drawn * 0.5)));
        assertThat(lifted.unused()).isEmpty();
    }

    @Test
    void otherSeedGivesOtherCases() {
        assertThat(new Vary("cpu", 1).between("n", 0, 1_000_000))
                .isNotEqualTo(new Vary("cpu", 2).between("n", 0, 1_000_000));
    }

    /// The first word of each row of the table of bottlenecks.
    private static List<String> taxonomy() throws IOException {
        Matcher rows =
                Pattern.compile("(?m)^\\| `([a-z-]+)` \\|")
                        .matcher(Files.readString(Path.of("../docs/bottlenecks.md")));
        return rows.results().map(row -> row.group(1)).toList();
    }
}
