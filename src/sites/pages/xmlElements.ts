/** A part of an XML text, by its positions. */
interface Stretch {
  start: number;
  end: number;
}

/**
 * Finds comments, and elements of some names, in order and without nested ones. Skips elements
 * without an end tag. Reads each part of the text once: a pattern for whole elements would take
 * quadratic time for many unclosed ones.
 * @param opening global; matches `<!--`, and start tags with their name as the first group
 */
export function* elementsIn(
  text: string,
  opening: RegExp,
): Generator<Stretch & { name: string | undefined }> {
  const endBehind = endsIn(text);
  let done = 0;
  for (const { index: start, 0: tag, 1: name } of text.matchAll(opening)) {
    if (start < done) continue;
    const from = start + tag.length;
    const end = tag.endsWith('/>') ? from : endBehind(name ?? COMMENT, from);
    if (end === undefined) continue;
    yield { start, end, name };
    done = end;
  }
}

const COMMENT = '--';

/**
 * Finds the first end tag of a name after a position. Positions must be asked for in ascending
 * order.
 */
function endsIn(text: string) {
  const tags = [...text.matchAll(/<\/([a-z:]+)\s*>|-->/gi)].reverse();
  const waiting = Map.groupBy(tags, ([, name = COMMENT]) => name.toLowerCase());
  return (name: string, from: number): number | undefined => {
    const own = waiting.get(name.toLowerCase()) ?? [];
    while (own.length > 0 && own.at(-1)!.index < from) own.pop();
    const tag = own.at(-1);
    return tag && tag.index + tag[0].length;
  };
}

/**
 * The text without the elements and comments that `elementsIn` finds, and without the white space
 * before them.
 */
export function withoutElements(text: string, opening: RegExp): string {
  let result = '';
  let from = 0;
  for (const { start, end } of elementsIn(text, opening)) {
    result += text.slice(from, start).trimEnd();
    from = end;
  }
  return result + text.slice(from);
}
