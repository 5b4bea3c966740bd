import { isHoursAt } from '../../../sites/pages/hoursData.ts';
import { cut } from '../../../text/text.ts';
import type { Slot, SlotGroup, TemplateLink } from '../../../sites/formats/page.ts';
import type { TemplatePage } from '../../agent.ts';
import { plainText } from '../../text/marks.ts';
import { visible } from '../../../contract/visible.ts';
import { repeatsOf } from './repeats.ts';

/**
 * The template's texts for a model, in document order: one line for each. First texts for people,
 * then texts for programs, then groups. Each text is a JSON string in one line, so that no text can
 * imitate another line.
 */
export function outlineOf(template: TemplatePage): string {
  const known = outlines.get(template) ?? writeOutline(template);
  outlines.set(template, known);
  return known;
}

/** Cached outlines: a task requests several pages of one template. */
const outlines = new WeakMap<TemplatePage, string>();

function writeOutline({ slots, groups = [], links = [] }: TemplatePage): string {
  const places = placesOf(groups);
  const shown = slots.filter((slot) => !isInHead(slot));
  const head = slots.filter((slot) => isInHead(slot) && !isHoursAt(slot.jsonPath));
  const line = (slot: Slot, twin?: string) =>
    [
      ...(places.get(slot.id) ?? []),
      slot.id,
      kindOf(slot),
      lengthOf(slot),
      twin ? `=${twin}` : quote(slot.text),
    ].join(' ');
  const repeats = repeatsOf(slots);
  return [
    'Texts (id, kind, length, text; a line in brackets names the section of the texts below it):',
    ...withSections(shown, (slot) => line(slot)),
    ...(head.length > 0 ? ['', 'Head and structured data:'] : []),
    ...head.map((slot) => line(slot, repeats.get(slot)?.id)),
    ...(groups.length > 0 ? ['', 'Groups (id, kind, members):'] : []),
    ...groups.map(groupLine),
    ...(links.length > 0 ? ['', 'Links (link:id, where it leads, text):'] : []),
    ...links.slice(0, MOST_LINKS).map(linkLine),
  ].join('\n');
}

const inHead = ['title', 'description', 'social-title', 'social-description', 'structured-data'];
const isInHead = ({ role, id }: Slot) => inHead.includes(role) || id.endsWith('.content');

const lengthOf = ({ text }: Slot) => [...visible(plainText(text))].length;
const quote = (text: string) => JSON.stringify(visible(text));

function kindOf({ role, level, jsonPath, label }: Slot): string {
  const kind = role === 'heading' ? `h${level ?? 2}` : role;
  return [
    kind,
    ...(label ? ['(label)'] : []),
    ...(jsonPath === undefined ? [] : [quote(jsonPath).slice(1, -1)]),
  ].join(' ');
}

/**
 * Adds the section's name where it is not the heading above: the section has no heading, or one
 * that many of the site's pages share.
 */
function withSections(slots: readonly Slot[], line: (slot: Slot) => string): string[] {
  let section: string | null = null;
  return slots.flatMap((slot) => {
    const isOther = slot.section !== section && slot.role !== 'heading';
    const heading = isOther
      ? [`[section ${slot.section === null ? 'none' : quote(slot.section)}]`]
      : [];
    if (isOther) section = slot.section;
    if (slot.role === 'heading') section = plainText(slot.text).replace(/\s+/g, ' ').trim();
    return [...heading, line(slot)];
  });
}

/** `[g86.2]`: the group member that contains a text, outer groups first. */
function placesOf(groups: readonly SlotGroup[]): Map<string, string[]> {
  const places = new Map<string, string[]>();
  for (const { id, members } of groups.toSorted(
    (a, b) => b.members.flat().length - a.members.flat().length,
  ))
    for (const [i, ids] of members.entries())
      for (const slot of ids) places.set(slot, [...(places.get(slot) ?? []), `[${id}.${i + 1}]`]);
  return places;
}

const MOST_LINKS = 100;
const LONGEST_LINK = 60;

const linkLine = ({ id, href, slug, text }: TemplateLink) =>
  `link:${id.replace('.href', '')} ${quote(cut(slug ?? href, LONGEST_LINK))} ${quote(cut(text, LONGEST_LINK))}`;

const LONGEST_LIST = 8;

function groupLine({ id, role, members, pattern }: SlotGroup): string {
  const copied = members[pattern] ?? [];
  const ids = copied.slice(0, LONGEST_LIST).map((slot) => `${slot}+1`);
  const more = copied.length > ids.length ? ' …' : '';
  return `${id} ${role} ${members.length}: new ones are copied from ${id}.${pattern + 1}: ${ids.join(' ')}${more}`;
}
