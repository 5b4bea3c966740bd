import { createPageFromAnswer } from '../../../../../src/agents/model/page/createPageFromAnswer.ts';
import type {
  GeneratedPage,
  PageAnswer,
  PageWritingJob,
  TemplatePage,
} from '../../../../../src/agents/shared/agentTypes.ts';
import { withoutUndefined } from '../../../../../src/contract/withoutUndefined.ts';
import { type Note, noteValues } from '../../../../../src/contract/task.ts';
import type { PageSource } from '../../../../../src/sites/formats/format.ts';
import { pageCalls } from '../../../../../src/sites/pages/pageCalls.ts';
import { openSite, type SiteName } from '../../../../eval/sites.ts';

/** A page as the template of a task: what an agent sees of it, and how its texts become a page. */
export interface OpenTemplate {
  page: PageSource;
  template: TemplatePage;
  siblings: PageSource[];
  digest: string;
}

export function templateOf(page: PageSource, siblings: PageSource[] = []): OpenTemplate {
  const { slots, digest, ...content } = pageCalls.readTemplate(page, siblings);
  const unlocked = slots.filter(({ locked }) => !locked);
  const siteTexts = slots.filter(({ locked }) => locked).map(({ text }) => text);
  return { page, template: { ...content, slots: unlocked, siteTexts }, siblings, digest };
}

/** A page of a site, beside some of its siblings. */
export function siteTemplate(site: SiteName, path: string): OpenTemplate {
  const { pages, source } = openSite(site);
  const fileAt = (own: string) => ({ path: own, source: source(own) });
  return templateOf(
    fileAt(path),
    pages
      .filter((other) => other !== path)
      .slice(0, 4)
      .map(fileAt),
  );
}

/** Texts by slot id, and the number of members of groups. */
export interface Script {
  texts?: Record<string, string>;
  groups?: Record<string, number | { members: number; keep: number[] }>;
  links?: Record<string, string>;
}

export const answerWith = ({ texts = {}, groups = {}, links = {} }: Script) => ({
  texts: Object.entries(texts).map(([id, text]) => ({ id, text })),
  groups: Object.entries(groups).map(([id, size]) => ({
    id,
    ...(typeof size === 'number' ? { members: size } : size),
  })),
  links: Object.entries(links).map(([id, target]) => ({ id, target })),
});

export type Item = Partial<PageWritingJob['item']>;
const itemOf = (item: Item) => ({
  targetPageSlug: '/locations/lisbon',
  context: 'City: Lisbon',
  ...item,
});

export const answered = ({ template }: OpenTemplate, script: Script, item: Item = {}): PageAnswer =>
  createPageFromAnswer({ template, item: itemOf(item) }, answerWith(script));

/** The problems of an answer, none for one that can be taken. */
export const problemsIn = (open: OpenTemplate, script: Script, item: Item = {}): string[] =>
  answered(open, script, item).rejected?.problems ?? [];

/** The page that an answer makes, as a task makes it, with the faults that the checks find. */
export function pageOf(open: OpenTemplate, script: Script, item: Item = {}) {
  const answer = answered(open, script, item);
  if (answer.rejected) throw new Error(answer.rejected.problems.join('\n'));
  const { targetPageSlug: slug } = itemOf(item);
  const said = (kind: Note['kind']) =>
    answer.notes.filter((note) => note.kind === kind).flatMap(noteValues);
  return { ...answer, said, ...created(open, answer, slug) };
}

/** The page's HTML and its faults, made when they are looked at. */
function created({ page, siblings, digest }: OpenTemplate, written: GeneratedPage, slug: string) {
  const { texts, groups = {}, removed = [], links, lang, country, contacts } = written;
  const path = `${slug.slice(1)}.html`;
  const sitePaths = [page.path, ...siblings.map((sibling) => sibling.path)];
  const html = () =>
    pageCalls.create({
      template: page,
      target: { slug, path },
      texts,
      groups,
      removed,
      sitePaths,
      digest,
      siblings,
      ...withoutUndefined({ lang, country, contacts, links: links && targetsOf(links) }),
    });
  return {
    html,
    faults: () =>
      pageCalls.check({
        path,
        before: page,
        after: html(),
        sitePaths: [...sitePaths, path],
        removed,
        mayAddLinks: links !== undefined,
      }).violations,
  };
}

/**
 * Each text of a template with its subject, about the new one: what an honest model would write at
 * least.
 */
export const renamed = (
  { template }: OpenTemplate,
  old: string,
  now: string,
): Record<string, string> =>
  Object.fromEntries(
    template.slots
      .filter(({ text, role }) => text.includes(old) && role !== 'structured-data')
      .map(({ id, text }) => [id, text.replaceAll(old, now)]),
  );

/** Targets as a task has them when it commits: here every path is a page. */
const targetsOf = (links: Record<string, string>) =>
  Object.fromEntries(
    Object.entries(links).map(([id, target]) => [
      id,
      target.startsWith('/')
        ? { path: `${target.slice(1) || 'index'}.html`, slug: target, query: '', fragment: '' }
        : target,
    ]),
  );
