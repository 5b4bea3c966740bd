import { type AddressChange, planRedirects } from './planRedirects.ts';
import { readRedirectLine } from './redirectLines.ts';

/**
 * Writes the redirects of old URL paths into a `_redirects` file, as `planRedirects` plans them.
 * All other lines stay as they are, byte for byte.
 * @param source the file's text; '' for a new file
 * @param droppedLines more lines to remove, without their line ends
 * @returns the file's new text
 */
export function editRedirectLines(
  source: string,
  change: AddressChange,
  droppedLines: ReadonlySet<string> = new Set(),
): string {
  const lines = source.split(/(?<=\n)/).filter((line) => line !== '');
  const keptLines = lines.filter((line) => !droppedLines.has(stripLineEnd(line)));
  const foundRules = keptLines.flatMap((line, at) => {
    const rule = readRedirectLine(stripLineEnd(line));
    return rule === null ? [] : [{ at, ...rule }];
  });
  const plan = planRedirects(foundRules, change);
  const lineEnd = lines[0]?.endsWith('\r\n') ? '\r\n' : '\n';
  const writtenLines = keptLines.map((line): string | null => line);
  foundRules.forEach(({ at, to, toAt }, i) => {
    const target = plan.targets.get(i);
    const line = keptLines[at]!;
    if (plan.drops.has(i)) writtenLines[at] = null;
    else if (target !== undefined)
      writtenLines[at] = line.slice(0, toAt) + target + line.slice(toAt + to.length);
  });
  const addedLines = plan.adds.map(({ from, to }) => `${from} ${to} 301${lineEnd}`);
  const position = insertionIndex(
    keptLines,
    plan.before === undefined ? keptLines.length : foundRules[plan.before]!.at,
  );
  const lacksLineEnd = (line: string | null | undefined) => line && !line.endsWith('\n');
  if (addedLines.length > 0 && lacksLineEnd(writtenLines[position - 1]))
    writtenLines[position - 1] += lineEnd;
  return [...writtenLines.slice(0, position), ...addedLines, ...writtenLines.slice(position)].join(
    '',
  );
}

/** A line without its end. */
export const stripLineEnd = (line: string): string => line.replace(/\r?\n$/, '');

/** Where to add lines before another line: before the comments that precede it. */
function insertionIndex(lines: string[], nextIndex: number): number {
  let position = nextIndex;
  if (nextIndex < lines.length)
    while (position > 0 && /^\s*#/.test(lines[position - 1]!)) position--;
  return position;
}
