/** A stretch of an XML text. */
interface Stretch {
  start: number;
  end: number;
}

/**
 * Comments, and elements of some names, in their order and none inside another one. What is never
 * closed is none. No part of the text is searched twice: a pattern for whole elements would take
 * quadratic time for many that stay open.
 * @param opening matches `<!--`, and start tags with their name as its first group; global
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
 * Tells where the first end tag of a name lies behind a position. Positions must be asked for in
 * their order.
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

/** The text without what `elementsIn` finds in it, and without the white space before. */
export function withoutElements(text: string, opening: RegExp): string {
  let result = '';
  let from = 0;
  for (const { start, end } of elementsIn(text, opening)) {
    result += text.slice(from, start).trimEnd();
    from = end;
  }
  return result + text.slice(from);
}
