/** A part of an XML text, by its positions. */
interface XmlRange {
  start: number;
  end: number;
}

/**
 * Finds comments, and elements of some names, in order and without nested ones. Skips elements
 * without an end tag. Reads each part of the text once: a pattern for whole elements would take
 * quadratic time for many unclosed ones.
 * @param opening global; matches `<!--`, and start tags with their name as the first group
 */
export function* findElements(
  text: string,
  opening: RegExp,
): Generator<XmlRange & { name: string | undefined }> {
  const endTagAfter = createEndFinder(text);
  let lastEnd = 0;
  for (const { index: start, 0: tag, 1: name } of text.matchAll(opening)) {
    if (start < lastEnd) continue;
    const contentStart = start + tag.length;
    const end = tag.endsWith('/>') ? contentStart : endTagAfter(name ?? COMMENT, contentStart);
    if (end === undefined) continue;
    yield { start, end, name };
    lastEnd = end;
  }
}

const COMMENT = '--';

/**
 * Finds the first end tag of a name after a position. Positions must be asked for in ascending
 * order.
 */
function createEndFinder(text: string) {
  const tags = [...text.matchAll(/<\/([a-z:]+)\s*>|-->/gi)].reverse();
  const endTags = Map.groupBy(tags, ([, name = COMMENT]) => name.toLowerCase());
  return (name: string, position: number): number | undefined => {
    const tagsOfName = endTags.get(name.toLowerCase()) ?? [];
    while (tagsOfName.length > 0 && tagsOfName.at(-1)!.index < position) tagsOfName.pop();
    const tag = tagsOfName.at(-1);
    return tag && tag.index + tag[0].length;
  };
}

/**
 * The text without the elements and comments that `findElements` finds, and without the white space
 * before them.
 */
export function withoutElements(text: string, opening: RegExp): string {
  let result = '';
  let position = 0;
  for (const { start, end } of findElements(text, opening)) {
    result += text.slice(position, start).trimEnd();
    position = end;
  }
  return result + text.slice(position);
}
