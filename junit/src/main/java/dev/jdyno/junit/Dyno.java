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
/// A test method gets what it has a parameter for: a {@link RunResult} of `jdyno run`, a {@link
/// GuardResult} of `jdyno guard`, or a {@link Dynamometer} with these settings, to which it adds
/// what is known only when it runs, such as a random port. On a method the measurement is that
/// method's. On a class it is made once, by the first test that asks, and shared by the tests of
/// the class.
///
/// A test is aborted, not failed, where the measurement cannot be trusted (exit code 3 of the
/// command), unless {@link #whenInvalid} says otherwise.
@Documented
@Inherited
@Target({ElementType.METHOD, ElementType.TYPE})
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(DynoExtension.class)
public @interface Dyno {
    /// Path of a plan, from the working directory of the tests; empty where the test gives a URL.
    String plan() default "";

    /// More options of the command, such as `--goal p99<100ms`, one array element each.
    String[] options() default {};

    /// What becomes of a test whose measurement is not valid.
    WhenInvalid whenInvalid() default WhenInvalid.ABORT;
}
