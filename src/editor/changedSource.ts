import { limits } from '../contract/task.ts';
import { DomainError } from '../errors.ts';
import type { Fault } from '../sites/formats/faults.ts';
import type { PageSource } from '../sites/formats/format.ts';
import type { Pages } from '../sites/pages/pages.ts';
import { digestOf } from './digest.ts';
import { setAddresses } from './linksAndImages.ts';
import type { CurrentPage } from './currentPage.ts';
import type { TextChange } from './protocol.ts';
import type { EditableText, TextEdits } from '../sites/formats/page.ts';

/**
 * Applies a change to the page's source, and checks the result like a page that a task writes.
 * @returns the new source
 * @throws DomainError OUTDATED if the page changed since it was opened, unless it already has the
 *   change; INVALID_INPUT for invalid texts or source; CHECK_FAILED, LIMIT_EXCEEDED
 */
export async function changedSource(
  pages: Pages,
  current: CurrentPage,
  change: TextChange,
): Promise<string> {
  const { page, slug } = current;
  if (digestOf(page.source) !== change.digest) {
    const source = await apply(pages, current, change).catch(() => undefined);
    if (source !== page.source) throw changedMeanwhile(slug);
  }
  const source = await apply(pages, current, change);
  if (source !== page.source) await checkSource(pages, current, { source });
  return source;
}

/**
 * @throws DomainError INVALID_INPUT, CHECK_FAILED for a source that fails the checks of a task's
 *   page
 */
export async function checkSource(
  pages: Pages,
  { page, sitePaths }: CurrentPage,
  { source: after, removed = [] }: { source: string; removed?: string[] },
): Promise<void> {
  if (Buffer.byteLength(after) > limits.pageBytes)
    throw new DomainError(
      'INVALID_INPUT',
      `The page is too large: at most ${limits.pageBytes} bytes are allowed. Make it shorter, then save.`,
    );
  const { violations: faults, more } = await pages.check({
    path: page.path,
    before: page,
    after,
    sitePaths,
    removed,
    newLinks: true,
  });
  if (faults.length === 0) return;
  const rest = faults.length - NAMED + more;
  throw new DomainError(
    'CHECK_FAILED',
    [
      ...faults.slice(0, NAMED).map(inWords),
      ...(rest > 0 ? [`And ${rest} more.`] : []),
      'Nothing was saved.',
    ].join(' '),
  );
}

/** The most faults that one error message names. */
const NAMED = 3;

const inWords = ({ line, element, problem, expected }: Fault) =>
  `Line ${line}, ${element}: ${problem} (expected: ${expected}).`;

export const changedMeanwhile = (slug: string) =>
  new DomainError('OUTDATED', `Page changed since you opened it: ${slug}`);

async function apply(
  pages: Pages,
  { page, tree, sitePaths }: CurrentPage,
  change: TextChange,
): Promise<string> {
  if ('source' in change) return checkText(change.source);
  const { texts, addresses } = await pages.readTexts(page);
  const isAddress = ([id]: [string, string[]]) => addresses.some((address) => address.id === id);
  const given = Object.entries(change.texts);
  const slotTexts = Object.fromEntries(given.filter((edit) => !isAddress(edit)));
  refuseEmpty(texts, slotTexts);
  const edited: PageSource = { ...page, source: await pages.setEditedTexts(page, slotTexts) };
  const edits = Object.fromEntries(given.filter(isAddress));
  return (await setAddresses(pages, edited, { edits, tree, sitePaths })).source;
}

function checkText(source: string): string {
  if (!source.isWellFormed())
    throw new DomainError('INVALID_INPUT', 'The source holds half of a character');
  if (source.trim() === '') throw new DomainError('INVALID_INPUT', 'The source must not be empty');
  return source;
}

/** Texts that must not be emptied, by their names for people. */
const needed: Partial<Record<EditableText['role'], string>> = {
  title: 'page title',
  heading: 'heading',
  link: "link's text",
  button: "button's text",
};

/** @throws DomainError INVALID_INPUT if an edit empties a text that the page needs */
function refuseEmpty(texts: EditableText[], edits: TextEdits): void {
  for (const { id, role, level, texts: before } of texts) {
    const edited = edits[id];
    const name = level === 1 ? 'headline' : needed[role];
    if (name === undefined || edited === undefined || !isEmpty(edited) || isEmpty(before)) continue;
    throw new DomainError('INVALID_INPUT', `The ${name} is empty. Type one, then save.`);
  }
}

const isEmpty = (texts: string[]) => texts.join('').trim() === '';
