import { createHash } from 'node:crypto';
import MagicString from 'magic-string';
import type { PageFile } from '../../../contract/site.ts';
import { DomainError } from '../../../errors.ts';
import { defined } from '../../../contract/defined.ts';
import { checkPage } from './checks/checkPage.ts';
import { gainedOutsiders } from '../../checks/findOutsiders.ts';
import { knownKeys } from './checks/keysOfPage.ts';
import { outsidersOf } from './checks/outsidersIn.ts';
import { findChrome, witnessesOf, type Witnesses } from './sharedSlots.ts';
import { followContacts } from './links/followContacts.ts';
import { parseDocument, attributeOf, type Element, type HtmlDocument } from './document.ts';
import { frameOf } from './editorFrame.ts';
import { htmlPaths } from './htmlPaths.ts';
import { slotsOf, writeTexts } from './slots/writeTexts.ts';
import { identityOf } from './identity.ts';
import { addAlternate, languageOf, writeLanguage } from './language.ts';
import { classesOfMarkup } from './markup/checkMarkup.ts';
import { insertSection } from './markup/insertSection.ts';
import type { SlotPlace } from './slots/slotPlace.ts';
import { findSlotPlaces } from './slots/findSlotPlaces.ts';
import { followTimes } from './followTimes.ts';
import { positionOf } from './likeness.ts';
import { landmarkOf } from './roles.ts';
import { findBlocks, type BlockAt } from './blocks/findBlocks.ts';
import { takeOut } from './blocks/takeOut.ts';
import { findClaims } from './claims/findClaims.ts';
import { dropValues } from './claims/jsonClaims.ts';
import { arrange } from './groups/arrange.ts';
import type { Group } from './groups/findGroups.ts';
import { editableText, slotTexts } from '../../pages/editedTexts.ts';
import type {
  Block,
  Claim,
  GroupCounts,
  Slot,
  SlotGroup,
  SlotTexts,
  TextEdits,
  PageImage,
  PageLink,
} from '../page.ts';
import { groupsOf, membersAt, ordersFor, reorder, usableGroups } from './groups/usableGroups.ts';
import { addEntry, dropLinks, menuEntries, removeEntries } from './changes/menu.ts';
import { footerTexts } from './changes/footer.ts';
import { hoursOf } from './changes/openingHours.ts';
import { exchanged } from './changes/recompose.ts';
import { keepSections, moveSection, removeSection, sectionsOf } from './changes/sections.ts';
import { idsAfter, openPage } from './openPage.ts';
import type { Rebuilt, PageMove, SiteTarget } from '../changes.ts';
import type {
  AddLinks,
  Framing,
  LinkQuestion,
  MergeLinks,
  NewPage,
  GroupChange,
  MenuChange,
  PageFormat,
  SectionChange,
  PageContent,
  PageSource,
  PageTexts,
  TemplateContent,
} from '../format.ts';
import { followMove, relocateCopy } from './links/relocate.ts';
import * as pageLinks from './links/pageLinks.ts';
import { doubledLinks, gainedDoubles } from './links/doubledLinks.ts';
import { addBlocks } from './blocks/addBlocks.ts';
import type { BlockPage } from './blocks/blocksForPage.ts';
import * as linkBlocks from './blocks/linkBlock.ts';
import { mergeBlocks } from './blocks/mergeBlocks.ts';
import type { LinkAnswer } from '../linkBlocks.ts';
import { plainText } from '../../pages/slotText.ts';
import { groupLinks, outlineCalls } from './outlineCalls.ts';

const fileOf = ({ path }: { path: string }): PageFile => ({ path, slug: htmlPaths.slugOf(path) });

function read(page: PageSource): PageContent {
  const { slug } = fileOf(page);
  const slots = findSlotPlaces(openPage(page)).map(({ slot }) => slot);
  const name = slots.find(({ role }) => role === 'title') ?? slots.find(({ level }) => level === 1);
  return { slug, title: name ? plainText(name.text) : slug, slots };
}

