import { type AddressChange, planRedirects } from './planRedirects.ts';
import { readRedirectLine } from './redirectLines.ts';

/**
 * Leads old addresses on in a `_redirects` file. All other lines stay as they are, byte for byte.
 * @param source '' for a new file
 * @param without lines to take out too, without their ends
 */
export function editRedirectLines(
  source: string,
  change: AddressChange,
  without: ReadonlySet<string> = new Set(),
): string {
  const lines = source.split(/(?<=\n)/).filter((line) => line !== '');
  const kept = lines.filter((line) => !without.has(bare(line)));
  const found = kept.flatMap((line, at) => {
    const rule = readRedirectLine(bare(line));
    return rule === null ? [] : [{ at, ...rule }];
  });
  const plan = planRedirects(found, change);
  const end = lines[0]?.endsWith('\r\n') ? '\r\n' : '\n';
  const written = kept.map((line): string | null => line);
  found.forEach(({ at, to, toAt }, i) => {
    const target = plan.targets.get(i);
    const line = kept[at]!;
    if (plan.drops.has(i)) written[at] = null;
    else if (target !== undefined)
      written[at] = line.slice(0, toAt) + target + line.slice(toAt + to.length);
  });
  const adds = plan.adds.map(({ from, to }) => `${from} ${to} 301${end}`);
  const place = placeOf(kept, plan.before === undefined ? kept.length : found[plan.before]!.at);
  const isOpen = (line: string | null | undefined) => line && !line.endsWith('\n');
  if (adds.length > 0 && isOpen(written[place - 1])) written[place - 1] += end;
  return [...written.slice(0, place), ...adds, ...written.slice(place)].join('');
}

/** A line without its end. */
export const bare = (line: string): string => line.replace(/\r?\n$/, '');

/** Where to add lines before another one: also before the comments on that one. */
function placeOf(lines: string[], before: number): number {
  let place = before;
  if (before < lines.length) while (place > 0 && /^\s*#/.test(lines[place - 1]!)) place--;
  return place;
}
