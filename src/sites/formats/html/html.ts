import { gainedOutsiders } from '../../checks/findOutsiders.ts';
import { invalidInput } from '../../invalidInput.ts';
import { editableText, slotTexts } from '../../pages/editedTexts.ts';
import { plainText } from '../../pages/slotText.ts';
import type { Edited, Rebuilt } from '../changes.ts';
import type {
  FormatCore,
  LinkChange,
  PageEdit,
  PageFormat,
  PageSource,
  SectionChange,
} from '../format.ts';
import { addBlocks } from './blocks/addBlocks.ts';
import { describeBlock, linkingPages, usableBlock } from './blocks/linkBlock.ts';
import { mergeBlocks } from './blocks/mergeBlocks.ts';
import { footerTexts } from './changes/footer.ts';
import { addEntry, dropLinks, menuEntries, removeEntries } from './changes/menu.ts';
import { hoursOf } from './changes/openingHours.ts';
import { removeSection } from './changes/blocks.ts';
import { moveSection, sectionsOf } from './changes/sections.ts';
import { checkPage } from './checks/checkPage.ts';
import { filesOf } from './checks/references.ts';
import { keysOfPage } from './checks/keysOfPage.ts';
import { outsidersOf } from './checks/outsidersIn.ts';
import { type PageSetup, setupChange, setupOf } from './checks/pageSetup.ts';
import { createPage } from './createPage.ts';
import { attributeOf, parseDocument } from './document.ts';
import { frameOf } from './editorFrame.ts';
import { groupCalls } from './groups/changeGroup.ts';
import { htmlPaths } from './htmlPaths.ts';
import { identityOf } from './identity.ts';
import { addAlternate, dropAlternates, languageOf } from './language.ts';
import { keepNames, keepPlaces, numberedAlike, orderAfter } from './keepIds.ts';
import { doubledLinks, gainedDoubles } from './links/doubledLinks.ts';
import { addressesOf } from './links/pageAddresses.ts';
import { withOneMark } from './changes/currentEntry.ts';
import { followContacts } from './links/followContacts.ts';
import {
  anchorsOf,
  imagesOf,
  linksOf,
  linksTo,
  pageAddresses,
  writeAlt,
  writeImage,
  writeLink,
} from './links/pageLinks.ts';
import { followMove } from './links/relocate.ts';
import { edited, openPage, type Page } from './openPage.ts';
import { kindsOf, readOutline } from './outline/outline.ts';
import { readLineOutline } from './outline/lineOutline.ts';
import { findSlotPlaces } from './slots/findSlotPlaces.ts';
import { dropValues } from './claims/jsonClaims.ts';
import { leftOutValues } from './claims/leftOutValues.ts';
import { currenciesOf } from './slots/plainSlotPlaces.ts';
import { writeTexts } from './slots/writeTexts.ts';
import { openForLinks, openSister, readTemplate } from './template.ts';

