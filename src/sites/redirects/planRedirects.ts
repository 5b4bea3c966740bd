import { decodeUrlPart } from '../pages/urls/urls.ts';

/** What a task did to the URL paths of a site. */
export interface AddressChange {
  /** The old URL paths of moved or deleted pages, and the pages to which they redirect now. */
  leads: PageRedirect[];
  /** URL paths of the pages that the task made. No redirect may lead away from them. */
  pages: string[];
}

/** A redirect from the old URL paths of one page. */
export interface PageRedirect {
  /** URL paths, with and without ending. */
  from: string[];
  /** The URL path of the page. */
  to: string;
}

/** A rule of a host's file, as far as it matters for changes. */
export interface PlannedRule {
  from: string;
  to: string;
  status: number;
  /** Whether it applies to every visitor and every query. */
  isPlain: boolean;
  /** Whether it also applies if the site has a file at this path. */
  isForced: boolean;
}

/** The edits of a host's file. */
export interface RedirectPlan {
  /** The indices of rules to remove. */
  drops: Set<number>;
  /** New targets, by the indices of their rules. */
  targets: Map<number, string>;
  /** Rules to add. */
  adds: { from: string; to: string }[];
  /**
   * The index of the rule before which to add them; undefined: at the end. The first rule that
   * matches wins, so they precede the first rule with placeholders.
   */
  before: number | undefined;
}

/** A URL path for comparisons: decoded, without query, fragment and slashes at the ends. */
export const addressKey = (address: string): string =>
  decodeUrlPart(address.split(/[?#]/, 1)[0]).replace(/^\/+|\/$/g, '');

/** Whether a rule's path has placeholders. */
export const hasPlaceholder = (from: string): boolean => /[*(]|\/:/.test(from);

/**
 * Plans how to redirect old URL paths. A rule that leads to an old path gets the new target, so
 * that there are no chains: when `/b` moves to `/c`, `/a /b 301` becomes `/a /c 301`, and
 * `/b /c 301` is added. A rule that leads away from a new page, or to itself, is removed, so that
 * there are no circles.
 * @param rules the rules of the file, in their order
 */
export function planRedirects(rules: PlannedRule[], change: AddressChange): RedirectPlan {
  const pages = new Set(change.pages.map(addressKey));
  const targetsByKey = new Map(
    change.leads.flatMap(({ from, to }) => from.map((address) => [addressKey(address), to])),
  );
  const plan: RedirectPlan = { drops: new Set(), targets: new Map(), adds: [], before: undefined };
  const keptSources = new Set<string>();
  rules.forEach((rule, i) => {
    const { from, to } = rule;
    if (from.startsWith('/') && hasPlaceholder(from)) plan.before ??= i;
    const target = to.startsWith('/') ? targetsByKey.get(addressKey(to)) : undefined;
    const key = exactKey(rule);
    const isPlainAddress = key !== undefined && rule.isPlain;
    const ownTarget = isPlainAddress ? targetsByKey.get(key) : undefined;
    const isCircular = target !== undefined && key === addressKey(target);
    const leavesPage = isPlainAddress && pages.has(key);
    if (
      leavesPage ||
      isCircular ||
      (ownTarget !== undefined && !keepsRule(rule, ownTarget, target))
    ) {
      plan.drops.add(i);
      return;
    }
    if (target !== undefined) plan.targets.set(i, target + urlSuffix(to));
    if (ownTarget !== undefined) keptSources.add(from);
  });
  for (const { from, to } of change.leads)
    for (const address of from)
      if (!keptSources.has(address)) plan.adds.push({ from: address, to });
  return plan;
}

/** The one URL path to which a rule applies; undefined for a rule with placeholders. */
const exactKey = ({ from }: PlannedRule) =>
  from.startsWith('/') && !hasPlaceholder(from) ? addressKey(from) : undefined;

/** The query and fragment of a URL. */
const urlSuffix = (address: string) => address.slice(address.split(/[?#]/, 1)[0]!.length);

/**
 * Whether the existing rule of an old URL path stays. A forced rule stays, because visitors never
 * saw a page there, and so does a redirect to the right page.
 */
function keepsRule(rule: PlannedRule, ownTarget: string, target: string | undefined): boolean {
  const isRedirect = rule.status >= 300 && rule.status < 400;
  return rule.isForced || (isRedirect && addressKey(target ?? rule.to) === addressKey(ownTarget));
}
