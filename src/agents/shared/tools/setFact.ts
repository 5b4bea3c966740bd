import { withoutUndefined } from '../../../contract/withoutUndefined.ts';
import type { PageFile } from '../../../contract/site.ts';
import { createPageNote } from '../../../contract/task.ts';
import { invalidInputError, notFoundError } from '../../../errors.ts';
import { quoteText } from '../../../text/text.ts';
import { requirePage } from './toolArguments.ts';
import { resolveSiteLinkTarget } from './resolveSiteLinkTarget.ts';
import type { FactChange, ChangedFacts } from '../texts/changeFacts.ts';
import type { ToolContext } from './toolContext.ts';

interface SetFactArguments {
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
 * `{ kind: 'price', name: 'Basic', to: '$7' }` changes the price of Basic on every page. Notes list
 * changed prices, and values that may also have to change.
 * @throws DomainError NOT_FOUND if the site does not state the fact; INVALID_INPUT if it states
 *   several telephone numbers or e-mail addresses and `from` is absent, or for a wrong argument
 */
export async function setFact(
  context: ToolContext,
  factArguments: SetFactArguments,
): Promise<void> {
  const { site, warnings } = context;
  const files = factArguments.slugs
    ? factArguments.slugs.map((slug) => requirePage(site, slug))
    : site.files();
  const change = await readFactChange(context, files, factArguments);
  let isFound = false;
  let isChanged = false;
  const statedValues = new Set<string>();
  for (const page of files) {
    const changedFacts = await changePageFacts(context, page, change);
    for (const statedValue of changedFacts.found) statedValues.add(statedValue);
    isFound ||= Object.keys(changedFacts.texts).length + changedFacts.links.length > 0;
    isChanged = (await writeChangedFacts(context, page, changedFacts, change)) || isChanged;
  }
  if (!isFound) throw notFoundError(describeMissingFact(change, [...statedValues]));
  if (!isChanged)
    warnings.add({
      kind: 'undone',
      text: `${describeFact(change)} already has the requested value`,
    });
}

/** Values of the site for a message. */
const listValues = (values: string[]) => values.slice(0, MAX_NAMED_VALUES).join(', ');

/** Why a fact cannot be changed. */
export const factProblems = {
  noPrice: () => 'no price was found',
  unknownPrice: (price: string) => `the price ${quoteText(price)} was not found`,
  noPriceOf: (name: string) => `no price of ${quoteText(name)} was found`,
  otherPrice: (name: string, stated: string[], price: string) =>
    `the price of ${quoteText(name)} is ${listValues(stated)}, not ${quoteText(price)}`,
  noYear: () => 'no text with a copyright and a year was found',
  otherYear: (stated: string[], year: string) =>
    `the year of the copyright is ${listValues(stated)}, not ${quoteText(year)}`,
  noContact: (kind: keyof typeof contactNames, contact?: string) =>
    `the site has no ${contactNames[kind]}${contact === undefined ? '' : ` ${quoteText(contact)}`}`,
  percent: (percent: number) =>
    `prices can't change by ${percent} %: less than 100 % down, or ${MAX_PERCENT} % up`,
};

/** What became of a fact, or may have to change with it. */
export const factSentences = {
  changedPrice: (oldPrice: string, newPrice: string) =>
    `the price ${quoteText(oldPrice)} is now ${quoteText(newPrice)}`,
  otherTexts: (value: string) =>
    `${quoteText(value)} is also in other texts, which were not changed`,
  emailInCode: (email: string) =>
    `the email address ${quoteText(email)} is also in the HTML of the page, where it was not changed`,
};

const describeFact = (change: FactChange) => {
  if (change.kind === 'year') return `the year of the copyright, ${change.year},`;
  if (change.kind === 'raise') return 'every price';
  return change.kind === 'price' ? 'the price' : `the ${contactNames[change.kind]}`;
};

function describeMissingFact(change: FactChange, stated: string[]): string {
  if (change.kind === 'price') return describeMissingPrice(change, stated);
  if (change.kind === 'raise') return factProblems.noPrice();
  if (change.kind === 'year')
    return stated.length > 0 ? factProblems.otherYear(stated, change.from!) : factProblems.noYear();
  return factProblems.noContact(change.kind, change.from);
}

function describeMissingPrice(
  { name, from }: { name?: string; from?: string },
  stated: string[],
): string {
  if (name === undefined) return factProblems.unknownPrice(from ?? '');
  if (stated.length === 0) return factProblems.noPriceOf(name);
  return factProblems.otherPrice(name, stated, from ?? '');
}

const MAX_PERCENT = 1000;
/** Most values that a message lists. */
const MAX_NAMED_VALUES = 10;
const contactNames = { telephone: 'telephone number', email: 'e-mail address' };

/** Reads the arguments as a change. Without `from`, the site's only contact is the old one. */
async function readFactChange(
  context: ToolContext,
  files: readonly PageFile[],
  factArguments: SetFactArguments,
): Promise<FactChange> {
  const { kind, to = '', percent = 0, name, from } = factArguments;
  if (kind === 'year') return { kind, ...withoutUndefined({ from }), year: to };
  if (kind === 'raise' && (percent <= -100 || percent > MAX_PERCENT))
    throw invalidInputError(factProblems.percent(percent));
  if (kind === 'raise') return { kind, percent };
  if (kind === 'price' && name === undefined && from === undefined)
    throw invalidInputError('a price needs `name`, `from` or both');
  if (kind === 'price') return { kind, ...withoutUndefined({ name, from }), to };
  if (from !== undefined) return { kind, from, to };
  const foundValues = new Set<string>();
  for (const page of files)
    for (const foundValue of (await changePageFacts(context, page, { kind, to })).found)
      foundValues.add(foundValue);
  const differentValues = await context.texts.differentContacts([...foundValues], kind);
  if (differentValues.length > 1)
    throw invalidInputError(
      `the site has ${differentValues.length} ${contactNames[kind]}${kind === 'email' ? 'es' : 's'}: ${listValues(differentValues)}. Name one, e.g. "from ${differentValues[0]} to ${to}"`,
    );
  return { kind, to, ...withoutUndefined({ from: differentValues[0] }) };
}

async function changePageFacts(
  { site, texts }: ToolContext,
  page: PageFile,
  change: FactChange,
): Promise<ChangedFacts> {
  const { slots } = await site.read(page);
  const links = await site.query(page, 'links');
  const groups = change.kind === 'price' ? await site.query(page, 'groups') : [];
  const footer = change.kind === 'year' ? await site.query(page, 'footer') : null;
  return texts.changeFacts({ slots, links, groups, footer }, change);
}

async function writeChangedFacts(
  context: ToolContext,
  page: PageFile,
  { texts, links, notes, left: unchangedValues }: ChangedFacts,
  change: FactChange,
): Promise<boolean> {
  const { site, warnings } = context;
  let isChanged = await site.edit(page, 'setTexts', texts);
  for (const { id, target } of links) {
    const linkTarget = await resolveSiteLinkTarget(site, page, target);
    isChanged = (await site.edit(page, 'setLink', id, linkTarget)) || isChanged;
  }
  const watchText = (kind: 'changed' | 'part', sentence: string, value: string) =>
    warnings.addTested(createPageNote(page.slug, kind, sentence, { value }), async (findPageNow) =>
      context.texts.mayContain(await site.pageSource(findPageNow(page.slug)!), value),
    );
  for (const [oldValue, newValue] of notes)
    watchText('changed', factSentences.changedPrice(oldValue, newValue), newValue);
  for (const oldValue of new Set(unchangedValues))
    watchText('part', factSentences.otherTexts(oldValue), oldValue);
  // an address may also occur elsewhere than in texts and links: in a form's target
  const from = change.kind === 'email' ? change.from : undefined;
  if (from !== undefined && (await site.source(page.path)).includes(from))
    watchText('part', factSentences.emailInCode(from), from);
  return isChanged;
}
