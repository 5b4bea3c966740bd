import { invalidInput } from '../../invalidInput.ts';
import { toEditableSlot, toSlotTexts } from '../../pages/texts/editableTexts.ts';
import type { EditedPageSource } from '../changes.ts';
import type {
  FormatCalls,
  PageChange,
  PageEditCall,
  PageFormatPort,
  PageSource,
} from '../format.ts';
import { describeContent } from '../textPlaces.ts';
import { addBlocks } from './blocks/addBlocks.ts';
import { describeBlock, findLinkingPages, findUsableBlock } from './blocks/linkBlock.ts';
import { mergeBlocks } from './blocks/mergeBlocks.ts';
import { findFooterTexts } from './changes/footer.ts';
import { addEntry, dropLinks, listMenuEntries, removeEntries } from './changes/navigation.ts';
import { unlinkPage } from './changes/unlinkPage.ts';
import { movePageSection, removePageSection, listSections } from './changes/sections.ts';
import { checkHtmlPage, findSideEffects } from './checks/checkHtmlPage.ts';
import { isUnlisting } from './checks/pageSetup.ts';
import { referencedFiles } from './checks/references.ts';
import { findHiddenParts } from './checks/hiddenText.ts';
import { findPageKeys } from './checks/pageKeys.ts';
import { fitCharset } from './charset.ts';
import { createHtmlPage } from './createHtmlPage.ts';
import { parseDocument } from './document.ts';
import { createEditorFrame } from './editorFrame.ts';
import { changeGroup } from './groups/changeGroup.ts';
import { usableGroups } from './groups/usableGroups.ts';
import { htmlPaths } from './htmlPaths.ts';
import { readIdentity } from './identity.ts';
import { addAlternate, dropAlternates } from './language.ts';
import { keepOneMark } from './changes/currentEntry.ts';
import { followContacts } from './links/followContacts.ts';
import {
  listPageAnchors,
  listPageImages,
  listPageLinks,
  listEditableUrls,
  writeAlt,
  writeImage,
  writeLink,
} from './links/pageLinks.ts';
import { followMove, followTexts, movedTexts } from './links/relocate.ts';
import { opaqueTexts } from './opaqueTexts.ts';
import { editHtmlPage, openHtmlPage, type HtmlPage } from './openHtmlPage.ts';
import { readOutline } from './outline/outline.ts';
import { findSlotPlaces } from './slots/findSlotPlaces.ts';
import { updateCounters } from './counters/updateCounters.ts';
import { dropValues } from './claims/jsonClaims.ts';
import { findLeftOutValues } from './claims/leftOutValues.ts';
import { writeTexts } from './slots/writeTexts.ts';
import { changedTexts } from './values/changedTexts.ts';
import { openBlockSearch, openSibling, readHtmlTemplate } from './template.ts';

/**
 * The HTML page format. Most calls of `FormatCalls` open the page and use one of these modules:
 *
 * - `document.ts` and `openHtmlPage.ts` parse a page; `slots/` finds its texts and writes new ones.
 * - `template.ts` and `findChrome.ts` read a template, and `createHtmlPage.ts` makes a new page
 *   from one.
 * - `groups/`, `blocks/` and `changes/` find and change repeated blocks, removable blocks, sections
 *   and navigations.
 * - `links/`, `values/`, `counters/` and `claims/` update or remove what repeats a text or a URL of
 *   the page.
 * - `checks/` compares a changed page with the page before; `outline/` describes a page to a
 *   language model.
 *
 * A change is written into the source of the page at the positions that it concerns, so all other
 * bytes stay. With `{ s12: 'Lisbon' }`, `setTexts` turns `<H1 class=big>Austin</H1>` into `<H1
 * class=big>Lisbon</H1>`.
 */

