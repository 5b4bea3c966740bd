import { DomainError } from '../../../errors.ts';
import type { SlotRole } from '../../../sites/formats/format.ts';
import type { ToolCall } from '../../agent.ts';
import { escapeMarks, plainText } from '../../text/marks.ts';
import type { PageReading, PageHits } from '../../tools/reading.ts';
import type { Field } from './instructions.ts';
import type { Planned } from './step.ts';

type Call = Omit<ToolCall, 'id'>;
type Setting = Extract<Planned, { kind: 'set' }>;
type ReadSlot = PageReading['slots'][number];

/** What must be read before an instruction's edits are known; null for nothing. */
export function needsReading(instruction: Planned): Call | null {
  if (instruction.kind === 'set') return { name: 'read_page', arguments: { slug: instruction.slug } };
  if (instruction.kind === 'replace' && instruction.slugs === null)
    return { name: 'search', arguments: { text: instruction.from } };
  return null;
}

/**
 * The tool calls that carry an instruction out.
 * @param reading what the tool of `needsReading` answered
 * @throws DomainError INVALID_INPUT where the page has no such text, or more than one
 */
export function editsOf(instruction: Planned, reading: string): Call[] {
  switch (instruction.kind) {
    case 'delete':
      return instruction.slugs.map((slug) => ({ name: 'delete_page', arguments: { slug } }));
    case 'set':
      return setField(JSON.parse(reading) as PageReading, instruction);
    case 'replace': {
      const { from, to, slugs } = instruction;
      if (slugs === 'everywhere') return [{ name: 'replace_text', arguments: { from, to } }];
      const pages = slugs ?? [onlyPage(JSON.parse(reading) as PageHits[])];
      return pages.map((slug) => ({ name: 'replace_text', arguments: { from, to, slug } }));
    }
  }
}

function onlyPage(hits: PageHits[]): string {
  const slugs = hits.filter(({ sameCase }) => sameCase > 0).map(({ slug }) => slug);
  if (slugs.length === 1) return slugs[0]!;
  if (slugs.length === 0) throw new DomainError('INVALID_INPUT', 'the text to replace stands on no page');
  const named = slugs.slice(0, 10).join(', ') + (slugs.length > 10 ? ' and more' : '');
  throw new DomainError('INVALID_INPUT', `the text to replace stands on ${named}: say on which page, or everywhere`);
}

const FIELDS: Record<Field, { is: (slot: ReadSlot) => boolean; name: string; followers: SlotRole[] }> = {
  headline: {
    is: ({ role, level }) => role === 'heading' && level === 1,
    name: 'headline (h1)',
    followers: ['structured-data'],
  },
  title: { is: ({ role }) => role === 'title', name: 'title', followers: ['social-title', 'structured-data'] },
  description: {
    is: ({ role }) => role === 'description',
    name: 'meta description',
    followers: ['social-description', 'structured-data'],
  },
};

const oneLine = (text: string) => text.normalize('NFC').replace(/\s+/g, ' ').trim();

/** Sets a field, and the texts for other sites and search engines that said the same. */
function setField({ slug, slots }: PageReading, { field, text, old: expected }: Setting): Call[] {
  const { is, name, followers } = FIELDS[field];
  const found = slots.filter(is);
  if (found.length === 0) throw new DomainError('INVALID_INPUT', `${slug} has no ${name}`);
  if (found.length > 1)
    throw new DomainError(
      'INVALID_INPUT',
      `${slug} has ${found.length} texts that may be its ${name}; say which by \`Replace "…" with "…" on ${slug}\``,
    );
  const old = plainText(found[0]!.text);
  if (expected !== undefined && oneLine(expected) !== oneLine(old))
    throw new DomainError('INVALID_INPUT', `the ${name} of ${slug} is not the text that it is to be changed from`);
  const same = slots.filter((slot) => followers.includes(slot.role) && plainText(slot.text) === old);
  return [...found, ...same].map(({ id }) => ({ name: 'set_text', arguments: { slug, id, text: escapeMarks(text) } }));
}
