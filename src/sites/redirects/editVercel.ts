import { isDeepStrictEqual } from 'node:util';
import { applyEdits, findNodeAtLocation, modify, type Node, parseTree } from 'jsonc-parser';
import { parseJson } from '../files/json.ts';
import { invalidInput } from '../invalidInput.ts';
import { type AddressChange, type Lead, planRedirects } from './planRedirects.ts';
import { isVercelRedirect, plannedRedirect, type VercelRedirect } from './vercelRedirects.ts';

/** The parts of a `vercel.json` that matter for redirects. */
interface VercelConfig {
  redirects: unknown[];
  cleanUrls?: unknown;
  trailingSlash?: unknown;
}

const MOST_COMMAS = 100_000;

/**
 * Leads old addresses on in the `redirects` of a `vercel.json`. All other text stays as it is, byte
 * for byte. What comes in looks like the redirects that are there.
 * @param without redirects to take out too, as JSON
 * @throws DomainError INVALID_INPUT naming line and column where the file is no JSON, and what else
 *   keeps redirects out of it
 */
export function editVercel(
  source: string,
  change: AddressChange,
  without: ReadonlySet<string> = new Set(),
): string {
  const mark = source.startsWith('\uFEFF') ? '\uFEFF' : '';
  const text = source.slice(mark.length);
  const config = readVercel(text);
  const all = config.redirects.map((one, at) => ({ at, one }));
  const kept = all.filter(({ one }) => !without.has(JSON.stringify(one)));
  const rules = kept.flatMap(({ at, one }) => (isVercelRedirect(one) ? [{ at, one }] : []));
  const leads = change.leads.map((lead) => ({ ...lead, to: destinationOf(lead, config) }));
  const plan = planRedirects(
    rules.map(({ one }) => plannedRedirect(one)!),
    { ...change, leads },
  );
  const targets = new Map([...plan.targets].map(([i, target]) => [rules[i]!.at, target]));
  const dropped = new Set([...plan.drops].map((i) => rules[i]!.at));
  const left = kept.filter(({ at }) => !dropped.has(at));
  const before = plan.before === undefined ? all.length : rules[plan.before]!.at;
  const adds = plan.adds.map(({ from, to }) => ({
    source: from,
    destination: to,
    permanent: true,
  }));
  const target = ({ at, one }: Placed) =>
    targets.has(at) ? { ...(one as VercelRedirect), destination: targets.get(at)! } : one;
  const expected = [
    ...left.filter(({ at }) => at < before).map(target),
    ...adds,
    ...left.filter(({ at }) => at >= before).map(target),
  ];
  if (isDeepStrictEqual(expected, config.redirects)) return source;
  const edited = writeRedirects(text, { left, targets, adds, before });
  if (!isDeepStrictEqual(readVercel(edited), { ...config, redirects: expected }))
    throw invalidInput("its redirects are written in a way that can't be changed safely");
  return mark + edited;
}

/** A redirect, and its index in the file. */
interface Placed {
  at: number;
  one: unknown;
}

/** Reads a `vercel.json`. @throws DomainError INVALID_INPUT */
export function readVercel(source: string): VercelConfig {
  const config = parsed(source.replace(/^\uFEFF/, ''));
  if (typeof config !== 'object' || config === null || Array.isArray(config))
    throw invalidInput('it is no JSON object');
  const { redirects = [], routes } = config as { redirects?: unknown; routes?: unknown };
  if (!Array.isArray(redirects)) throw invalidInput('its redirects are no list');
  if (routes !== undefined)
    throw invalidInput('it has routes, beside which there are no redirects');
  return { ...config, redirects };
}

function parsed(text: string): unknown {
  try {
    return parseJson(Buffer.from(text), MOST_COMMAS);
  } catch (error) {
    throw invalidInput((error as Error).message);
  }
}

/**
 * The address of a page at Vercel, which leaves endings out only where `cleanUrls` says so
 * (vercel.com/docs/project-configuration, "cleanUrls" and "trailingSlash").
 */
