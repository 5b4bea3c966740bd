import { isDeepStrictEqual } from 'node:util';
import { DomainError } from '../../errors.ts';
import { editRedirects } from './editRedirects.ts';
import { stripLineEnd } from './editRedirectLines.ts';
import {
  addressKey,
  hasPlaceholder,
  type PageRedirect,
  type PlannedRule,
} from './planRedirects.ts';
import { readRedirectLine } from './redirectLines.ts';

/** Versions of a host's file. '': the version has no such file. */
export interface HostFileVersions {
  before: string;
  task: string;
  production: string;
}

/** A line of the file, and the rule in it; null for a comment and for what can't be read. */
interface WrittenRule {
  text: string;
  rule: PlannedRule | null;
}

/**
 * Merges a task's redirects into a host's file that others changed meanwhile, rule by rule. If one
 * side redirects to a URL path that the other side redirects, the rule gets the final target.
 * @param path the host's file, `_redirects`
 * @returns the merged file; null (a conflict) if both sides redirect the same path to different
 *   targets, if redirects would be circular, or if the task changed anything else
 */
export function mergeRedirects(path: string, versions: HostFileVersions): string | null {
  try {
    return mergeRules(path, versions);
  } catch (error) {
    if (error instanceof DomainError && error.code === 'INVALID_INPUT') return null;
    throw error;
  }
}

function mergeRules(path: string, { before, task, production }: HostFileVersions): string | null {
  const [oldRules, taskRules, productionRules] = [before, task, production].map(parseRules) as [
    WrittenRule[],
    WrittenRule[],
    WrittenRule[],
  ];
  const addedRules = excludeRules(taskRules, oldRules);
  const removedRules = excludeRules(oldRules, taskRules);
  const redirectedKeys = new Set(addedRules.map(({ rule }) => addressKey(rule?.from ?? '')));
  const rulePairs = addedRules.map((newRule) => ({
    now: newRule,
    was: removedRules.find((candidate) => isRetargeted(candidate, newRule, redirectedKeys)),
  }));
  const newRules = rulePairs.flatMap(({ now, was }) => (was ? [] : [now]));
  const droppedRules = removedRules.filter(
    (candidate) => !rulePairs.some(({ was }) => was === candidate),
  );
  const remaining = excludeRules(productionRules, droppedRules);
  const redirects: PageRedirect[] = [];
  for (const { rule } of newRules) {
    if (rule === null || !isAgentRule(rule)) return null;
    const to = finalTarget(remaining, rule.to);
    if (
      to === null ||
      isRedirectedElsewhere(excludeRules(productionRules, oldRules), rule.from, to)
    )
      return null;
    redirects.push({ from: [rule.from], to });
  }
  const texts = new Set(droppedRules.map(({ text }) => text));
  const { source, missingRedirects } = editRedirects(
    { path, source: production },
    { leads: redirects, pages: [] },
    texts,
  );
  return missingRedirects.length === 0 ? source : null;
}

function parseRules(source: string): WrittenRule[] {
  return source.split(/(?<=\n)/).flatMap((line) => {
    const text = stripLineEnd(line);
    const rule = readRedirectLine(text);
    if (text === '') return [];
    return [{ text, rule }];
  });
}

function excludeRules(rules: WrittenRule[], excludedRules: WrittenRule[]): WrittenRule[] {
  const otherTexts = new Set(excludedRules.map(({ text }) => text));
  return rules.filter(({ text }) => !otherTexts.has(text));
}

/**
 * Whether a new rule is an old one with another target, because the old target is redirected now.
 * @param redirectedKeys the keys of the redirected URL paths, as `addressKey` makes them
 */
const isRetargeted = (
  { rule: oldRule }: WrittenRule,
  { rule: newRule }: WrittenRule,
  redirectedKeys: ReadonlySet<string>,
): boolean =>
  oldRule !== null &&
  newRule !== null &&
  redirectedKeys.has(addressKey(oldRule.to)) &&
  isDeepStrictEqual(
    [oldRule.from, oldRule.status, oldRule.isPlain],
    [newRule.from, newRule.status, newRule.isPlain],
  );

/** Whether a rule is one that agents may write: from one URL path of the site to another. */
const isAgentRule = ({ from, to, status, isPlain, isForced }: PlannedRule): boolean =>
  isPlain &&
  !isForced &&
  !hasPlaceholder(from) &&
  [301, 308].includes(status) &&
  [from, to].every((address) => /^\/(?![/\\])[\x21-\x5b\x5d-\x7e]*$/.test(address));

/** Where a URL path ends up by these rules; null: in a circle. */
function finalTarget(rules: WrittenRule[], address: string): string | null {
  const targets = new Map(
    rules.flatMap(({ rule }) =>
      rule?.isPlain && rule.status >= 300 ? [[addressKey(rule.from), rule.to]] : [],
    ),
  );
  let current = address;
  for (let hops = 0; hops <= rules.length; hops++) {
    const nextTarget = targets.get(addressKey(current));
    if (nextTarget === undefined || !nextTarget.startsWith('/')) return current;
    current = nextTarget;
  }
  return null;
}

/** Whether one of these rules redirects a URL path to another target. */
const isRedirectedElsewhere = (rules: WrittenRule[], from: string, to: string): boolean =>
  rules.some(
    ({ rule }) => rule?.isPlain && rule.from === from && addressKey(rule.to) !== addressKey(to),
  );
