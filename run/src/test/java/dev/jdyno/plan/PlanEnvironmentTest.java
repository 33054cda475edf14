package dev.jdyno.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.jdyno.measure.load.Workload.Step;
import dev.jdyno.measure.text.UserError;
import dev.jdyno.measure.thread.MethodName;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// `${NAME}` in plans, and which of these values and secrets the record of a run contains.
class PlanEnvironmentTest {
    private static final Map<String, String> SET =
            Map.ofEntries(
                    Map.entry("BASE", "http://127.0.0.1:8080"),
                    Map.entry("USER", "ann"),
                    Map.entry("TOKEN", "s3cret-token"),
                    Map.entry("PASSWORD", "s3cret: \"word\" ${x} $${y}"),
                    Map.entry("LENGTH", "5s"),
                    Map.entry("LOAD", "4"),
                    Map.entry("LIMIT", "100ms"),
                    Map.entry("EMPTY", ""),
                    Map.entry("PID", "4711"));

    private static final Environment ENVIRONMENT = name -> Optional.ofNullable(SET.get(name));

    private static final String PLAN =
            """
            name: ${USER}
            url: ${BASE}/item?id=1&token=${TOKEN}
            headers:
              Authorization: Bearer ${TOKEN}
              X-Literal: $${TOKEN} costs $5
            body: '{"user": "${USER}", "password": "${PASSWORD}"}'
            target: {pid: '${PID}'}
            rounds: {length: '${LENGTH}', concurrency: [8, '${LOAD}']}
            goal: p99<${LIMIT}
            look: {stages: ['com.acme.Shop.${USER}']}
            """;

    @Test
    void replacesVariablesInAllValuesOfPlan() {
        Plan plan = parsed(PLAN);

        assertThat(plan.name()).isEqualTo("ann");
        assertThat(plan.url()).hasToString("http://127.0.0.1:8080/item?id=1&token=s3cret-token");
        assertThat(plan.headers())
                .containsEntry("Authorization", "Bearer s3cret-token")
                .containsEntry("X-Literal", "${TOKEN} costs $5");
        assertThat(plan.body())
                .contains("{\"user\": \"ann\", \"password\": \"" + SET.get("PASSWORD") + "\"}");
        assertThat(plan.target()).isEqualTo(new Plan.TargetPlan.Attach(4711));
        assertThat(plan.rounds().length()).isEqualTo(Duration.ofSeconds(5));
        assertThat(plan.rounds().concurrency()).containsExactly(4, 8);
        assertThat(plan.search().orElseThrow().goals().getFirst().name()).isEqualTo("p99<100ms");
        assertThat(plan.inside().stages()).containsExactly(new MethodName("com.acme.Shop", "ann"));
    }

    @Test
    void recordKeepsVariableReferencesAndReadsBack() {
        Plan plan = parsed(PLAN);

        String text = PlanText.of(plan);

        assertThat(text)
                .contains(
                        "Bearer ${TOKEN}",
                        "${BASE}/item",
                        "token=${TOKEN}",
                        "${PASSWORD}",
                        "$${TOKEN} costs $5",
                        "${PID}",
                        "${LENGTH}",
                        "${LOAD}",
                        "${LIMIT}",
                        "com.acme.Shop.${USER}")
                .doesNotContain("s3cret", "***", "4711", "5s");
        assertThat(parsed(text).with(Written.NONE)).isEqualTo(plan.with(Written.NONE));
    }

    @Test
    void writesReplacedValueLiterally() {
        Plan plan = parsed(PLAN).named("other").withRounds(Plan.Rounds.DEFAULT);

        assertThat(PlanText.of(plan)).contains("\"other\"", "length: 6000ms");
    }

    @Test
    void reportsUnsetVariablesWithLineAndKey() {
        var error =
                catchThrowableOfType(
                        UserError.class,
                        () ->
                                parsed(
                                        """
                                        url: ${NO_URL}/
                                        headers:
                                          X-Token: a ${NO_TOKEN} and ${TOKEN} and ${}
                                        rounds: {length: '${TOKEN}'}
                                        target: {pid: '${TOKEN}'}
                                        workload:
                                          journeys:
                                            - steps:
                                              - path: /a?b=${NO_PATH}
                                        """));

        assertThat(error.kind()).isEqualTo(UserError.Kind.USAGE);
        assertThat(error.what()).isEqualTo("the plan plan.yaml has 6 mistakes");
        assertThat(error.why())
                .contains(
                        "plan.yaml:1 url: the environment variable NO_URL is not set",
                        "plan.yaml:3 headers.X-Token: the environment variable NO_TOKEN is not set",
                        "plan.yaml:3 headers.X-Token: '${}' is no environment variable",
                        "plan.yaml:4 rounds.length: ",
                        "plan.yaml:5 target.pid: '${TOKEN}' is not a number",
                        "plan.yaml:9 workload.journeys[0].steps[0].path: the environment variable"
                                + " NO_PATH is not set")
                .as("values of variables are not shown")
                .doesNotContain("s3cret");
    }