const calls: FormatCalls = {
  read(source) {
    const page = openHtmlPage(source);
    return describeContent(page.file.slug, findSlotPlaces(page), opaqueTexts(page));
  },
  readTexts(page) {
    const { title, slots } = calls.read(page);
    return {
      title,
      texts: slots.map(toEditableSlot),
      urls: listEditableUrls(openHtmlPage(page)),
    };
  },
  readTemplate: readHtmlTemplate,
  outline: readOutline,
  footer: (page) => findFooterTexts(openHtmlPage(page)),
  identity: (page) => readIdentity(openHtmlPage(page)),
  isUnlisted: ({ source }) => parseDocument(source).elements.some(isUnlisting),

  setTexts(source, texts) {
    const writtenSource = editHtmlPage(source, (sourceEditor, page) => {
      const places = findSlotPlaces(page);
      followTexts(sourceEditor, page, changedTexts(places, texts));
      writeTexts(sourceEditor, places, texts);
      updateCounters(sourceEditor, page, places, texts);
    });
    const page = openHtmlPage(source);
    return fitCharset(page, followContacts(page, writtenSource));
  },
  dropData: (source, formerPage) =>
    editHtmlPage(source, (sourceEditor, page) =>
      dropValues(sourceEditor, page, new Set(findLeftOutValues(page, openHtmlPage(formerPage)))),
    ),
  setEditedTexts: (page, edits) => calls.setTexts(page, toSlotTexts(calls.read(page).slots, edits)),
  setLink: (source, id, target) =>
    editHtmlPage(source, (sourceEditor, page) => writeLink(sourceEditor, page, { id, target })),
  setAlt: (source, id, text) =>
    editHtmlPage(source, (sourceEditor, page) => writeAlt(sourceEditor, page, id, text)),
  setImage: (source, change) =>
    editHtmlPage(source, (sourceEditor, page) => writeImage(sourceEditor, page, change)),
  addAlternate: (source, pair) =>
    editHtmlPage(source, (sourceEditor, page) => addAlternate(sourceEditor, page, pair)),
  move: (source, move) =>
    editHtmlPage(source, (sourceEditor, page) => {
      followMove(sourceEditor, page, move);
      const places = findSlotPlaces(page);
      writeTexts(sourceEditor, places, movedTexts(page, places, move));
    }),
  create: createHtmlPage,
  frame: ({ source }, framing) => createEditorFrame(parseDocument(source), framing),

  links: (page) => listPageLinks(openHtmlPage(page)),
  images: (page) => listPageImages(openHtmlPage(page)),
  files: (page) => referencedFiles(openHtmlPage(page)),
  anchors: ({ source }) => listPageAnchors(parseDocument(source)),
  edit: editPage,

  linkBlock: (question) => describeBlock(openBlockSearch(question), question.template),
  addLinks(change) {
    const linkPage = openBlockSearch(change);
    const block = findUsableBlock(linkPage, change.template);
    if (block) return fitCharset(linkPage.page, addBlocks(linkPage, block, change));
    throw invalidInput(`No block of ${linkPage.page.file.slug} links to ${change.template.slug}`);
  },
  mergeLinks: mergeBlocks,
  linkingPages: (pages, slug) => findLinkingPages(pages.flatMap(openSibling), slug),

  check: checkHtmlPage,
  sideEffects: findSideEffects,
  findHiddenParts,
  knownKeys: findPageKeys,

  groups: (page) => usableGroups(openHtmlPage(page)).map(({ slotGroup }) => slotGroup),
  sections: (page) => listSections(openHtmlPage(page)),
  menu: (page) => listMenuEntries(openHtmlPage(page)),
  rebuild: (source, change) => {
    const page = openHtmlPage(source);
    const rebuiltPage = rebuildPage(page, change);
    return rebuiltPage && { ...rebuiltPage, source: fitCharset(page, rebuiltPage.source) };
  },
};

/** Makes a change that adds, removes or moves elements; null if nothing changes. */
function rebuildPage(page: HtmlPage, change: PageChange): EditedPageSource | null {
  switch (change.kind) {
    case 'members':
    case 'exchange':
      return changeGroup(page, change);
    case 'remove-section':
      return removePageSection(page, change.id);
    case 'move-section':
      return movePageSection(page, change);
    case 'add-entry':
      return keepOneMark(page.file, change.entry, addEntry(page, change.entry));
    case 'remove-entries':
      return removeEntries(page, change.name);
    case 'remove-links':
      return change.withBlocks ? unlinkPage(page, change.slug) : dropLinks(page, change.slug);
    case 'remove-alternates':
      return dropAlternates(page, change);
  }
}

/** Makes an edit; null if nothing changes. The numbers stay if the count of elements does. */
function editPage(source: PageSource, { name, args }: PageEditCall): EditedPageSource | null {
  const call = calls[name] as (page: PageSource, ...args: unknown[]) => string;
  const editedSource = call(source, ...args);
  if (editedSource === source.source) return null;
  const { elementNumbers } = source;
  const hasSameElements = elementNumbers?.length === parseDocument(editedSource).elements.length;
  return { source: editedSource, ...(hasSameElements && { elementNumbers }) };
}

/** The format of HTML pages. All bytes outside of a change stay. */
export const html: PageFormatPort = { paths: htmlPaths, calls };
