import { defined } from '../../../contract/defined.ts';
import type { GroupListing } from '../../tools/grouping.ts';
import type { ImageListing, LinkListing } from '../../tools/linking.ts';
import type { PageReading, PageHits } from '../../tools/reading.ts';
import { listed, refuse, type Call } from './edits/calls.ts';
import { editField } from './edits/fieldEdits.ts';
import { addItem, removeItem } from './edits/itemEdits.ts';
import { editImage } from './edits/imageEdits.ts';
import { editLinks } from './edits/linkEdits.ts';
import { editOneText } from './edits/textEdits.ts';
import type { Step } from './plan.ts';

const listGroups = (slug: string): Call => ({ name: 'list_groups', arguments: { slug } });
const readPage = (slug: string): Call => ({ name: 'read_page', arguments: { slug } });

/** What must be read before a step's edits are known. */
export function needsReading(step: Step): Call[] {
  switch (step.kind) {
    case 'set':
      return [readPage(step.slug)];
    case 'text':
      return [readPage(step.slug), ...(step.role === 'list-item' ? [listGroups(step.slug)] : [])];
    case 'add':
    case 'remove':
      return [listGroups(step.slug)];
    case 'replace':
      return step.slugs === null ? [{ name: 'search', arguments: { text: step.from } }] : [];
    case 'alt':
      return [{ name: 'list_images', arguments: { slug: step.slug } }];
    case 'link': {
      const slug = Array.isArray(step.slugs) && step.slugs.length === 1 ? step.slugs[0]! : undefined;
      const links = { name: 'list_links', arguments: defined({ text: step.now, slug }) };
      return [links, ...(step.text !== undefined && slug !== undefined ? [readPage(slug)] : [])];
    }
    default:
      return [];
  }
}

/**
 * The tool calls that carry a step out.
 * @param readings what the tools of `needsReading` answered
 * @throws DomainError INVALID_INPUT where what is to be changed is not there, or not the only one
 */
export function editsOf(step: Step, readings: string[]): Call[] {
  const read = <T>(i: number) => JSON.parse(readings[i]!) as T;
  switch (step.kind) {
    case 'create':
      return [{ name: 'create_page', arguments: { template: step.template, slug: step.slug } }];
    case 'move':
      return [{ name: 'move_page', arguments: { slug: step.slug, to: step.to } }];
    case 'delete':
      return step.slugs.map((slug) => ({ name: 'delete_page', arguments: { slug } }));
    case 'set':
      return editField(read<PageReading>(0), step);
    case 'text':
      return editOneText(read<PageReading>(0), step.role === 'list-item' ? read<GroupListing>(1) : [], step);
    case 'add':
      return addItem(read<GroupListing>(0), step);
    case 'remove':
      return removeItem(read<GroupListing>(0), step);
    case 'alt':
      return editImage(read<ImageListing>(0), step);
    case 'link':
      return editLinks(read<LinkListing>(0), step.text === undefined ? null : read<PageReading>(1), step);
    case 'replace': {
      const { from, to, slugs } = step;
      if (slugs === 'everywhere') return [{ name: 'replace_text', arguments: { from, to } }];
      const pages = slugs ?? [onlyPage(read<PageHits[]>(0))];
      return pages.map((slug) => ({ name: 'replace_text', arguments: { from, to, slug } }));
    }
  }
}

function onlyPage(hits: PageHits[]): string {
  const slugs = hits.filter(({ sameCase }) => sameCase > 0).map(({ slug }) => slug);
  if (slugs.length === 1) return slugs[0]!;
  if (slugs.length === 0) throw refuse('the text to replace stands on no page');
  throw refuse(`the text to replace stands on ${listed(slugs)}: say on which page, or everywhere`);
}