    @Test
    void workloadNamesPrecedeEnvironmentVariables(@TempDir Path folder) throws IOException {
        Files.writeString(folder.resolve("users.csv"), "USER,name\nbob,Bob\n");
        String workload =
                """
                journeys:
                  - steps:
                      - path: /login?k=${TOKEN}&u=${USER}
                        headers: {X-Key: '${TOKEN}', X-Name: '${name}', X-Number: '${user}'}
                        body: '${PASSWORD} $${literal}'
                        take: {session: json /id}
                      - path: /orders/${session}
                        poll: {path: '/jobs/${session}?k=${TOKEN}', until: {contains: '${USER}'}}
                data: {file: users.csv}
                """;
        Files.writeString(folder.resolve("shop.yaml"), workload);
        Plan inFile = in(folder, "url: http://h:1/\nworkload: shop.yaml\n");

        List<Step> steps = inFile.workload().orElseThrow().journeys().getFirst().steps();
        assertThat(steps.getFirst().path()).isEqualTo("/login?k=s3cret-token&u=${USER}");
        assertThat(steps.getFirst().name()).as("shown").doesNotContain("s3cret");
        assertThat(steps.getFirst().headers())
                .containsEntry("X-Key", "s3cret-token")
                .containsEntry("X-Name", "${name}")
                .containsEntry("X-Number", "${user}");
        assertThat(steps.getFirst().body())
                .as("what a variable holds is no hole")
                .isEqualTo("s3cret: \"word\" $${x} $$${y} $${literal}");
        assertThat(steps.getLast().path()).isEqualTo("/orders/${session}");
        assertThat(steps.getLast().poll().orElseThrow().path())
                .isEqualTo("/jobs/${session}?k=s3cret-token");
        Plan inPlan = in(folder, "url: http://h:1/\nworkload:\n" + workload.indent(2));
        assertThat(inPlan.workload()).isEqualTo(inFile.workload());
        assertThat(PlanText.of(inPlan))
                .isEqualTo(PlanText.of(inFile))
                .contains("/login?k=${TOKEN}&u=${USER}", "${PASSWORD} $${literal}")
                .doesNotContain("s3cret");
        assertThat(in(folder, PlanText.of(inFile)).workload()).isEqualTo(inFile.workload());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    url: http://u:s3cret@h/a?token=s3cret&id=7        | http://***@h/a?token=***&id=7
                    url: http://h/ \\n headers: {X-Api-Key: s3cret}    | "X-Api-Key": "***"
                    url: http://h/ \\n headers: {Cookie: s3cret=1}     | "Cookie": "***"
                    url: http://h/ \\n body: user=a&password=s3cret    | user=a&password=***
                    url: http://h/ \\n body: '{"a":{"secret":"s3cret"}}' | {\\"a\\":{\\"secret\\":\\"***\\"}}
                    url: http://h/ \\n target: {launch: 'java -Dx.password=s3cret -jar a.jar'} | java -Dx.password=*** -jar a.jar
                    url: http://h/ \\n target: {launch: 'A_TOKEN=s3cret java --api-key s3cret'} | A_TOKEN=*** java --api-key ***
                    url: http://h/ \\n workload: {journeys: [{steps: [{path: '/a?token=s3cret', headers: {Authorization: s3cret}, body: '{"password":"s3cret"}', check: {json: '/token=s3cret'}}]}]} | /a?token=***
                    url: http://h/ \\n headers: {Authorization: 'Basic s3cret${EMPTY}'} | "Basic ***"
                    """)
    void masksSecretsAndAddsANoteOnThat(String plan, String shown) {
        String text = PlanText.of(parsed(plan.replace(" \\n ", "\n")));

        assertThat(text).doesNotContain("s3cret").contains(shown);
        assertThat(text.lines().findFirst().orElseThrow()).startsWith("#").contains("masked");
        assertThat(parsed(text)).as("still a plan").isNotNull();
    }

    @Test
    void planWithoutSecretsHasNoMaskNote() {
        assertThat(PlanText.of(parsed("url: http://h/?monkey=1"))).doesNotContain("***", "#  ");
    }

    private static Plan parsed(String text) {
        return PlanFile.parse("plan.yaml", "plan", text, ENVIRONMENT);
    }

    private static Plan in(Path folder, String text) {
        return PlanFile.parse(folder.resolve("plan.yaml").toString(), "plan", text, ENVIRONMENT);
    }
}