function readTexts(page: PageSource): PageTexts {
  const { title, slots } = read(page);
  return {
    title,
    texts: slots.map(editableText),
    addresses: pageLinks.pageAddresses(openPage(page), fileOf(page)),
  };
}

/** A template taken apart, with what its sisters tell of it. */
interface Template {
  page: HtmlDocument;
  places: SlotPlace[];
  slots: Slot[];
  /** Without those of the site's chrome. */
  groups: Group[];
  digest: string;
  sisters: { file: PageFile; page: HtmlDocument }[];
  witnesses: Witnesses;
}

/**
 * Characters of a template and its sisters up to which they stay parsed: a task makes up to ten
 * pages of them, one after the other.
 */
const KEPT_CHARACTERS = 1_000_000;
let kept: { key: string; from: PageSource[]; template: Template } | undefined;

function openTemplate(template: PageSource, sources: PageSource[]): Template {
  const from = [template, ...sources];
  if (from.length === kept?.from.length && from.every((page, i) => page === kept?.from[i]))
    return kept.template;
  const key = keyOf(from);
  if (kept?.key === key) return (kept = { ...kept, from }).template;
  kept = undefined;
  const opened = takeApart(template, sources);
  const characters = from.reduce((sum, { source }) => sum + source.length, 0);
  if (characters <= KEPT_CHARACTERS) kept = { key, from, template: opened };
  return opened;
}

const keyOf = (pages: PageSource[]) =>
  createHash('sha256')
    .update(JSON.stringify(pages.map(({ path, source }) => [path, source])))
    .digest('hex');

function takeApart(template: PageSource, sources: PageSource[]): Template {
  const page = parseDocument(template.source);
  const places = findSlotPlaces(page);
  const sisters = sources.filter(({ path }) => path !== template.path).flatMap(openSister);
  const documents = sisters.map((sister) => sister.page);
  const witnesses = witnessesOf(page, documents);
  const chrome = findChrome(places, documents, witnesses);
  const slots = places.map(({ slot }) => ({ ...slot, locked: chrome.has(slot.id) }));
  const groups = usableGroups(page).filter((group) => !isChrome(group, chrome));
  const digest = digestOf(
    slots,
    groups.map(({ slotGroup }) => slotGroup),
  );
  return { page, places, slots, groups, digest, sisters, witnesses };
}

/** A group in a landmark is the site's, and so is one with a member that stands on every page. */
const isChrome = ({ members }: Group, chrome: Set<string>) =>
  members.some(
    ({ elements, places }) =>
      elements.some((element) => landmarkOf(element) !== null) ||
      places.every(({ slot }) => chrome.has(slot.id)),
  );

/** A sister that can't be read says nothing of the site's chrome. */
function openSister(source: PageSource) {
  try {
    const page = parseDocument(source.source);
    findSlotPlaces(page);
    return [{ file: fileOf(source), page }];
  } catch (error) {
    if (error instanceof DomainError) return [];
    throw error;
  }
}

/** Groups count only where there are any: a page without them has the digest that it always had. */
const digestOf = (slots: Slot[], groups: SlotGroup[]) =>
  createHash('sha256')
    .update(JSON.stringify(slots.map(({ id, role, text }) => [id, role, text])))
    .update(
      groups.length > 0
        ? JSON.stringify(groups.map(({ id, members, pattern }) => [id, members, pattern]))
        : '',
    )
    .digest('hex');

function readTemplate(template: PageSource, sisters: PageSource[]): TemplateContent {
  const open = openTemplate(template, sisters);
  const { page, places, slots, groups, digest } = open;
  const blocks = findBlocks(page, places);
  const claims = findClaims(page, places, blocks).filter(isOwnClaim(open));
  const slug = fileOf(template).slug;
  return {
    slug,
    slots,
    groups: groups.map(({ slotGroup }) => slotGroup),
    claims,
    blocks: blocks.map(blockData),
    digest,
  };
}

