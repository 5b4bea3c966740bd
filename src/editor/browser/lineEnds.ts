// Textareas have only one kind of line end. The file's own line ends are remembered and restored.

const anyEnd = /\r\n|\r|\n/;
const allEnds = /\r\n|\r|\n/g;

const withoutMark = (source: string) => source.replace(/^\uFEFF/, '');

/** A file's source for a textarea: without a byte order mark, and with LF line ends. */
export const forTextarea = (source: string) => withoutMark(source).replace(allEnds, '\n');

/**
 * Turns a textarea's text back into the file's source, with its byte order mark. Unchanged lines
 * keep their line ends. All others get the line end of the file's first line.
 */
export function asFile(typed: string, original: string): string {
  const mark = original.startsWith('\uFEFF') ? '\uFEFF' : '';
  const ends = endsFor(typed.split('\n'), withoutMark(original));
  const text = typed.replaceAll('\n', () => ends.shift() ?? '\n');
  // A lone CR before an LF would become one line end with it. Then the text keeps its LF line ends.
  return mark + (text.replace(allEnds, '\n') === typed ? text : typed);
}

/** The end of each line except for the last one, which has none. */
function endsFor(after: string[], original: string): string[] {
  const ends: string[] = original.match(allEnds) ?? [];
  const before = original.split(anyEnd);
  const head = after.findIndex((line, i) => line !== before[i]);
  const tail = after.toReversed().findIndex((line, i) => line !== before.at(-1 - i));
  return after.slice(1).map((_, i) => {
    const fromEnd = after.length - 1 - i;
    const known = head < 0 || i < head ? ends[i] : fromEnd <= tail ? ends.at(-fromEnd) : undefined;
    return known ?? ends[0] ?? '\n';
  });
}
