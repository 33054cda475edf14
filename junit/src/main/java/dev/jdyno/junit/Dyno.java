package dev.jdyno.junit;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/// Measures a service for a test with the `jdyno` command.
///
/// A test method receives the results for which it has a parameter: a {@link RunResult} of `jdyno
/// run`, a {@link GuardResult} of `jdyno guard`, or a {@link Dynamometer} with these settings. The
/// test adds to the `Dynamometer` the settings that are known only at run time, such as a random
/// port. On a method, the annotation makes a measurement for that method. On a class, the first
/// test that needs it makes one measurement, which the tests of the class share.
///
/// A test is aborted, not failed, if the measurement cannot be trusted (exit code 3 of the
/// command), unless {@link #whenInvalid} is set otherwise.
@Documented
@Inherited
@Target({ElementType.METHOD, ElementType.TYPE})
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(DynoExtension.class)
public @interface Dyno {
    /// Path of a plan, from the working directory of the tests; empty if the test gives a URL.
    String plan() default "";

    /// Further options of the command, such as `--goal p99<100ms`, one array element each.
    String[] options() default {};

    /// The result of a test whose measurement is not valid.
    WhenInvalid whenInvalid() default WhenInvalid.ABORT;
}
