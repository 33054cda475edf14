package dev.jdyno.lab.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class QueryTest {
    @ParameterizedTest
    @CsvSource({
        "4096,4096",
        "64k,65536",
        "2m,2097152",
        "2M,2097152",
        "1.5k,1536",
        "1024m,1073741824"
    })
    void readsSizesWithUnits(String given, int bytes) {
        assertThat(query("bytes", given).bytes("bytes", 1)).isEqualTo(bytes);
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "-1", "1025m", "two", "m", "NaN", ""})
    void refusesInvalidSizes(String given) {
        assertThatThrownBy(() -> query("bytes", given).bytes("bytes", 1))
                .isInstanceOf(BadQuery.class)
                .hasMessageStartingWith("bytes=" + given + ": ");
    }

    @ParameterizedTest
    @ValueSource(strings = {"-1", "60001", "x", "NaN"})
    void refusesInvalidTimes(String given) {
        assertThatThrownBy(() -> query("ms", given).millis("ms", 1)).isInstanceOf(BadQuery.class);
    }

    @Test
    void missingParameterHasItsDefault() {
        Query empty = new Query(name -> null);

        assertThat(empty.millis("ms", 50)).isEqualTo(50);
        assertThat(empty.bytes("bytes", 7)).isEqualTo(7);
        assertThat(empty.flag("burn")).isFalse();
    }

    @Test
    void readsBooleanParameters() {
        assertThat(query("burn", "true").flag("burn")).isTrue();
        assertThat(query("burn", "").flag("burn")).isTrue();
        assertThat(query("burn", "false").flag("burn")).isFalse();
        assertThatThrownBy(() -> query("burn", "yes").flag("burn")).isInstanceOf(BadQuery.class);
    }

    private static Query query(String name, String given) {
        return new Query(Map.of(name, given)::get);
    }
}
