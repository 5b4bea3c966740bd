import { DomainError, invalidInput } from '../../errors.ts';
import { cut, inLine } from '../../text/text.ts';
import type { Note } from '../../contract/task.ts';
import { checkSlug } from '../../sites/pages/slug.ts';
import type { SlotTexts } from '../../sites/formats/page.ts';
import type { TemplatePage } from '../agent.ts';
import { pageAt } from './arguments.ts';
import type { PageFile } from '../../contract/site.ts';
import type { SiteEdits } from '../siteEdits.ts';
import type { ToolContext } from './tool.ts';

interface CreatePage {
  /** The slug of the page to copy. */
  template: string;
  slug: string;
  /** New texts by ids of the template's slots. */
  texts?: SlotTexts;
  notes?: Note[];
}

/** Makes a new page from an existing one, with its layout and texts. */
export async function createPage({ site, warnings }: ToolContext, args: CreatePage): Promise<void> {
  const template = pageAt(site, args.template);
  const target = await site.fileFor(newSlug(args.slug), template);
  await site.create(template, target, { texts: args.texts ?? {} });
  warnings.add(...(args.notes ?? []));
}

/** The page's own texts and repeated blocks, for making a new page from it. */
export async function readTemplate(
  { site }: ToolContext,
  args: { slug: string },
): Promise<TemplatePage> {
  const { slug, slots, groups, claims, blocks } = await site.template(pageAt(site, args.slug));
  return { slug, slots: slots.filter(({ locked }) => !locked), groups, claims, blocks };
}

export function newSlug(slug: string): string {
  const checked = checkSlug(slug);
  if ('problem' in checked) throw invalidInput(`The new page's slug ${checked.problem}`);
  return checked.slug;
}

/**
 * Moves a page to another slug. Updates links to it on every page, its own URL and its relative
 * links.
 */
export async function movePage(
  context: ToolContext,
  args: { slug: string; to: string },
): Promise<string> {
  const { site } = context;
  const page = pageAt(site, args.slug);
  if (page.slug === '/') throw invalidInput('The home page "/" can\'t be moved');
  if (site.files().some(({ slug, path }) => slug === page.slug && path !== page.path))
    throw invalidInput(`${page.slug} can't be moved: the site has two files for it`);
  const target = await site.fileFor(newSlug(args.to), page, page);
  if (target.path === page.path)
    throw new DomainError('PAGE_EXISTS', `Page already exists: ${target.slug}`);
  await site.move(page, target);
  const leads = ledOn(context, page, target);
  return inLine(`Moved ${page.slug} to ${target.slug}${leads}`);
}

/**
 * Says in which files of hosts a page's old address is led on. Notes what keeps it from being so.
 */
function ledOn({ site, warnings }: ToolContext, page: PageFile, to: PageFile): string {
  for (const problem of site.redirects.problems())
    warnings.watch(
      {
        kind: 'part',
        text: cut(`The address of ${page.slug} is not led on to ${to.slug}. ${problem}`, LONGEST),
      },
      () => Promise.resolve(site.redirects.problems().includes(problem)),
    );
  const files = site.redirects.filesFor(page.path);
  return files.length === 0
    ? ''
    : `; ${page.slug} redirects to ${to.slug} by ${files.join(' and ')}`;
}

const LONGEST = 400;

/** Removes a page's `hreflang` links to another one, and to itself if the task added that one. */
export async function dropAlternates(site: SiteEdits, page: PageFile, slug: string) {
  const before = await site.before(page.path);
  const isWhole = before !== null && !before.source.includes('hreflang');
  return site.rebuild(page, { kind: 'drop-alternates', slug, isWhole });
}

/**
 * Deletes a page.
 * @param args.redirect slug of the page to which its address leads on
 * @param args.links `remove`: turns links to it into text, and removes its navigation entries
 * @returns what was done, with the pages that link to it
 */
export async function deletePage(
  context: ToolContext,
  args: { slug: string; links?: 'remove'; redirect?: string },
): Promise<string> {
  const { site, warnings, texts } = context;
  const page = pageAt(site, args.slug);
  const to = args.redirect === undefined ? undefined : pageAt(site, args.redirect);
  if (to?.path === page.path) throw invalidInput(`${page.slug} can't redirect to itself`);
  await site.remove(page, to);
  const leads = to ? ledOn(context, page, to) : '';
  for (const other of site.files()) {
    const { slug } = page;
    if (args.links) await site.rebuild(other, { kind: 'drop-links', slug });
    // no reader and no tool sees these links
    if (await texts.mayLeadTo(await site.pageSource(other), page))
      await dropAlternates(site, other, slug);
  }
  const linking = (await warnings.deleted(page)).join(', ');
  const links = leads ? `; links from ${linking} lead on` : `; it is still linked from ${linking}`;
  return inLine(`Deleted ${page.slug}${leads}${linking && links}`);
}
