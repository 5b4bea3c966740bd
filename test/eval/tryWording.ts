import type { DomainError } from '../../src/errors.ts';
import type { Pages } from '../../src/sites/pages/pages.ts';
import { carryOutAtOnce } from '../unit/agents/rules/prompt/carryOut.ts';
import type { Case } from './cases.ts';
import { unreadableNotes } from '../helpers/noteWords.ts';
import { openSite } from './sites.ts';

/** How a wording went: what differs from what it asks for, or why it was refused. */
export type Verdict = { is: 'understood' } | { is: 'refused' | 'wrong'; why: string };

const opened = new Map<string, ReturnType<typeof openSite>>();

/** Carries one wording of a case out, and compares every page with what it should be then. */
export async function tryWording(
  pages: Pages,
  { site: name, becomes, warns }: Case,
  wording: string,
): Promise<Verdict> {
  const site = opened.get(name) ?? openSite(name);
  opened.set(name, site);
  const result = await carryOutAtOnce(site.tree, pages, wording).catch(
    (error: unknown) => error as DomainError,
  );
  if (result instanceof Error) {
    const isMeant = becomes instanceof RegExp && becomes.test(result.message);
    return isMeant ? { is: 'understood' } : { is: 'refused', why: result.message };
  }
  if (becomes instanceof RegExp) return { is: 'wrong', why: 'it should fail' };
  const files = Object.fromEntries(site.pages.map((path) => [path, site.source(path)]));
  const expected = Object.entries(becomes(files)).filter(
    ([path, content]) => content !== files[path],
  );
  const wrong = [...new Set([...expected.map(([path]) => path), ...result.changed.keys()])].find(
    (path) => result.changed.get(path) !== Object.fromEntries(expected)[path],
  );
  if (wrong !== undefined)
    return {
      is: 'wrong',
      why: difference(wrong, Object.fromEntries(expected)[wrong], result.changed.get(wrong)),
    };
  const told = await result.workspace.warnings();
  const [unreadable] = unreadableNotes(told);
  if (unreadable !== undefined) return { is: 'wrong', why: `a note has an id: ${unreadable}` };
  const warnings = told.join('\n');
  return warns && !warns.test(warnings)
    ? { is: 'wrong', why: `warnings: ${warnings}` }
    : { is: 'understood' };
}

const SHOWN = 160;

function difference(
  path: string,
  wanted: string | null | undefined,
  found: string | null | undefined,
): string {
  if (typeof wanted !== 'string' || typeof found !== 'string')
    return `${path} should ${wanted === undefined ? 'not change' : wanted === null ? 'go' : 'change'}`;
  let at = 0;
  while (at < wanted.length && wanted[at] === found[at]) at++;
  const from = Math.max(0, at - 40);
  return `${path} has ${JSON.stringify(found.slice(from, at + SHOWN))} instead of ${JSON.stringify(wanted.slice(from, at + SHOWN))}`;
}
