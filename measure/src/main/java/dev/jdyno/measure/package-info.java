/// Records that all other packages share: the measurements of a run and the conclusions from them.
/// Its sub-packages are `text`, `statistics`, `thread`, `gc`, `load`, `service` and `verdict`. It
/// depends on no other package.
@NullMarked
package dev.jdyno.measure;

import org.jspecify.annotations.NullMarked;