function destinationOf({ path, to }: Lead, { cleanUrls, trailingSlash }: VercelConfig): string {
  if (path === undefined) return to;
  const isFolder = to.endsWith('/');
  if (isFolder) return trailingSlash === false && to !== '/' ? to.slice(0, -1) : to;
  if (cleanUrls !== true) return /\.html$/.test(path) && !/\.html$/.test(to) ? `${to}.html` : to;
  return trailingSlash === true ? `${to}/` : to;
}

interface Written {
  left: Placed[];
  targets: ReadonlyMap<number, string>;
  adds: Required<Pick<VercelRedirect, 'source' | 'destination' | 'permanent'>>[];
  before: number;
}

/** Writes the list anew from the texts of its members. */
function writeRedirects(text: string, { left, targets, adds, before }: Written): string {
  const list = findNodeAtLocation(parseTree(text)!, ['redirects']);
  const members = list?.children ?? [];
  if (list === undefined || members.length === 0)
    return applyEdits(text, modify(text, ['redirects'], adds, styleOf(text)));
  const pieces = piecesOf(text, list);
  const like = pieces[Math.min(before, pieces.length - 1)]!;
  const added = adds.map((add) => like.lead + writtenLike(like.text, add));
  const write = (places: Placed[]) =>
    places.map(({ at }) => {
      const { lead, text: own } = pieces[at]!;
      const target = targets.get(at);
      return lead + (target === undefined ? own : retargeted(own, target));
    });
  const inner = [
    ...write(left.filter(({ at }) => at < before)),
    ...added,
    ...write(left.filter(({ at }) => at >= before)),
  ];
  const [start, end] = [list.offset + 1, members.at(-1)!];
  return text.slice(0, start) + inner.join(',') + text.slice(end.offset + end.length);
}

/** The members of a list as they are written, with the spaces before them. */
function piecesOf(text: string, { offset, children = [] }: Node): { lead: string; text: string }[] {
  let end = offset + 1;
  return children.map((child, i) => {
    const next = children[i + 1];
    const between = text.slice(end, child.offset);
    const lead = between.slice(between.indexOf(',') + 1);
    end = child.offset + child.length;
    const own = text.slice(child.offset, end);
    // a space before a comma stays with what it follows
    const after = next ? text.slice(end, text.indexOf(',', end)) : '';
    return { lead, text: own + after };
  });
}

/** A redirect in the layout of another one. */
function writtenLike(like: string, add: object): string {
  const inner = /^\{(\s*)/.exec(like)?.[1] ?? ' ';
  const outer = like.slice(
    like.slice(0, like.lastIndexOf('}')).trimEnd().length,
    like.lastIndexOf('}'),
  );
  const colon = /:\s/.test(like) ? ': ' : ':';
  const gap = inner.includes('\n') ? inner : /",\s/.test(like) ? ' ' : '';
  const members = Object.entries(add).map(
    ([name, value]) => `${JSON.stringify(name)}${colon}${JSON.stringify(value)}`,
  );
  return `{${inner}${members.join(`,${gap}`)}${outer}}`;
}

function retargeted(redirect: string, target: string): string {
  const node = findNodeAtLocation(parseTree(redirect)!, ['destination'])!;
  const end = node.offset + node.length;
  return redirect.slice(0, node.offset) + JSON.stringify(target) + redirect.slice(end);
}

/** How jsonc-parser writes a new list: indented as the file is. */
function styleOf(text: string) {
  if (!text.trim().includes('\n')) return {};
  const indent = /^[ \t]+(?=")/m.exec(text)?.[0] ?? '  ';
  const isTab = indent.startsWith('\t');
  return {
    formattingOptions: {
      insertSpaces: !isTab,
      tabSize: isTab ? 1 : indent.length,
      eol: text.includes('\r\n') ? '\r\n' : '\n',
    },
  };
}
