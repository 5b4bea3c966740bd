import { limits } from '../contract/task.ts';
import { DomainError, invalidInputError } from '../errors.ts';
import type { PageViolation } from '../sites/formats/pageFindings.ts';
import { violationMessage } from '../sites/checks/violationMessage.ts';
import type { PageSource } from '../sites/formats/format.ts';
import type { PageMethods } from '../sites/pages/pages.ts';
import { sourceDigest } from './sourceDigest.ts';
import { setUrls } from './linksAndImages.ts';
import type { CurrentPage } from './currentPage.ts';
import type { ContentChange } from './protocol.ts';
import type { EditableSlot, TextEdits } from '../sites/formats/pageParts.ts';

/**
 * Applies a person's change to a page, and checks the result like a page that a task writes.
 * @param change new texts by slot id, such as `{ s12: ['Web design in Porto'] }`, or the whole
 *   source
 * @returns the page's new source
 * @throws DomainError OUTDATED if the page changed since it was opened, unless it already has the
 *   change; INVALID_INPUT for a text or a source that is not allowed; NOT_FOUND if a link or an
 *   image leads to a page or file that the site lacks; CHECK_FAILED if the new page breaks a check;
 *   LIMIT_EXCEEDED if it takes too much to read
 */
export async function applyContentChange(
  pages: PageMethods,
  current: CurrentPage,
  change: ContentChange,
): Promise<string> {
  const { page, slug } = current;
  if (sourceDigest(page.source) !== change.digest) {
    const source = await writeChange(pages, current, change).catch(() => undefined);
    if (source !== page.source) throw outdatedPageError(slug);
  }
  const source = await writeChange(pages, current, change);
  if (source !== page.source) await checkEditedSource(pages, current, { source });
  return source;
}

/**
 * Checks the new source of an edited page like a page that a task writes, such as for broken links,
 * duplicate ids and new scripts. Returns nothing if the page may be saved. `removed`: the ids of
 * the parts that the edit removed on purpose.
 * @throws DomainError INVALID_INPUT if the source has more than `limits.pageBytes`; CHECK_FAILED
 *   with the first violations if it breaks a check
 */
export async function checkEditedSource(
  pages: PageMethods,
  { page, sitePaths }: CurrentPage,
  { source: newSource, removed = [] }: { source: string; removed?: string[] },
): Promise<void> {
  if (Buffer.byteLength(newSource) > limits.pageBytes)
    throw new DomainError(
      'INVALID_INPUT',
      `The page is too large: at most ${limits.pageBytes} bytes are allowed. Make it shorter, then save.`,
    );
  const { violations, more: moreViolations } = await pages.check({
    path: page.path,
    before: page,
    after: newSource,
    sitePaths,
    removed,
    mayAddLinks: true,
  });
  if (violations.length === 0) return;
  const unnamedCount = violations.length - MAX_VIOLATIONS_IN_MESSAGE + moreViolations;
  throw new DomainError(
    'CHECK_FAILED',
    [
      ...violations.slice(0, MAX_VIOLATIONS_IN_MESSAGE).map(violationSentence),
      ...(unnamedCount > 0 ? [`And ${unnamedCount} more.`] : []),
      'Nothing was saved.',
    ].join(' '),
  );
}

/** The most violations that one error message names. */
const MAX_VIOLATIONS_IN_MESSAGE = 3;

function violationSentence(violation: PageViolation): string {
  const message = violationMessage(violation);
  return `${message[0]!.toUpperCase()}${message.slice(1)}.`;
}

/** The error for a change of a page that somebody else has changed since it was opened. */
export const outdatedPageError = (slug: string) =>
  new DomainError('OUTDATED', `The page ${slug} was changed after you opened it`);

/** The page's source with a change, before the checks. */
async function writeChange(
  pages: PageMethods,
  { page, tree, sitePaths }: CurrentPage,
  change: ContentChange,
): Promise<string> {
  if ('source' in change) return checkSourceText(change.source);
  const { texts, urls } = await pages.readTexts(page);
  const isUrlEdit = ([id]: [string, string[]]) => urls.some((editableUrl) => editableUrl.id === id);
  const textEdits = Object.entries(change.texts);
  const slotTexts = Object.fromEntries(textEdits.filter((edit) => !isUrlEdit(edit)));
  refuseEmpty(texts, slotTexts);
  const editedPage: PageSource = { ...page, source: await pages.setEditedTexts(page, slotTexts) };
  const urlEdits = Object.fromEntries(textEdits.filter(isUrlEdit));
  return (await setUrls(pages, editedPage, { edits: urlEdits, tree, sitePaths })).source;
}

function checkSourceText(source: string): string {
  if (!source.isWellFormed()) throw invalidInputError(sourceProblems.surrogate);
  if (source.trim() === '') throw invalidInputError(sourceProblems.empty);
  return source;
}

/** What can be wrong with a page's source before it is parsed. */
export const sourceProblems = {
  empty: 'The source must not be empty',
  surrogate: 'The source contains half of a surrogate pair, which is not a character',
};

/** Texts that must not become empty, and their names for people. */
const requiredTexts: Partial<Record<EditableSlot['role'], string>> = {
  title: 'page title',
  heading: 'heading',
  link: "link's text",
  button: "button's text",
};

/** @throws DomainError INVALID_INPUT if an edit empties a text that the page needs */
function refuseEmpty(texts: EditableSlot[], edits: TextEdits): void {
  for (const { id, role, level, texts: oldTexts } of texts) {
    const newTexts = edits[id];
    const name = level === 1 ? 'headline' : requiredTexts[role];
    if (
      name === undefined ||
      newTexts === undefined ||
      !isBlankText(newTexts) ||
      isBlankText(oldTexts)
    )
      continue;
    throw emptyTextError(name);
  }
}

export const emptyTextError = (name: string) =>
  invalidInputError(`The ${name} is empty. Type one, then save.`);

const isBlankText = (texts: string[]) => texts.join('').trim() === '';
