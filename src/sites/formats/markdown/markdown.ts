import { findKnownKeys } from '../../checks/knownKeys.ts';
import { toEditableSlot, toSlotTexts } from '../../pages/texts/editableTexts.ts';
import { validHtmlLine } from '../escape.ts';
import { isDraft } from '../frontMatterEffects.ts';
import { readSiblingValues } from '../siblingValues.ts';
import type { FormatCalls, PageChange, PageFormatPort, PageSource } from '../format.ts';
import type { OpaqueText } from '../pageParts.ts';
import { describeContent } from '../textPlaces.ts';
import {
  checkMarkdownPage,
  findMarkdownEffects,
  referencesInMarkdown,
} from './checkMarkdownPage.ts';
import { createMarkdownPage, templateDigest } from './createMarkdownPage.ts';
import { findMarkdownPlaces } from './findMarkdownPlaces.ts';
import { listHeadingAnchors, writeMarkdownTexts } from './followTexts.ts';
import { changeBlocks, findMarkdownGroups, listMarkdownSections } from './markdownGroups.ts';
import {
  addLinkMembers,
  describeLinkMember,
  dropLinkMembers,
  findPagesThatLink,
  mergeLinkMembers,
} from './linkMembers.ts';
import { markdownPaths } from './markdownPaths.ts';
import { type MarkdownPage, openMarkdownPage } from './openMarkdownPage.ts';
import { readMarkdownOutline } from './outline.ts';
import {
  dropMarkdownLinks,
  followMarkdownMove,
  listMarkdownUrls,
  listMarkdownFiles,
  listMarkdownImages,
  listMarkdownLinks,
  listTemplateLinks,
  writeMarkdownAlt,
  writeMarkdownImage,
  writeMarkdownLink,
} from './pageLinks.ts';
import { listRemovableBlocks } from './removableBlocks.ts';
import { renderPage } from './renderPage.ts';
import { keptValues, opaqueValues } from '../valuePlaces.ts';

/**
 * The Markdown page format: `.md` and `.mdx` files that a site's generator (Astro, Hugo, Eleventy,
 * Jekyll, Docusaurus …) makes pages from.
 *
 * - `parseMarkdown.ts` parses a page, `../frontMatter.ts` what is before it, and
 *   `../generatorCode.ts` finds what is no Markdown in it. `followWords.ts` spares the parser a
 *   page that differs only in words. `openMarkdownPage.ts` numbers its nodes.
 * - `findMarkdownPlaces.ts` finds its texts (`readRun.ts`, `../valuePlaces.ts`), and `pageLinks.ts`
 *   its links and images. `../fileUrls.ts` knows where their URLs lead.
 * - `editPage.ts` makes changes. They are splices into the source, and are verified by reading the
 *   result again, so all other bytes stay. With `{ s2: 'Lisbon' }`, `setTexts` turns `# Austin #`
 *   into `# Lisbon #`.
 * - `createMarkdownPage.ts` makes a new page: `followTexts.ts` updates what follows its texts, and
 *   `../ownValues.ts` what its front matter states about the page itself.
 * - `markdownGroups.ts` finds repeated blocks and sections, `removableBlocks.ts` what a new page
 *   can do without, and `rearrange.ts` adds, removes and moves blocks.
 * - `checkMarkdownPage.ts` compares a changed page with the page before (`../frontMatterEffects.ts`
 *   its front matter), `outline.ts` describes a page to a language model, and `renderPage.ts` shows
 *   it to people.
 * - `linkMembers.ts` adds a new page to a list or table that has its template.
 *
 * Not possible: changes of navigations, which are in layouts and configurations.
 */

