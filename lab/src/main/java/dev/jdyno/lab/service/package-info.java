/// What every sample service shares: its options, its container, the line that says it listens, and
/// the watch that ends it with its parent.
@NullMarked
package dev.jdyno.lab.service;

import org.jspecify.annotations.NullMarked;
