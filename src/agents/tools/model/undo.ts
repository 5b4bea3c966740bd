import { Joi } from '../../../joi.ts';
import type { PageFile } from '../../../contract/site.ts';
import { invalidInput } from '../../../errors.ts';
import { pageAt, slug } from '../arguments.ts';
import { deletePage, dropAlternates } from '../structure.ts';
import type { Tool, ToolContext } from '../tool.ts';
import { listed } from './listing.ts';

const OTHERS = 'Other pages stay as they are now.';

export const undo: Tool = {
  name: 'undo',
  description:
    'Brings a page back as the task found it, also a deleted or moved one; a page that the task made goes.',
  schema: Joi.object({ slug }),
  run: (context: ToolContext, { slug }: { slug: string }) => {
    const { site } = context;
    const found = site.committedFiles(slug);
    if (found.length > 0) return bringBack(context, slug, found);
    const from = site.moved().find(({ to }) => to === slug)?.from;
    if (from === undefined) return unmake(context, slug);
    const there = site.find(from);
    if (there) throw invalidInput(`${slug} was ${from}, where another page is now: undo ${from}`);
    return bringBack(context, from, site.committedFiles(from));
  },
};

async function unmake(context: ToolContext, slug: string): Promise<string> {
  if (!context.site.find(slug) && context.site.hasCreated(slug))
    return `The task made ${slug} and took it away again: there is nothing to bring back. ${OTHERS}`;
  const page = pageAt(context.site, slug);
  const deleted = await deletePage(context, { slug: page.slug });
  return `The task made ${slug}: it is gone. ${deleted}. ${OTHERS}`;
}

async function bringBack(context: ToolContext, slug: string, found: PageFile[]): Promise<string> {
  const { site } = context;
  if (found.every((page) => site.isUnchanged(page))) return `${slug} is as the task found it`;
  const moved = site.moved();
  const comer = moved.find(({ to }) => to === slug);
  if (comer)
    throw invalidInput(`${comer.from} was moved to ${slug}: move it away first, then undo ${slug}`);
  const made = site.find(slug);
  const isReplaced = made !== undefined && !found.some(({ path }) => path === made.path);
  const to = moved.find(({ from }) => from === slug)?.to;
  if (isReplaced || (made && to !== undefined)) await site.remove(made);
  const own = to === undefined ? undefined : site.find(to);
  if (own) {
    await site.move(own, found[0]!);
  }
  for (const page of found) await site.restore(page);
  const parted = await partTranslations(context, slug);
  const links = own ? ` Links to ${own.slug} lead to it.` : '';
  return `${slug} is as the task found it.${links}${parted} ${OTHERS}`;
}

/** Takes the `hreflang` links to a page out of the pages that the task made. @returns which */
async function partTranslations({ site }: ToolContext, slug: string): Promise<string> {
  const parted: string[] = [];
  for (const page of site.files())
    if (site.hasCreated(page.slug) && (await dropAlternates(site, page, slug))) parted.push(page.slug);
  return parted.length === 0 ? '' : ` ${listed(parted)} no longer has an hreflang link to it.`;
}
