package dev.jdyno.junit;

import java.lang.reflect.Method;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import org.junit.jupiter.api.extension.BeforeTestExecutionCallback;
import org.junit.jupiter.api.extension.ExtensionConfigurationException;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.platform.commons.support.AnnotationSupport;

/// Gives tests with {@link Dyno} the results of their measurement.
public final class DynoExtension implements ParameterResolver, BeforeTestExecutionCallback {
    private static final ExtensionContext.Namespace NAMESPACE =
            ExtensionContext.Namespace.create(DynoExtension.class);

    private static final List<Class<?>> GIVEN =
            List.of(RunResult.class, GuardResult.class, Dynamometer.class);

    /// Called by JUnit.
    public DynoExtension() {}

    /// Measures after `@BeforeEach` and before the test. A parameter resolver would be too late: an
    /// exception in it fails the test and never aborts it.
    @Override
    public void beforeTestExecution(ExtensionContext context) {
        Method test = context.getRequiredTestMethod();
        List<Class<?>> wanted =
                Arrays.stream(test.getParameterTypes())
                        .filter(GIVEN::contains)
                        .<Class<?>>map(t -> t)
                        .toList();
        if (wanted.isEmpty() && AnnotationSupport.isAnnotated(test, Dyno.class)) {
            throw new ExtensionConfigurationException(
                    "@Dyno on "
                            + test.getName()
                            + " measures nothing: the method has no parameter of RunResult,"
                            + " GuardResult or Dynamometer");
        }
        if (wanted.contains(RunResult.class)) {
            measure(measured(context), RunResult.class, Dynamometer::run);
        }
        if (wanted.contains(GuardResult.class)) {
            measure(measured(context), GuardResult.class, Dynamometer::guard);
        }
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return GIVEN.contains(parameter.getParameter().getType())
                && context.getTestMethod()
                        .filter(parameter.getDeclaringExecutable()::equals)
                        .isPresent();
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        Class<?> type = parameter.getParameter().getType();
        Measured measured = measured(context);
        return type == Dynamometer.class
                ? measured.dynamometer()
                : Objects.requireNonNull(measured.of().getStore(NAMESPACE).get(type));
    }

    /// Measures once for all tests that share the measurement. A measurement that failed is not
    /// repeated.
    private static void measure(
            Measured measured, Class<?> type, Function<Dynamometer, Object> measure) {
        ExtensionContext.Store store = measured.of().getStore(NAMESPACE);
        synchronized (measured.of().getRoot()) {
            Object known = store.get(type);
            if (known == null) {
                known = tried(measured.dynamometer(), measure);
                store.put(type, known);
            }
            if (known instanceof RuntimeException failure) {
                throw failure;
            }
            if (known instanceof Error failure) {
                throw failure;
            }
        }
    }

    private static Object tried(Dynamometer dynamometer, Function<Dynamometer, Object> measure) {
        try {
            return measure.apply(dynamometer);
        } catch (RuntimeException | AssertionError failure) {
            return failure;
        }
    }

    /// The measurement of the annotation nearest to the test.
    private static Measured measured(ExtensionContext context) {
        Optional<Dyno> own =
                context.getTestMethod()
                        .flatMap(m -> AnnotationSupport.findAnnotation(m, Dyno.class));
        if (own.isPresent()) {
            return new Measured(context, dynamometer(own.get(), context));
        }
        for (Optional<ExtensionContext> at = Optional.of(context);
                at.isPresent();
                at = at.get().getParent()) {
            Optional<Dyno> ofClass =
                    at.get()
                            .getElement()
                            .flatMap(e -> AnnotationSupport.findAnnotation(e, Dyno.class));
            if (ofClass.isPresent()) {
                return new Measured(at.get(), dynamometer(ofClass.get(), at.get()));
            }
        }
        throw new ExtensionConfigurationException(
                "DynoExtension needs @Dyno on the test method or its class");
    }

    private static Dynamometer dynamometer(Dyno settings, ExtensionContext context) {
        Dynamometer made =
                settings.plan().isEmpty()
                        ? Dynamometer.withoutPlan()
                        : Dynamometer.plan(Path.of(settings.plan()));
        String test = context.getTestMethod().map(m -> "." + m.getName()).orElse("");
        return made.options(settings.options())
                .whenInvalid(settings.whenInvalid())
                .name(context.getRequiredTestClass().getName() + test);
    }

    /// @param of owner of the measurement: a method or a class
    private record Measured(ExtensionContext of, Dynamometer dynamometer) {}
}
