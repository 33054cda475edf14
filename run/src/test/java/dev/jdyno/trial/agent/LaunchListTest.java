package dev.jdyno.trial.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.measure.text.Problems;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LaunchListTest {
    private final Problems problems = new Problems();

    @Test
    void commandGetsPortInEachPlace() {
        LaunchList list =
                LaunchList.of(
                        List.of(
                                "a=NAME=x java -Dport={port} -jar app.jar {port}",
                                "b.2=java {port}"),
                        problems);

        assertThat(problems.isEmpty()).isTrue();
        assertThat(list.names()).containsExactly("a", "b.2");
        assertThat(list.command("a", 4711)).contains("NAME=x java -Dport=4711 -jar app.jar 4711");
        assertThat(list.command("c", 4711)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "java -jar app.jar {port}",
                "=java {port}",
                "a=",
                "a= ",
                "a b=java {port}",
                "-a=java {port}",
                "a=java -jar app.jar",
                "b=java {port}"
            })
    void reportsMistakeAndLeavesCommandOut(String text) {
        LaunchList list = LaunchList.of(List.of("b=java -jar b.jar {port}", text), problems);

        assertThat(problems.list()).hasSize(1);
        assertThat(list.names()).containsExactly("b");
        assertThat(list.command("b", 1)).contains("java -jar b.jar 1");
    }
}
