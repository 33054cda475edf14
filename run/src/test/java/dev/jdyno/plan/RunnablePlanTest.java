package dev.jdyno.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jdyno.measure.text.UserError;
import java.net.URI;
import java.util.List;
import org.junit.jupiter.api.Test;

class RunnablePlanTest {
    private static Plan plan(String command) {
        return Plan.of("p", URI.create("http://127.0.0.1:1/"), new Plan.TargetPlan.Launch(command))
                .withKnobs(
                        List.of(
                                new Knob(
                                        "pool",
                                        new Knob.Values.Listed(List.of("8", "16")),
                                        new Knob.Place.Template("conf/app.yaml.tmpl"))));
    }

    @Test
    void refusesPlaceholderThatOnlyTuneFills() {
        Plan plan = plan("java -jar a.jar --config {app.yaml.tmpl}");

        assertThatThrownBy(plan::runnable)
                .isInstanceOfSatisfying(
                        UserError.class,
                        e -> {
                            assertThat(e.what()).contains("{app.yaml.tmpl}");
                            assertThat(e.kind()).isEqualTo(UserError.Kind.USAGE);
                        });
    }

    @Test
    void runsCommandWithoutPlaceholderUnchanged() {
        Plan plan = plan("java -jar a.jar --config conf/app.yaml");

        assertThat(plan.runnable()).isSameAs(plan);
    }

    @Test
    void localVerbsRefuseAgentsOnOtherHosts() {
        Plan loaded =
                PlanFile.parse(
                        "p", "p", "url: http://a/\nagents: {hosts: [lg1], tokenFile: token}\n");
        Plan observed =
                PlanFile.parse(
                        "p",
                        "p",
                        "url: http://a/\ntarget: {observe: 'a:port=80', tokenFile: token}\n");

        for (Plan away : List.of(loaded, observed)) {
            assertThatThrownBy(() -> away.onThisHost("jdyno tune"))
                    .isInstanceOfSatisfying(
                            UserError.class,
                            e -> assertThat(e.kind()).isEqualTo(UserError.Kind.USAGE));
        }
        Plan here = plan("java -jar a.jar");
        assertThat(here.onThisHost("jdyno tune")).isSameAs(here);
    }
}
