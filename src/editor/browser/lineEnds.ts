// Textareas know one line end only. The ends that a file has are remembered, and put back.

const anyEnd = /\r\n|\r|\n/;
const allEnds = /\r\n|\r|\n/g;

const withoutMark = (source: string) => source.replace(/^\uFEFF/, '');

/** A source as a textarea holds it. */
export const forTextarea = (source: string) => withoutMark(source).replace(allEnds, '\n');

/**
 * A text from a textarea as a file: lines that are as they were end as they did, new ones as those
 * around them.
 */
export function asFile(typed: string, original: string): string {
  const mark = original.startsWith('\uFEFF') ? '\uFEFF' : '';
  const ends = endsFor(typed.split('\n'), withoutMark(original));
  const text = typed.replaceAll('\n', () => ends.shift() ?? '\n');
  // a lone CR that came to stand before an LF would be one end with it
  return mark + (text.replace(allEnds, '\n') === typed ? text : typed);
}

/** The end of each line, but for the last one, which has none. */
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