const blockData = ({ elements: _, ...block }: BlockAt): Block => block;

/** A claim in texts that stand on every page is the site's. */
function isOwnClaim({ slots }: Template): (claim: Claim) => boolean {
  const locked = new Set(slots.filter((slot) => slot.locked).map(({ id }) => id));
  return (claim) => claim.slots.length === 0 || !claim.slots.every((id) => locked.has(id));
}

function setTexts(source: PageSource, texts: SlotTexts): string {
  const page = openPage(source);
  const edit = new MagicString(page.source);
  writeTexts(edit, findSlotPlaces(page), texts);
  return followContacts(page, page.bom + edit.toString());
}

const setEditedTexts = (page: PageSource, edits: TextEdits): string =>
  setTexts(page, slotTexts(slotsOf(page.source), edits));

function create({
  template,
  target,
  texts,
  groups,
  lang,
  country,
  contacts,
  removed = [],
  ...site
}: NewPage): string {
  const { sitePaths, digest, sisters } = site;
  const open = openTemplate(template, sisters);
  const file = fileOf(template);
  if (open.digest !== digest)
    throw new DomainError(
      'CHANGED_BY_DEPLOY',
      `The texts of ${file.slug} are read in another way since this task began; start it again`,
    );
  const given = new Set(Object.keys(texts).map(templateSlot));
  const locked = open.slots.find(({ id, locked }) => locked && given.has(id));
  if (locked)
    throw new DomainError(
      'INVALID_INPUT',
      `Slot ${locked.id} of ${file.slug} stands on every page of the site: it can't be changed`,
    );
  const gone = new Set(removed);
  const whole = arranged(open, groups);
  const { page, places } = gone.size === 0 ? whole : takeOut(whole.page, whole.places, gone);
  const edit = new MagicString(page.source);
  if (lang !== undefined) writeLanguage(edit, page, lang);
  relocateCopy(edit, page, {
    template: file,
    target,
    sitePaths,
    isSiteLink: siteLinks(file, open),
  });
  writeTexts(edit, places, texts);
  dropValues(edit, page, gone);
  return followTimes(
    page,
    followContacts(page, page.bom + edit.toString(), country, contacts ?? {}),
  );
}

/** The slot of the template that a clone's slot is made of. */
const templateSlot = (id: string) => id.replace(/^(s\d+)(?:\+\d+)+/, '$1');

const arranged = ({ page, places, groups }: Template, counts: GroupCounts = {}) =>
  Object.keys(counts).length === 0
    ? { page, places }
    : arrange(page, places, groups, ordersFor(counts, groups));

/** Of the sisters of a template that is kept: where they link to it. */
const linksOfSisters = new WeakMap<Template['sisters'], Map<HtmlDocument, Set<string>>>();

/** Tells the links to the template that stand at the same place of its sisters too. */
function siteLinks(
  { slug }: PageFile,
  { sisters, witnesses }: Template,
): (link: Element) => boolean {
  const keys =
    linksOfSisters.get(sisters) ??
    new Map(sisters.map(({ file, page }) => [page, positionsOfLinks(page, file, slug)]));
  linksOfSisters.set(sisters, keys);
  return (link) =>
    witnesses.agree(
      landmarkOf(link) !== null,
      (sister) => keys.get(sister)?.has(positionOf(link)) ?? false,
    );
}

/** Positions of a page's links to `slug`. */
const positionsOfLinks = (page: HtmlDocument, file: PageFile, slug: string) =>
  new Set(pageLinks.linksTo(page, file, slug).map(positionOf));

function linksTo(page: PageSource, slug: string): string[] {
  const found = pageLinks.linksTo(parseDocument(page.source), fileOf(page), slug);
  return found.map((link) => attributeOf(link, 'href') ?? '');
}

