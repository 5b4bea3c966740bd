import MagicString from 'magic-string';
import type { PageFile } from '../../../contract/site.ts';
import { DomainError } from '../../../errors.ts';
import { descendants, parseDocument, type HtmlDocument } from './document.ts';
import type { Range } from '../../../text/range.ts';
import { usableGroups } from './groups/usableGroups.ts';
import { htmlPaths } from './htmlPaths.ts';
import { openPage, slotId } from './openPage.ts';
import type { SiteTarget } from '../changes.ts';
import { isLink, linkIdOf, writeImage } from './links/pageLinks.ts';
import { linesOf } from './outline/outlineLines.ts';
import { markupOf } from './outline/markupAround.ts';
import { near, outlineOf, type OpenOutline } from './outline/outline.ts';
import { idsAt, placesOf } from './samePlaces.ts';
import type { Place } from '../page.ts';
import { findSlotPlaces } from './slots/findSlotPlaces.ts';
import type { OutlineQuestion, PageSource } from '../format.ts';

const fileOf = ({ path }: PageSource): PageFile => ({ path, slug: htmlPaths.slugOf(path) });

/** The groups of a page, by the ids that a task knows them by. */
function openGroups(source: PageSource, page: HtmlDocument): OpenOutline['groups'] {
  const known = new Map(Object.entries(source.ids?.groups ?? {}).map(([id, now]) => [now, id]));
  return usableGroups(page).map((group) => {
    const { id } = group.slotGroup;
    return { id: known.get(id) ?? id, group };
  });
}

/** A page for a language model to read: see `PageCalls`. */
function outline({
  page: source,
  sisters,
  part = 'texts',
  from,
  group,
  texts,
}: OutlineQuestion): string {
  const page = openPage(source);
  const groups = openGroups(source, page);
  const within =
    group === undefined ? texts && stretchOf(page, fileOf(source), texts) : rangeOf(groups, group);
  const open = { page, groups, file: fileOf(source), sisters: sisters.flatMap(openSister) };
  return outlineOf(open, { part, ...(from !== undefined && { from }), ...(within && { within }) });
}

/** From the first of some texts to the last one. */
function stretchOf(page: HtmlDocument, file: PageFile, texts: string[]): Range {
  const wanted = new Set(texts);
  const lines = linesOf(page, file).filter(({ id }) => wanted.has(id));
  return {
    start: Math.min(...lines.map(({ start }) => start)),
    end: Math.max(...lines.map(({ end }) => end)),
  };
}

function rangeOf(groups: OpenOutline['groups'], id: string): Range {
  const found = groups.find((group) => group.id === id)?.group;
  if (!found) throw noGroup(id);
  return { start: found.start, end: found.end };
}

const noGroup = (id: string) =>
  new DomainError('INVALID_INPUT', `The page has no group "${id.slice(0, 40)}"`);

/** A sister that can't be read says nothing of the site's chrome. */
function openSister({ source }: PageSource): HtmlDocument[] {
  try {
    const page = parseDocument(source);
    findSlotPlaces(page);
    return [page];
  } catch (error) {
    if (error instanceof DomainError) return [];
    throw error;
  }
}

/** The HTML of a section. */
function markup(source: PageSource, id: string): string {
  const page = openPage(source);
  return markupOf({ page, groups: openGroups(source, page) }, id);
}

/** What texts are called in an outline: `h3`, `og:title`, `offers[0].name`. */
function kinds(source: PageSource, ids: string[]): string[] {
  const wanted = new Set(ids);
  const lines = linesOf(openPage(source), fileOf(source)).filter(({ id }) => wanted.has(id));
  const byId = new Map(lines.map(({ id, kind }) => [id, kind]));
  return ids.map((id) => byId.get(id) ?? '');
}

/** The ids of the links in each member of a group. */
export function groupLinks(source: PageSource, id: string): string[][] {
  const page = openPage(source);
  const found = openGroups(source, page).find((group) => group.id === id)?.group;
  if (!found) throw noGroup(id);
  return found.members.map(({ elements }) =>
    elements
      .flatMap((element) => [element, ...descendants(element)])
      .filter(isLink)
      .map((link) => `${slotId(page.numbers.get(link)!)}.href`),
  );
}

const places = (source: PageSource, ids: string[]): (Place | null)[] =>
  placesOf(openPage(source), fileOf(source), ids);

const atPlaces = (source: PageSource, wanted: (Place | null)[]): (string | null)[] =>
  idsAt(openPage(source), fileOf(source), wanted);

const linkId = (source: PageSource, id: string): string => linkIdOf(openPage(source), id);

function setImage(
  source: PageSource,
  change: { id: string; target: SiteTarget; alt: string },
): string {
  const page = openPage(source);
  const edit = new MagicString(page.source);
  writeImage(edit, page, fileOf(source), change);
  return page.bom + edit.toString();
}

/** The ids that come nearest to one that a page does not have. */
const nearIds = (source: PageSource, id: string): string =>
  near(linesOf(openPage(source), fileOf(source)), id);

export const outlineCalls = { outline, markup, kinds, places, atPlaces, linkId, setImage, nearIds };
