import { isDeepStrictEqual } from 'node:util';
import { DomainError } from '../../errors.ts';
import { editRedirects } from './editRedirects.ts';
import { bare } from './editRedirectLines.ts';
import { addressKey, hasPlaceholder, type Lead, type PlannedRule } from './planRedirects.ts';
import { readRedirectLine } from './redirectLines.ts';

/** Versions of a host's file. '': the version has no such file. */
export interface HostFileVersions {
  before: string;
  task: string;
  production: string;
}

/** A rule as its file has it, and what it means; null for what agents never write. */
interface WrittenRule {
  text: string;
  rule: PlannedRule | null;
}

/**
 * Merges a task's redirects into a host's file that others changed meanwhile, rule by rule. Others'
 * redirects to addresses that the task moved are pointed on, and the task's to those that others
 * moved.
 * @returns null if both lead the same address to different ones, or the task changed anything else
 */
export function mergeRedirects(path: string, versions: HostFileVersions): string | null {
  try {
    return merged(path, versions);
  } catch (error) {
    if (error instanceof DomainError && error.code === 'INVALID_INPUT') return null;
    throw error;
  }
}

function merged(path: string, { before, task, production }: HostFileVersions): string | null {
  const [old, own, theirs] = [before, task, production].map(rulesOf) as [
    WrittenRule[],
    WrittenRule[],
    WrittenRule[],
  ];
  const added = without(own, old);
  const removed = without(old, own);
  const led = new Set(added.map(({ rule }) => addressKey(rule?.from ?? '')));
  const pairs = added.map((now) => ({
    now,
    was: removed.find((one) => isPointedOn(one, now, led)),
  }));
  const fresh = pairs.flatMap(({ now, was }) => (was ? [] : [now]));
  const gone = removed.filter((one) => !pairs.some(({ was }) => was === one));
  const remaining = without(theirs, gone);
  const leads: Lead[] = [];
  for (const { rule } of fresh) {
    if (rule === null || !isOwn(rule)) return null;
    const to = endOf(remaining, rule.to);
    if (to === null || isLedElsewhere(without(theirs, old), rule.from, to)) return null;
    leads.push({ from: [rule.from], to });
  }
  const texts = new Set(gone.map(({ text }) => text));
  const { source, unled } = editRedirects(
    { path, source: production },
    { leads, pages: [] },
    texts,
  );
  return unled.length === 0 ? source : null;
}

function rulesOf(source: string): WrittenRule[] {
  return source.split(/(?<=\n)/).flatMap((line) => {
    const text = bare(line);
    const rule = readRedirectLine(text);
    if (text === '') return [];
    return [{ text, rule }];
  });
}

function without(rules: WrittenRule[], others: WrittenRule[]): WrittenRule[] {
  const known = new Set(others.map(({ text }) => text));
  return rules.filter(({ text }) => !known.has(text));
}

/**
 * Whether one rule differs from another only in where it leads, and led to an old address.
 * @param led keys of the old addresses
 */
const isPointedOn = (
  { rule: old }: WrittenRule,
  { rule: now }: WrittenRule,
  led: ReadonlySet<string>,
): boolean =>
  old !== null &&
  now !== null &&
  led.has(addressKey(old.to)) &&
  isDeepStrictEqual([old.from, old.status, old.isPlain], [now.from, now.status, now.isPlain]);

/** Whether an agent writes such a redirect: from one address of the site to another. */
const isOwn = ({ from, to, status, isPlain, isForced }: PlannedRule): boolean =>
  isPlain &&
  !isForced &&
  !hasPlaceholder(from) &&
  [301, 308].includes(status) &&
  [from, to].every((address) => /^\/(?![/\\])[\x21-\x5b\x5d-\x7e]*$/.test(address));

/** Where others lead an address by now; null: in a circle. */
function endOf(rules: WrittenRule[], address: string): string | null {
  const targets = new Map(
    rules.flatMap(({ rule }) =>
      rule?.isPlain && rule.status >= 300 ? [[addressKey(rule.from), rule.to]] : [],
    ),
  );
  let at = address;
  for (let hops = 0; hops <= rules.length; hops++) {
    const next = targets.get(addressKey(at));
    if (next === undefined || !next.startsWith('/')) return at;
    at = next;
  }
  return null;
}

/** Whether others have come to lead an address elsewhere. */
const isLedElsewhere = (rules: WrittenRule[], from: string, to: string): boolean =>
  rules.some(
    ({ rule }) => rule?.isPlain && rule.from === from && addressKey(rule.to) !== addressKey(to),
  );