const links = (page: PageSource): PageLink[] => pageLinks.linksOf(openPage(page), fileOf(page));
const images = (page: PageSource): PageImage[] => pageLinks.imagesOf(openPage(page));
const anchors = (page: PageSource): string[] => pageLinks.anchorsOf(parseDocument(page.source));

/** The source after an edit of its document. */
function edited(
  source: PageSource,
  write: (edit: MagicString, page: HtmlDocument) => void,
): string {
  const page = openPage(source);
  const edit = new MagicString(page.source);
  write(edit, page);
  return page.bom + edit.toString();
}

const setLink = (source: PageSource, id: string, target: string | SiteTarget): string =>
  edited(source, (edit, page) => pageLinks.writeLink(edit, page, fileOf(source), id, target));

const setAlt = (source: PageSource, id: string, text: string): string =>
  edited(source, (edit, page) => pageLinks.writeAlt(edit, page, id, text));

function doublesGained(page: PageSource, before: string) {
  const [old, now] = [before, page.source].map((source) =>
    doubledLinks(parseDocument(source), fileOf(page)),
  );
  return gainedDoubles(old!, now!);
}

const frame = (page: PageSource, framing: Framing): string =>
  frameOf(parseDocument(page.source), framing);

const move = (source: PageSource, move: PageMove): string =>
  edited(source, (edit, page) => followMove(edit, page, fileOf(source), move));

function openForLinks({ page, sisters }: Pick<LinkQuestion, 'page' | 'sisters'>): BlockPage {
  const open = openTemplate(page, sisters);
  const { places, groups, slots } = open;
  const chrome = new Set(slots.filter(({ locked }) => locked).map(({ id }) => id));
  return { page: open.page, file: fileOf(page), places, groups, chrome };
}

const linkBlock = (question: LinkQuestion): LinkAnswer =>
  linkBlocks.describeBlock(openForLinks(question), question.template);

function addLinks({ template, items, sitePaths, ...question }: AddLinks): string {
  const on = openForLinks(question);
  const block = linkBlocks.usableBlock(on, template);
  if (!block)
    throw new DomainError('INVALID_INPUT', `No block of ${on.file.slug} links to ${template.slug}`);
  return addBlocks(on, block, { template, items, sitePaths });
}

const mergeLinks = ({ before, task, page, slugs }: MergeLinks) =>
  mergeBlocks(fileOf(page), { before, task, theirs: page.source }, slugs);

const linkingPages = (pages: PageSource[], slug: string) =>
  linkBlocks.linkingPages(pages.flatMap(openSister), slug);

/** The groups of a page, with the ids that the task knows them by. */
function groups(page: PageSource): SlotGroup[] {
  const known = new Map(Object.entries(page.ids?.groups ?? {}).map(([id, now]) => [now, id]));
  return groupsOf(page.source, openPage(page)).map((group) => ({
    ...group,
    id: known.get(group.id) ?? group.id,
  }));
}

/** A group is the same one as long as one of its texts is in it. */
function followGroup(before: PageSource, id: string, rebuilt: Rebuilt): Rebuilt {
  const own = new Set(
    groups(before)
      .find((group) => group.id === id)
      ?.members.flat(),
  );
  const now = groupsOf(rebuilt.source, openPage(rebuilt)).find(({ members }) =>
    members.flat().some((slot) => own.has(slot)),
  );
  if (!now || now.id === id) return rebuilt;
  return { ...rebuilt, ids: { ...rebuilt.ids, groups: { ...rebuilt.ids.groups, [id]: now.id } } };
}

