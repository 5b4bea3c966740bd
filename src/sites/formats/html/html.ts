import { gainedOutsiders } from '../../checks/findOutsiders.ts';
import { invalidInput } from '../../invalidInput.ts';
import { editableText, slotTexts } from '../../pages/editedTexts.ts';
import { plainLine } from '../../pages/slotText.ts';
import type { Edited } from '../changes.ts';
import type { FormatCalls, PageChange, PageEdit, PageFormat, PageSource } from '../format.ts';
import { addBlocks } from './blocks/addBlocks.ts';
import { describeBlock, linkingPages, usableBlock } from './blocks/linkBlock.ts';
import { mergeBlocks } from './blocks/mergeBlocks.ts';
import { footerTexts } from './changes/footer.ts';
import { addEntry, dropLinks, menuEntries, removeEntries } from './changes/menu.ts';
import { moveSection, removeSection, sectionsOf } from './changes/sections.ts';
import { checkPage, sideEffects } from './checks/checkPage.ts';
import { isUnlisting } from './checks/pageSetup.ts';
import { filesOf } from './checks/references.ts';
import { keysOfPage } from './checks/keysOfPage.ts';
import { outsidersOf } from './checks/outsidersIn.ts';
import { fitCharset } from './charset.ts';
import { createPage } from './createPage.ts';
import { parseDocument } from './document.ts';
import { frameOf } from './editorFrame.ts';
import { changeGroup } from './groups/changeGroup.ts';
import { usableGroups } from './groups/usableGroups.ts';
import { htmlPaths } from './htmlPaths.ts';
import { identityOf } from './identity.ts';
import { addAlternate, dropAlternates } from './language.ts';
import { withOneMark } from './changes/currentEntry.ts';
import { followContacts } from './links/followContacts.ts';
import {
  anchorsOf,
  imagesOf,
  linksOf,
  pageAddresses,
  writeAlt,
  writeImage,
  writeLink,
} from './links/pageLinks.ts';
import { followMove, followTexts, movedTexts } from './links/relocate.ts';
import { opaqueTexts } from './opaqueTexts.ts';
import { edited, openPage, type Page } from './openPage.ts';
import { readOutline } from './outline/outline.ts';
import { findSlotPlaces } from './slots/findSlotPlaces.ts';
import { followNumbers } from './counters/followNumbers.ts';
import { dropValues } from './claims/jsonClaims.ts';
import { leftOutValues } from './claims/leftOutValues.ts';
import { writeTexts } from './slots/writeTexts.ts';
import { changedTexts } from './values/changedTexts.ts';
import { openForLinks, openSister, readTemplate } from './template.ts';

const calls: FormatCalls = {
  read(source) {
    const page = openPage(source);
    const slots = findSlotPlaces(page).map(({ slot }) => slot);
    const name =
      slots.find(({ role }) => role === 'title') ?? slots.find(({ level }) => level === 1);
    const { slug } = page.file;
    const title = name ? plainLine(name.text) : slug;
    return { slug, title, slots, opaque: opaqueTexts(page) };
  },
  readTexts(page) {
    const { title, slots } = calls.read(page);
    return { title, texts: slots.map(editableText), addresses: pageAddresses(openPage(page)) };
  },
  readTemplate,
  outline: readOutline,
  footer: (page) => footerTexts(openPage(page)),
  identity: (page) => identityOf(openPage(page)),
  isUnlisted: ({ source }) => parseDocument(source).elements.some(isUnlisting),

  setTexts(source, texts) {
    const written = edited(source, (edit, page) => {
      const places = findSlotPlaces(page);
      followTexts(edit, page, changedTexts(places, texts));
      writeTexts(edit, places, texts);
      followNumbers(edit, page, places, texts);
    });
    const page = openPage(source);
    return fitCharset(page, followContacts(page, written));
  },
  dropData: (source, before) =>
    edited(source, (edit, page) =>
      dropValues(edit, page, new Set(leftOutValues(page, openPage(before)))),
    ),
  setEditedTexts: (page, edits) => calls.setTexts(page, slotTexts(calls.read(page).slots, edits)),
  setLink: (source, id, target) =>
    edited(source, (edit, page) => writeLink(edit, page, { id, target })),
  setAlt: (source, id, text) => edited(source, (edit, page) => writeAlt(edit, page, id, text)),
  setImage: (source, change) => edited(source, (edit, page) => writeImage(edit, page, change)),
  addAlternate: (source, pair) => edited(source, (edit, page) => addAlternate(edit, page, pair)),
  move: (source, move) =>
    edited(source, (edit, page) => {
      followMove(edit, page, move);
      const places = findSlotPlaces(page);
      writeTexts(edit, places, movedTexts(page, places, move));
    }),
  create: createPage,
  frame: ({ source }, framing) => frameOf(parseDocument(source), framing),

  links: (page) => linksOf(openPage(page)),
  images: (page) => imagesOf(openPage(page)),
  files: (page) => filesOf(openPage(page)),
  anchors: ({ source }) => anchorsOf(parseDocument(source)),
  edit: editPage,

  linkBlock: (question) => describeBlock(openForLinks(question), question.template),
  addLinks(change) {
    const on = openForLinks(change);
    const block = usableBlock(on, change.template);
    if (block) return fitCharset(on.page, addBlocks(on, block, change));
    throw invalidInput(`No block of ${on.page.file.slug} links to ${change.template.slug}`);
  },
  mergeLinks: mergeBlocks,
  linkingPages: (pages, slug) => linkingPages(pages.flatMap(openSister), slug),

  check: checkPage,
  gainedOutsiders: ({ source }, before) =>
    gainedOutsiders(outsidersOf(before), outsidersOf(source)),
  sideEffects,
  knownKeys: keysOfPage,

  groups: (page) => usableGroups(openPage(page)).map(({ slotGroup }) => slotGroup),
  sections: (page) => sectionsOf(openPage(page)),
  menu: (page) => menuEntries(openPage(page)),
  rebuild: (source, change) => {
    const page = openPage(source);
    const made = rebuild(page, change);
    return made && { ...made, source: fitCharset(page, made.source) };
  },
};

function rebuild(page: Page, change: PageChange): Edited | null {
  switch (change.kind) {
    case 'members':
    case 'exchange':
      return changeGroup(page, change);
    case 'remove-section':
      return removeSection(page, change.id);
    case 'move-section':
      return moveSection(page, change);
    case 'add-entry':
      return withOneMark(page.file, change.entry, addEntry(page, change.entry));
    case 'remove-entries':
      return removeEntries(page, change.name);
    case 'drop-links':
      return dropLinks(page, change.slug);
    case 'drop-alternates':
      return dropAlternates(page, change);
  }
}

function editPage(source: PageSource, { name, args }: PageEdit): Edited | null {
  const call = calls[name] as (page: PageSource, ...args: unknown[]) => string;
  const after = call(source, ...args);
  if (after === source.source) return null;
  const { numbers } = source;
  const isSame = numbers?.length === parseDocument(after).elements.length;
  return { source: after, ...(isSame && { numbers }) };
}

/** The format of HTML pages. All bytes outside of a change stay. */
export const html: PageFormat = { paths: htmlPaths, calls };
