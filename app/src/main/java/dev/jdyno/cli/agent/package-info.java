/// `jdyno agent` and `jdyno agents`: processes on other hosts.
@NullMarked
package dev.jdyno.cli.agent;

import org.jspecify.annotations.NullMarked;