/** A section more; what the checks of a task would refuse later is refused at once. */
function insertInto(
  source: PageSource,
  page: HtmlDocument,
  { after, from, html, site }: Extract<SectionChange, { kind: 'insert-section' }>,
): Rebuilt {
  const file = fileOf(source);
  const origin = from && {
    page: openPage(from.page),
    file: fileOf(from.page),
    section: from.section,
  };
  const insertion = defined({ after, html, from: origin });
  const rebuilt = insertSection(page, file, insertion, { site, ids: source.ids });
  const { faults } = checkPage({
    ...file,
    before: source,
    after: rebuilt.source,
    ...site,
    newLinks: true,
  });
  if (faults.length === 0) return rebuilt;
  const list = faults.map(
    ({ element, problem, expected }) => `${element}: ${problem} (expected: ${expected})`,
  );
  throw new DomainError('INVALID_INPUT', `Not inserted: ${list.join('; ')}`);
}

function classes({ source }: PageSource): string[] {
  const counts = new Map<string, number>();
  for (const element of parseDocument(source).numbers.keys())
    for (const name of (attributeOf(element, 'class') ?? '').split(/[ \t\n\f\r]+/))
      if (name !== '') counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].sort((a, b) => b[1] - a[1]).map(([name]) => name);
}

/** A change of a group, and the ids of the page's elements after it. */
function rearranged(source: PageSource, change: GroupChange): Rebuilt {
  const { ids } = source;
  const page = openPage(source);
  const group = ids?.groups?.[change.group] ?? change.group;
  if (change.kind === 'members') {
    const after = reorder(page, group, change.order);
    return followGroup(source, change.group, {
      source: after.bom + after.source,
      ids: idsAfter(after, ids),
    });
  }
  const [one, other] = membersAt(page, group, change.members);
  return followGroup(source, change.group, exchanged(page, one!, other!, ids));
}

function withSections(source: PageSource, change: SectionChange): Rebuilt | null {
  const { ids } = source;
  const page = openPage(source);
  switch (change.kind) {
    case 'remove-section':
      return removeSection(page, change.id, ids);
    case 'move-section':
      return moveSection(page, change, ids);
    case 'keep-sections':
      return keepSections(page, change.sections, ids);
    case 'insert-section':
      return insertInto(source, page, change);
  }
}

function withMenu(source: PageSource, change: MenuChange): Rebuilt | null {
  const [page, file] = [openPage(source), fileOf(source)];
  return change.kind === 'add-entry'
    ? addEntry(page, file, change.entry, source.ids)
    : removeEntries(page, file, change.name, source.ids);
}

/** Pages as HTML files: every byte outside of a change stays as it is. */
export const html: PageFormat = {
  paths: htmlPaths,
  core: {
    read,
    ...outlineCalls,
    readTexts,
    readTemplate,
    setTexts,
    setEditedTexts,
    create,
    linksTo,
    links,
    images,
    anchors,
    setLink,
    setAlt,
    move,
    frame,
    linkBlock,
    addLinks,
    mergeLinks,
    linkingPages,
    hours: (page) => hoursOf(openPage(page)),
    footer: (page) => footerTexts(openPage(page)),
    identity: (page) => identityOf(parseDocument(page.source), fileOf(page).slug),
    language: ({ source }) => languageOf(parseDocument(source)) ?? null,
    addAlternate: (source, pair) =>
      edited(source, (edit, page) => addAlternate(edit, page, fileOf(source), pair)),
    rebuild: (page, { slug }) => dropLinks(openPage(page), fileOf(page), slug, page.ids),
    check: checkPage,
    gainedOutsiders: ({ source }, before) =>
      gainedOutsiders(outsidersOf(before), outsidersOf(source)),
    gainedDoubles: doublesGained,
    knownKeys,
  },
  groups: { groups, groupLinks, rebuild: rearranged },
  sections: { sections: (page) => sectionsOf(openPage(page)), rebuild: withSections },
  menu: { menu: (page) => menuEntries(openPage(page), fileOf(page)), rebuild: withMenu },
  styles: { classes, classesOf: (_, markup) => classesOfMarkup(markup) },
};
