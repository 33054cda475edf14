package dev.jdyno.observe;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;

/// A test of figures that other processes can change. It belongs to the full set.
///
/// If it fails while other processes use the machine or the hypervisor takes it, it counts as
/// skipped and names them. If it fails on an idle machine, it counts as failed.
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.TYPE, ElementType.METHOD})
@Tag("full") // its kind
@ExtendWith(OthersOnTheMachine.class)
public @interface Measures {}
