package dev.jdyno.junit;

import org.junit.jupiter.api.Test;

/// Test classes that run inside other tests.
final class Samples {
    private Samples() {}

    @Dyno(
            plan = "shop.yaml",
            options = {"--label", "sample"})
    static class OfClass {
        @Test
        void rateUnderTheP99GoalIsAtLeast500(RunResult result) {
            result.assertThat().rateUnder("p99<100ms").isAtLeast(500);
        }

        @Test
        void cpuTimeOfARequestIsAtMostAMicrosecond(RunResult result) {
            result.assertThat().cpuMsPerRequest().isAtMost(0.001);
        }

        @Test
        void testWithoutAParameterUsesNoResult() {}
    }

    static class OfMethods {
        @Test
        @Dyno
        void measuresAtTheAddressOfTheTest(Dynamometer dynamometer) {
            dynamometer.at("http://localhost:1234/hello").concurrency(1, 8).run();
        }

        @Test
        @Dyno(plan = "shop.yaml")
        void planReceivesThePortOfTheTest(Dynamometer dynamometer) {
            dynamometer.env("PORT", 1234).run();
        }
    }

    static class Guarded {
        @Test
        @Dyno(plan = "shop.yaml")
        void serviceHasNoRegression(GuardResult result) {
            result.assertThat().hasNoRegression();
        }
    }

    static class Strict {
        @Test
        @Dyno(plan = "shop.yaml", whenInvalid = WhenInvalid.FAIL)
        void invalidResultFailsBeforeItsThroughputIsAsserted(RunResult result) {
            result.assertThat().throughput().isAtLeast(1);
        }
    }

    static class Unused {
        @Test
        @Dyno(plan = "shop.yaml")
        void testHasNoParameterForTheResult() {}
    }
}
