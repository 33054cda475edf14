/// Web servers in front of the target (nginx, Apache httpd, HAProxy): what they let through.
@NullMarked
package dev.jdyno.observe.front;

import org.jspecify.annotations.NullMarked;
