/// Serialises and deserialises two hundred thousand user records in several formats (E17).
@NullMarked
package dev.jdyno.lab.records;

import org.jspecify.annotations.NullMarked;
