import { isHoursAt } from '../../../sites/pages/texts/hoursData.ts';
import { truncateText } from '../../../text/text.ts';
import type { TextSlot, SlotGroup, TemplateLink } from '../../../sites/formats/pageParts.ts';
import type { TemplatePage } from '../../shared/agentTypes.ts';
import { plainText } from '../../shared/text/parseMarks.ts';
import { removeInvisible } from '../../../contract/text/removeInvisible.ts';
import { findRepeatedTexts } from './repeatedTexts.ts';

/**
 * The template's texts for a model, in document order, with one line for each: first the texts for
 * people, then those for programs, then groups and links. Each text is a JSON string in one line,
 * so that no text can imitate another line.
 *
 *     [g86.2] s90 h3 7 "Starter"    a heading of 7 characters, in the second member of group g86
 */
export function readTemplateOutline(template: TemplatePage): string {
  const outline = outlineCache.get(template) ?? writeTemplateOutline(template);
  outlineCache.set(template, outline);
  return outline;
}

export const LINKS_HEADING = 'Links (link:id, where it leads, text):';

/** Cached outlines: a task requests several pages of one template. */
const outlineCache = new WeakMap<TemplatePage, string>();

function writeTemplateOutline({ slots, groups = [], links = [] }: TemplatePage): string {
  const positions = findGroupPositions(groups);
  const bodySlots = slots.filter((slot) => !isHeadSlot(slot));
  const headSlots = slots.filter((slot) => isHeadSlot(slot) && !isHoursAt(slot.jsonPath));
  const createSlotLine = (slot: TextSlot, repeatedId?: string) =>
    [
      ...(positions.get(slot.id) ?? []),
      slot.id,
      describeSlotKind(slot),
      countVisibleCharacters(slot),
      repeatedId ? `=${repeatedId}` : quoteSlotText(slot.text),
    ].join(' ');
  const repeats = findRepeatedTexts(slots);
  return [
    'Texts (id, kind, length, text; a line in brackets names the section of the texts below it):',
    ...addSectionLines(bodySlots, (slot) => createSlotLine(slot)),
    ...(headSlots.length > 0 ? ['', 'Head and structured data:'] : []),
    ...headSlots.map((slot) => createSlotLine(slot, repeats.get(slot)?.id)),
    ...(groups.length > 0 ? ['', 'Groups (id, kind, members):'] : []),
    ...groups.map(createGroupLine),
    ...(links.length > 0 ? ['', LINKS_HEADING] : []),
    ...links.slice(0, MOST_LINKS).map(createLinkLine),
  ].join('\n');
}

const headRoles = ['title', 'description', 'social-title', 'social-description', 'structured-data'];
const isHeadSlot = ({ role, id }: TextSlot) => headRoles.includes(role) || id.endsWith('.content');

const countVisibleCharacters = ({ text }: TextSlot) => [...removeInvisible(plainText(text))].length;
const quoteSlotText = (text: string) => JSON.stringify(removeInvisible(text));

function describeSlotKind({ role, level, jsonPath, label }: TextSlot): string {
  const kind = role === 'heading' ? `h${level ?? 2}` : role;
  return [
    kind,
    ...(label ? ['(label)'] : []),
    ...(jsonPath === undefined ? [] : [quoteSlotText(jsonPath).slice(1, -1)]),
  ].join(' ');
}

/**
 * Makes the lines of slots. Before a slot that is not in the section of the heading above it, a
 * line names its section: the section has no heading, or one that many of the site's pages share.
 */
function addSectionLines(
  slots: readonly TextSlot[],
  createLine: (slot: TextSlot) => string,
): string[] {
  let section: string | null = null;
  return slots.flatMap((slot) => {
    const isOther = slot.section !== section && slot.role !== 'heading';
    const heading = isOther
      ? [`[section ${slot.section === null ? 'none' : quoteSlotText(slot.section)}]`]
      : [];
    if (isOther) section = slot.section;
    if (slot.role === 'heading') section = plainText(slot.text).replace(/\s+/g, ' ').trim();
    return [...heading, createLine(slot)];
  });
}

/** The members of groups that contain each text, such as `[g86.2]`, outer groups first. */
function findGroupPositions(groups: readonly SlotGroup[]): Map<string, string[]> {
  const positions = new Map<string, string[]>();
  for (const { id, members } of groups.toSorted(
    (first, second) => second.members.flat().length - first.members.flat().length,
  ))
    for (const [index, ids] of members.entries())
      for (const slot of ids)
        positions.set(slot, [...(positions.get(slot) ?? []), `[${id}.${index + 1}]`]);
  return positions;
}

const MOST_LINKS = 100;
const LONGEST_LINK = 60;

const createLinkLine = ({ id, href, slug, text }: TemplateLink) =>
  `link:${id.replace('.href', '')} ${quoteSlotText(truncateText(slug ?? href, LONGEST_LINK))} ${quoteSlotText(truncateText(text, LONGEST_LINK))}`;

const LONGEST_LIST = 8;

function createGroupLine({ id, role, members, pattern }: SlotGroup): string {
  const copiedMember = members[pattern] ?? [];
  const ids = copiedMember.slice(0, LONGEST_LIST).map((slot) => `${slot}+1`);
  const ellipsis = copiedMember.length > ids.length ? ' …' : '';
  return `${id} ${role} ${members.length}: new ones are copied from ${id}.${pattern + 1}: ${ids.join(' ')}${ellipsis}`;
}
