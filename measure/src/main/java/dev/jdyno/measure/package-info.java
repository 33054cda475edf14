/// The records everyone shares: what a run measured and what was made of it. In packages below:
/// `text`, `statistics`, `thread`, `gc`, `load`, `verdict`. Knows no other package.
@NullMarked
package dev.jdyno.measure;

import org.jspecify.annotations.NullMarked;
