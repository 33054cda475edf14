package dev.jdyno.observe;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;

/// A test of figures that other processes can spoil. It belongs to the full set.
///
/// One that fails while others hold the machine is not judged: it counts as skipped, and says who
/// they were. One that fails on a machine of its own is red.
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.TYPE, ElementType.METHOD})
@Tag("full") // its kind
@ExtendWith(OthersOnTheMachine.class)
public @interface Measures {}
