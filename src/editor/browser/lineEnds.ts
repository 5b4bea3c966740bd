// Textareas have only one kind of line end. The file's own line ends are remembered and restored.

const lineEndPattern = /\r\n|\r|\n/;
const lineEndsPattern = /\r\n|\r|\n/g;

const stripByteOrderMark = (source: string) => source.replace(/^\uFEFF/, '');

/** A file's source for a textarea: without a byte order mark, and with LF line ends. */
export const textareaValue = (source: string) =>
  stripByteOrderMark(source).replace(lineEndsPattern, '\n');

/**
 * Turns a textarea's text back into the file's source, with its byte order mark. Unchanged lines
 * keep their line ends. All others get the line end of the file's first line.
 */
export function restoreLineEnds(typed: string, original: string): string {
  const byteOrderMark = original.startsWith('\uFEFF') ? '\uFEFF' : '';
  const ends = lineEndsFor(typed.split('\n'), stripByteOrderMark(original));
  const text = typed.replaceAll('\n', () => ends.shift() ?? '\n');
  // A lone CR before an LF would become one line end with it. Then the text keeps its LF line ends.
  return byteOrderMark + (text.replace(lineEndsPattern, '\n') === typed ? text : typed);
}

/** The end of each line except for the last one, which has none. */
function lineEndsFor(typedLines: string[], original: string): string[] {
  const ends: string[] = original.match(lineEndsPattern) ?? [];
  const originalLines = original.split(lineEndPattern);
  const firstChange = typedLines.findIndex((line, i) => line !== originalLines[i]);
  const lastChangeFromEnd = typedLines
    .toReversed()
    .findIndex((line, i) => line !== originalLines.at(-1 - i));
  return typedLines.slice(1).map((_, i) => {
    const fromEnd = typedLines.length - 1 - i;
    const ownLineEnd =
      firstChange < 0 || i < firstChange
        ? ends[i]
        : fromEnd <= lastChangeFromEnd
          ? ends.at(-fromEnd)
          : undefined;
    return ownLineEnd ?? ends[0] ?? '\n';
  });
}