const calls: FormatCalls = {
  read(source) {
    const page = openMarkdownPage(source);
    const opaque = opaqueTexts(page, opaqueValues(page));
    return describeContent(page.file.slug, findMarkdownPlaces(page), opaque);
  },
  readTexts(source) {
    const { title, slots } = calls.read(source);
    const urls = listMarkdownUrls(openMarkdownPage(source));
    return { title, texts: slots.map(toEditableSlot), urls };
  },
  readTemplate(source, siblings) {
    const page = openMarkdownPage(source);
    const { slug, slots } = calls.read(source);
    return {
      slug,
      slots,
      groups: calls.groups(source),
      claims: [],
      blocks: listRemovableBlocks(page),
      links: listTemplateLinks(page),
      opaque: opaqueTexts(page, keptValues(page)),
      digest: templateDigest(page),
      ...readSiblingValues(source, siblings, (path) => markdownPaths.slugOf(path)),
    };
  },
  outline: readMarkdownOutline,
  footer: () => null,
  identity: (source) => ({ language: languageOf(openMarkdownPage(source)), home: null }),
  isUnlisted: (source) => isDraft(openMarkdownPage(source)),

  setTexts: (source, texts) => writeMarkdownTexts(source, texts),
  dropData: ({ source }) => source,
  setEditedTexts: (page, edits) => calls.setTexts(page, toSlotTexts(calls.read(page).slots, edits)),
  setLink: writeMarkdownLink,
  setAlt: writeMarkdownAlt,
  setImage: writeMarkdownImage,
  addAlternate: ({ source }) => source,
  move: followMarkdownMove,
  create: createMarkdownPage,

  links: (source) => listMarkdownLinks(openMarkdownPage(source)),
  images: (source) => listMarkdownImages(openMarkdownPage(source)),
  files: (source) => listMarkdownFiles(openMarkdownPage(source)),
  anchors: (source) => listHeadingAnchors(openMarkdownPage(source)),
  edit(source, { name, args }) {
    const call = calls[name] as (page: PageSource, ...args: unknown[]) => string;
    const editedSource = call(source, ...args);
    return editedSource === source.source ? null : { source: editedSource };
  },

  linkBlock: describeLinkMember,
  addLinks: addLinkMembers,
  mergeLinks: mergeLinkMembers,
  linkingPages: findPagesThatLink,
  frame: (source, framing) => renderPage(openMarkdownPage(source), framing),

  check: checkMarkdownPage,
  sideEffects: findMarkdownEffects,
  findHiddenParts: () => [],
  knownKeys: (page, keys) =>
    findKnownKeys(page.source, keys, {
      externalReferences: () => referencesInMarkdown(page),
      gains: () => [],
    }),

  groups: (source) =>
    findMarkdownGroups(openMarkdownPage(source)).map(({ slotGroup }) => slotGroup),
  sections: (source) => listMarkdownSections(openMarkdownPage(source)),
  menu: () => [],
  rebuild(source, change) {
    const editedSource = rebuildPage(source, change);
    return editedSource === source.source ? null : { source: editedSource };
  },
};

/** Makes a change that adds, removes or moves blocks. Markdown has no navigations. */
function rebuildPage(source: PageSource, change: PageChange): string {
  switch (change.kind) {
    case 'members':
    case 'exchange':
    case 'remove-section':
    case 'move-section':
      return changeBlocks(openMarkdownPage(source), change);
    case 'remove-links':
      return dropMarkdownLinks(
        change.withBlocks ? dropLinkMembers(source, change.slug) : source,
        change.slug,
      );
    default:
      return source.source;
  }
}

/** Texts that are not slots: codes in front matter, template tags, and HTML. */
const opaqueTexts = (page: MarkdownPage, values: string[]): OpaqueText[] => [
  ...values.map((text): OpaqueText => ({ kind: 'front matter', text })),
  ...page.code.map(({ start, end }): OpaqueText => {
    return { kind: 'template tag', text: validHtmlLine(page.source.slice(start, end)) };
  }),
  ...page.nodes.flatMap(({ node }): OpaqueText[] =>
    node.type === 'html' ? [{ kind: 'unread data', text: validHtmlLine(node.value) }] : [],
  ),
];

/** The language that the front matter states. */
function languageOf({ frontMatter }: MarkdownPage): string | null {
  const value = frontMatter?.values.find(
    ({ path }) => path.length === 1 && /^(?:lang|language|locale)$/.test(String(path[0])),
  )?.value;
  return typeof value === 'string' ? value : null;
}

/** The format of Markdown pages. All bytes outside of a change stay. */
export const markdown: PageFormatPort = { paths: markdownPaths, calls };
