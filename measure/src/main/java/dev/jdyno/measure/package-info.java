/// Records that all other packages share: the measurements of a run and the conclusions from them.
/// In packages below: `text`, `statistics`, `thread`, `gc`, `load`, `verdict`. Knows no other
/// package.
@NullMarked
package dev.jdyno.measure;

import org.jspecify.annotations.NullMarked;
