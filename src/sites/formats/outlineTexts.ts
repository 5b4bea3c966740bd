import { lineAt, type SourceLines } from '../../text/sourceLines.ts';
import type { TextRange } from '../../text/textRange.ts';

/** Characters of an outline, about 6,000 tokens. */
const MAX_OUTLINE_LENGTH = 24_000;

/** What the lines of an outline say besides the texts of the page. */
export const outlineTexts = {
  head: (lineCount: number, facts: string, missingElements: string[]) =>
    `${lineCount} lines; ${facts}${missingElements.length === 0 ? '' : `; missing in the head: ${missingElements.join(', ')}`}`,
  hidden: (count: number) => `${count} texts that other pages share are hidden: chrome shows them`,
  member: (number: number, memberCount: number, lineRange: string) =>
    `[${number} of ${memberCount}: ${lineRange}]`,
  continuation: (count: number, line: number) => `${count} more: from ${line}`,
};

interface WrittenOutline {
  written: string[];
  shown: TextRange[];
  source: SourceLines;
  /** The first line of the source to read; absent: all. */
  from: number | undefined;
}

/**
 * The lines that fit, after those of the head. If lines are left, the last one names the line to
 * continue from.
 */
export function fitOutline(
  head: string[],
  { written, shown, source, from }: WrittenOutline,
): string {
  const first =
    from === undefined ? 0 : shown.findIndex(({ start }) => lineAt(source, start) >= from);
  if (first === -1) return `The outline has no texts at or after line ${from}`;
  const outputLines = first === 0 ? head : [];
  let length = outputLines.join('\n').length;
  for (let i = first; i < written.length; i++) {
    length += written[i]!.length + 1;
    const line = lineAt(source, shown[i]!.start);
    const isNewLine = i > first && line > lineAt(source, shown[i - 1]!.start);
    if (length > MAX_OUTLINE_LENGTH && isNewLine)
      return [...outputLines, outlineTexts.continuation(written.length - i, line)].join('\n');
    outputLines.push(written[i]!);
  }
  return outputLines.length === 0 ? 'no texts' : outputLines.join('\n');
}