const core: FormatCore = {
  read(source) {
    const page = openPage(source);
    const slots = findSlotPlaces(page).map(({ slot }) => slot);
    const name =
      slots.find(({ role }) => role === 'title') ?? slots.find(({ level }) => level === 1);
    const { slug } = page.file;
    return { slug, title: name ? plainText(name.text) : slug, slots };
  },
  readTexts(page) {
    const { title, slots } = core.read(page);
    return { title, texts: slots.map(editableText), addresses: pageAddresses(openPage(page)) };
  },
  readTemplate,
  outline: readOutline,
  lineOutline: readLineOutline,
  kinds: (page, ids) => kindsOf(openPage(page), ids),
  hours: (page) => hoursOf(openPage(page)),
  currencies: (page) => currenciesOf(openPage(page)),
  footer: (page) => footerTexts(openPage(page)),
  identity: (page) => identityOf(openPage(page)),
  language: ({ source }) => languageOf(parseDocument(source)) ?? null,

  setTexts(source, texts) {
    const written = edited(source, (edit, page) => writeTexts(edit, findSlotPlaces(page), texts));
    return followContacts(openPage(source), written);
  },
  dropData: (source, before) =>
    edited(source, (edit, page) =>
      dropValues(edit, page, new Set(leftOutValues(page, openPage(before), { all: true }))),
    ),
  setEditedTexts: (page, edits) => core.setTexts(page, slotTexts(core.read(page).slots, edits)),
  setLink: (source, id, target) =>
    edited(source, (edit, page) => writeLink(edit, page, { id, target })),
  setAlt: (source, id, text) => edited(source, (edit, page) => writeAlt(edit, page, id, text)),
  setImage: (source, change) => edited(source, (edit, page) => writeImage(edit, page, change)),
  addAlternate: (source, pair) => edited(source, (edit, page) => addAlternate(edit, page, pair)),
  move: (source, move) => edited(source, (edit, page) => followMove(edit, page, move)),
  create: createPage,
  frame: ({ source }, framing) => frameOf(parseDocument(source), framing),

  links: (page) => linksOf(openPage(page)),
  linksTo: (page, slug) =>
    linksTo(openPage(page), slug).map((link) => attributeOf(link, 'href') ?? ''),
  images: (page) => imagesOf(openPage(page)),
  files: (page) => filesOf(openPage(page)),
  anchors: ({ source }) => anchorsOf(parseDocument(source)),
  rebuild: (page, change) => changeLinks(openPage(page), change),
  edit: editPage,

  linkBlock: (question) => describeBlock(openForLinks(question), question.template),
  addLinks(change) {
    const on = openForLinks(change);
    const block = usableBlock(on, change.template);
    if (block) return addBlocks(on, block, change);
    throw invalidInput(`No block of ${on.page.file.slug} links to ${change.template.slug}`);
  },
  mergeLinks: mergeBlocks,
  linkingPages: (pages, slug) => linkingPages(pages.flatMap(openSister), slug),

  check: checkPage,
  gainedOutsiders: ({ source }, before) =>
    gainedOutsiders(outsidersOf(before), outsidersOf(source)),
  gainedDoubles: ({ path, source }, before) =>
    gainedDoubles(
      doubledLinks(openPage({ path, source: before })),
      doubledLinks(openPage({ path, source })),
    ),
  setupChange: ({ path, source }, before) =>
    setupChange(setupAt({ path, source: before }), setupAt({ path, source })),
  knownKeys: keysOfPage,
};

function setupAt(source: PageSource): PageSetup {
  const page = openPage(source);
  const { pathOf } = addressesOf(page);
  return setupOf(page, (url) => pathOf(url) ?? url);
}

function changeLinks(page: Page, change: LinkChange): Rebuilt | null {
  switch (change.kind) {
    case 'drop-alternates':
      return keeping(page, dropAlternates(page, change));
    case 'drop-links':
      return keeping(page, dropLinks(page, change.slug));
  }
}

function editPage(source: PageSource, { name, args }: PageEdit): Edited | null {
  const call = core[name] as (page: PageSource, ...args: unknown[]) => string;
  const after = call(source, ...args);
  if (after === source.source) return null;
  const page = openPage(source);
  if (name !== 'setTexts') return keepNames(page, numberedAlike(page, after));
  const order = orderAfter(page, findSlotPlaces(page), args[0]);
  return keepPlaces(page, keepNames(page, numberedAlike(page, after, order)), args[0]);
}

const keeping = (page: Page, made: Rebuilt | null) => made && keepNames(page, made);

function changeSections(source: PageSource, change: SectionChange): Rebuilt | null {
  const page = openPage(source);
  switch (change.kind) {
    case 'remove-section':
      return removeSection(page, change.id);
    case 'move-section':
      return moveSection(page, change);
  }
}

/** The format of HTML pages. All bytes outside of a change stay. */
export const html: PageFormat = {
  paths: htmlPaths,
  core,
  groups: {
    ...groupCalls,
    rebuild: (page, change) => keeping(openPage(page), groupCalls.rebuild(page, change)),
  },
  sections: {
    sections: (page) => sectionsOf(openPage(page)),
    rebuild: (page, change) => keeping(openPage(page), changeSections(page, change)),
  },
  menu: {
    menu: (page) => menuEntries(openPage(page)),
    rebuild: (page, change) =>
      keeping(
        openPage(page),
        change.kind === 'add-entry'
          ? withOneMark(page, change.entry, addEntry(openPage(page), change.entry))
          : removeEntries(openPage(page), change.name),
      ),
  },
};
