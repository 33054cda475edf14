/// The service of the experiments on the cost of writing a page: encoding, templates, size (E14 to
/// E16).
@NullMarked
package dev.jdyno.lab.page;

import org.jspecify.annotations.NullMarked;
