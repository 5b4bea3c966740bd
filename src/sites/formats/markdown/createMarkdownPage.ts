import { createHash } from 'node:crypto';
import type { PageFile } from '../../../contract/site.ts';
import { invalidInput } from '../../invalidInput.ts';
import { unknownTextError } from '../../pages/texts/editableTexts.ts';
import { absolutePath, decodeUrlPart, parseReference, urlFolder } from '../../pages/urls/urls.ts';
import { movedUrl, pathOfUrl, slugOf } from '../fileUrls.ts';
import { endingWords, foldedWords } from '../foldedWords.ts';
import type { PageCreation, PageSource } from '../format.ts';
import { writeOwnValues } from '../ownValues.ts';
import { createOrders } from '../memberOrder.ts';
import { checkDigest } from '../partErrors.ts';
import type { GroupSizes } from '../pageParts.ts';
import { findMarkdownPlaces } from './findMarkdownPlaces.ts';
import { writeMarkdownTexts } from './followTexts.ts';
import { findMarkdownGroup, findMarkdownGroups } from './markdownGroups.ts';
import { nodeText } from './nodeKeys.ts';
import { computePerPage, type MarkdownPage, openMarkdownPage } from './openMarkdownPage.ts';
import { readNewId, rearrange, type RearrangedPage } from './rearrange.ts';
import { removeItems, removeOuterBlocks } from './removableBlocks.ts';
import { listTargets, writeMarkdownLink, writeTargets } from './pageLinks.ts';

/** Digest of a template's texts and groups: see `TemplateContent.digest`. */
export const templateDigest = computePerPage((page): string => {
  const slots = findMarkdownPlaces(page).map(({ slot }) => slot);
  const groups = findMarkdownGroups(page).map(({ slotGroup }) => slotGroup);
  const parts = JSON.stringify([slots, groups]);
  return createHash('sha256').update(parts).digest('hex');
});

/**
 * Makes a new page from a template in Markdown: see `FormatCalls.create`. The page consists of the
 * template's bytes with other texts, and its own address, dates and links. All of them are verified
 * by parsing the page again.
 * @throws CHANGED_BY_DEPLOY if a newer version of the service reads other texts in the template;
 *   INVALID_INPUT for a text, block, link or address that cannot be changed
 */
export function createMarkdownPage(creation: PageCreation): string {
  const { template, target, texts, links = {} } = creation;
  const page = openMarkdownPage(template);
  checkDigest(page.file.slug, templateDigest(page), creation.digest);
  const { page: arranged, newIdOf } = arrangePage(page, creation);
  const newTexts = Object.entries(texts).map(([id, text]): [string, string] => {
    const newId = newIdOf(id);
    if (newId === undefined) throw unknownTextError(id);
    return [newId, text];
  });
  let source = writeMarkdownTexts(
    { ...template, source: arranged.source },
    Object.fromEntries(newTexts),
    creation,
  );
  if (target.path !== template.path) {
    const move = createUrlMove(page, creation);
    source = moveTargets({ ...template, source }, page, move);
    source = writeOwnValues(source, { ...creation, from: page.file, moveUrl: (url) => move(url) });
  }
  for (const [id, linkTarget] of Object.entries(links)) {
    const linkPage = { path: target.path, source };
    const newId = newIdOf(id);
    if (openMarkdownPage(linkPage).nodes.some((numbered) => numbered.id === newId))
      source = writeMarkdownLink(linkPage, `${newId}.href`, linkTarget);
  }
  return source;
}

/** Gives groups other numbers of members, and then removes blocks. */
function arrangePage(template: MarkdownPage, { groups = {}, removed = [] }: PageCreation) {
  let page = template;
  const steps: RearrangedPage['ids'][] = [];
  const newIdOf = (id: string) =>
    steps.reduce((newId: string | undefined, ids) => newId && readNewId(ids, newId), id);
  const take = (step: RearrangedPage | null) => {
    if (!step) return;
    page = openMarkdownPage({ path: page.file.path, source: step.source });
    steps.push(step.ids);
  };
  const removedIds = () => new Set(removed.flatMap((id) => newIdOf(id) ?? []));
  take(arrangeGroups(page, groups));
  if (removed.length > 0) take(removeItems(page, removedIds()));
  if (removed.length > 0) take(removeOuterBlocks(page, removedIds()));
  return { page, newIdOf };
}

function arrangeGroups(page: MarkdownPage, sizes: GroupSizes): RearrangedPage | null {
  const orders = [...createOrders(sizes, findMarkdownGroups(page))].map(([id, order]) => {
    return { ...findMarkdownGroup(page, id), order };
  });
  return orders.length === 0 ? null : rearrange(page, orders);
}

type UrlMove = (url: string, keepsTemplate?: boolean) => string;

/**
 * Makes the function for URLs of the new page. A relative one keeps leading to its file, unless the
 * new page's folder has such a file too, as a folder of another language has. A URL of the template
 * becomes that of the new page.
 */
function createUrlMove(page: MarkdownPage, { target, sitePaths }: PageCreation): UrlMove {
  const paths = new Set(sitePaths);
  const files = { file: page.file, newFile: target };
  const isHere = (file: PageFile, url: string) => {
    const path = absolutePath(urlFolder(`/${file.path}`), parseReference(url).path);
    const name = decodeUrlPart(path).slice(1).replace(/\/$/, '');
    return ['', '.md', '.mdx', '.markdown'].some((ending) => paths.has(name + ending));
  };
  return (url, keepsTemplate = false) => {
    if (pathOfUrl(page.file, url) === undefined) return url;
    const isOwn = slugOf(page.file, url) === page.file.slug;
    if (isOwn && !keepsTemplate) return movedUrl(files, url, { from: page.file, to: target });
    const isRelative = !parseReference(url).path.startsWith('/');
    if (!isRelative || !isHere(page.file, url) || isHere(target, url)) return url;
    // no page moves: only the file that the URL counts from is another one
    return movedUrl(files, url, { from: target, to: target });
  };
}

/** Writes the new page's URLs. Links whose text still names the template keep leading to it. */
function moveTargets(source: PageSource, template: MarkdownPage, move: UrlMove): string {
  const page = openMarkdownPage(source);
  refuseMovedCode(page, move);
  const words = endingWords(template.file.slug);
  const namesTemplate = (text: string) => foldedWords(text).some((word) => words.includes(word));
  const newTargets = listTargets(page).map((target) => {
    const keepsTemplate = target.node.type === 'link' && namesTemplate(nodeText(target.node));
    return { ...target, url: move(target.url, keepsTemplate) };
  });
  return writeTargets(page, newTargets);
}

const importedPath = /\b(?:from|import)[\s(]*(['"])(\.{1,2}\/[^'"]*)\1/g;

/** Code is never changed, so a page that imports files can only be copied within its folder. */
function refuseMovedCode(page: MarkdownPage, move: UrlMove): void {
  for (const { node } of page.nodes)
    if (node.type === 'mdxjsEsm')
      for (const [, , path = ''] of node.value.matchAll(importedPath))
        if (move(path) !== path)
          throw invalidInput(
            `${page.file.slug} imports "${path.slice(0, 100)}", so new pages from it must be in its folder`,
          );
}
