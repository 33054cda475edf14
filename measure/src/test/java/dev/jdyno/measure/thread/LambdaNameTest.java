package dev.jdyno.measure.thread;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LambdaNameTest {
    @ParameterizedTest
    @CsvSource({
        "a.Page.lambda$get$0, lambda in a.Page.get",
        "Page$1.lambda$get$12, lambda in Page$1.get",
        "Page.lambda$new$0, lambda in Page.<init>",
        "Page.lambda$static$3, lambda in Page.<clinit>",
        // a lambda inside a lambda, as named by compilers before JDK 9 and by scalac
        "Page.lambda$lambda$get$0$1, lambda in Page.get",
        "Page.$anonfun$get$1, lambda in Page.get",
        "Page.$anonfun$get$1$adapted, Page.$anonfun$get$1$adapted",
        "Page.lambda, Page.lambda",
        "Page.lambda$get, Page.lambda$get",
        "lambda$get$0, lambda$get$0",
        "Page.get, Page.get",
    })
    void aLambdaIsNamedByTheMethodAroundIt(String name, String readable) {
        assertThat(LambdaName.readable(name)).isEqualTo(readable);
        assertThat(new SourceLine(name, Optional.of("Page.java"), 7, 1).place())
                .endsWith(" (Page.java:7)")
                .startsWith(readable.startsWith("lambda in ") ? "lambda in Page" : "");
    }
}
