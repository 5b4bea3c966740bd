import { defined } from '../../contract/defined.ts';
import type { PageFile } from '../../contract/site.ts';
import { noteOn } from '../../contract/task.ts';
import { invalidInput, notFound } from '../../errors.ts';
import { quoted } from '../../text/text.ts';
import { pageAt } from './arguments.ts';
import { linkTarget } from './linkTarget.ts';
import type { FactChange, FactsChanged } from './factChanges.ts';
import type { ToolContext } from './tool.ts';

interface SetFact {
  kind: FactChange['kind'];
  /** The current value. Required if the site states several. */
  from?: string;
  /** The package of a price. */
  name?: string;
  to?: string;
  /** The percentage by which all prices change. */
  percent?: number;
  /** The only pages to change; if absent, all. */
  slugs?: string[];
}

/**
 * Changes a fact wherever the site states it, in texts, links and structured data: a telephone
 * number, an e-mail address, the copyright year, the price of a package, or all prices.
 * @throws DomainError INVALID_INPUT if the site states several values, NOT_FOUND if it states none
 */
export async function setFact(context: ToolContext, args: SetFact): Promise<void> {
  const { site, warnings } = context;
  const files = args.slugs ? args.slugs.map((slug) => pageAt(site, slug)) : site.files();
  const change = await changeOf(context, files, args);
  let found = false;
  let isChanged = false;
  const stated = new Set<string>();
  for (const page of files) {
    const changed = await factsOn(context, page, change);
    for (const one of changed.found) stated.add(one);
    found ||= Object.keys(changed.texts).length + changed.links.length > 0;
    isChanged = (await write(context, page, changed, change)) || isChanged;
  }
  if (!found) throw notFound(reasonFor(change, [...stated]));
  if (!isChanged)
    warnings.add({ kind: 'undone', text: `${subjectOf(change)} is already as asked` });
}

const subjectOf = (change: FactChange) => {
  if (change.kind === 'year') return `the year of the copyright, ${change.year},`;
  if (change.kind === 'raise') return 'every price';
  return change.kind === 'price' ? 'the price' : `the ${names[change.kind]}`;
};

function reasonFor(change: FactChange, stated: string[]): string {
  if (change.kind === 'price') return noPrice(change, stated);
  if (change.kind === 'raise') return 'no price was found';
  if (change.kind === 'year' && stated.length > 0)
    return `the year of the copyright is ${stated.slice(0, NAMED).join(', ')}, not ${quoted(change.from!)}`;
  if (change.kind === 'year') return 'no text with a copyright and a year was found';
  return `the site states no ${names[change.kind]}${change.from === undefined ? '' : ` ${quoted(change.from)}`}`;
}

function noPrice({ name, from }: { name?: string; from?: string }, stated: string[]): string {
  if (name === undefined) return `the price ${quoted(from ?? '')} was not found`;
  if (stated.length === 0) return `no price of ${quoted(name)} was found`;
  return `the price of ${quoted(name)} is ${stated.slice(0, NAMED).join(', ')}, not ${quoted(from ?? '')}`;
}

const MOST_PERCENT = 1000;
/** Most numbers or years that a message lists. */
const NAMED = 10;
const names = { telephone: 'telephone number', email: 'e-mail address' };

async function changeOf(
  context: ToolContext,
  files: readonly PageFile[],
  args: SetFact,
): Promise<FactChange> {
  const { kind, to = '', percent = 0, name, from } = args;
  if (kind === 'year') return { kind, ...defined({ from }), year: to };
  if (kind === 'raise' && (percent <= -100 || percent > MOST_PERCENT))
    throw invalidInput(
      `prices can't change by ${percent} %: less than 100 % down, or ${MOST_PERCENT} % up`,
    );
  if (kind === 'raise') return { kind, percent };
  if (kind === 'price' && name === undefined && from === undefined)
    throw invalidInput('a price needs `name`, `from` or both');
  if (kind === 'price') return { kind, ...defined({ name, from }), to };
  if (from !== undefined) return { kind, from, to };
  const found = new Set<string>();
  for (const page of files)
    for (const one of (await factsOn(context, page, { kind, to })).found) found.add(one);
  const different = await context.texts.differentContacts([...found], kind);
  if (different.length > 1)
    throw invalidInput(
      `the site has ${different.length} ${names[kind]}${kind === 'email' ? 'es' : 's'}: ${different.slice(0, NAMED).join(', ')}; say which, e.g. "from ${different[0]} to ${to}"`,
    );
  return { kind, to, ...defined({ from: different[0] }) };
}

async function factsOn(
  { site, texts }: ToolContext,
  page: PageFile,
  change: FactChange,
): Promise<FactsChanged> {
  const { slots } = await site.read(page);
  const links = await site.query(page, 'links');
  const groups = change.kind === 'price' ? await site.query(page, 'groups') : [];
  const footer = change.kind === 'year' ? await site.query(page, 'footer') : null;
  return texts.changeFacts({ slots, links, groups, footer }, change);
}

async function write(
  context: ToolContext,
  page: PageFile,
  { texts, links, notes, left }: FactsChanged,
  change: FactChange,
): Promise<boolean> {
  const { site, warnings } = context;
  let isChanged = await site.edit(page, 'setTexts', texts);
  for (const { id, target } of links) {
    const address = await linkTarget(site, page, target);
    isChanged = (await site.edit(page, 'setLink', id, address)) || isChanged;
  }
  const watchText = (kind: 'changed' | 'part', says: string, value: string) =>
    warnings.watch(noteOn(page.slug, kind, says, { value }), async (now) =>
      context.texts.mayContain(await site.pageSource(now(page.slug)!), value),
    );
  for (const [old, now] of notes)
    watchText('changed', `the price ${quoted(old)} is now ${quoted(now)}`, now);
  for (const old of new Set(left))
    watchText(
      'part',
      `${quoted(old)} also stands in other texts, which were left as they are`,
      old,
    );
  // an address may also occur elsewhere than in texts and links: in a form's target
  const from = change.kind === 'email' ? change.from : undefined;
  if (from !== undefined && (await site.source(page.path)).includes(from))
    watchText(
      'part',
      `the address ${quoted(from)} also stands in the page's code, where it was left as it is`,
      from,
    );
  return isChanged;
}
