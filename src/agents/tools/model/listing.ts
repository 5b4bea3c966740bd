import { inLine } from '../../../text/text.ts';

const NAMED = 10;

/** `/a, /b and 3 more` */
export function listed(names: (string | number)[]): string {
  const rest = names.length - NAMED;
  return inLine(names.slice(0, NAMED).join(', ')) + (rest > 0 ? ` and ${rest} more` : '');
}

/** `1 page`, `3 pages` */
export const counted = (count: number, what: string) => `${count} ${what}${count === 1 ? '' : 's'}`;

/**
 * As many lines as fit, from an index on. If there are more, a last line says how many, and from
 * where to read on.
 */
export function pagedLines(
  lines: string[],
  first: number,
  { longest, nameAt }: { longest: number; nameAt: (index: number) => string | number },
): string {
  const shown: string[] = [];
  let length = 0;
  for (const line of lines.slice(first)) {
    length += line.length + 1;
    if (length > longest) break;
    shown.push(line);
  }
  const next = first + shown.length;
  const more = next === lines.length ? [] : [`${lines.length - next} more: from ${nameAt(next)}`];
  return [...shown, ...more].join('\n');
}
