/** The texts of an output that git separates by NUL (`-z`). */
export function* nulSeparated(output: Buffer): Generator<string> {
  for (let at = 0; at < output.length;) {
    const end = output.indexOf(0, at);
    yield output.toString('utf8', at, end < 0 ? output.length : end);
    at = end < 0 ? output.length : end + 1;
  }
}
