/** The texts of an output that git separates by NUL (`-z`). */
export function* splitNulSeparated(output: Buffer): Generator<string> {
  for (let position = 0; position < output.length;) {
    const end = output.indexOf(0, position);
    yield output.toString('utf8', position, end < 0 ? output.length : end);
    position = end < 0 ? output.length : end + 1;
  }
}
