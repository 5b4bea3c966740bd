import type { PageFile } from '../../contract/site.ts';
import { mergeNotes, valuesIn } from '../../contract/mergedNotes.ts';
import { type Note, noteOn } from '../../contract/task.ts';
import { namesOf } from '../../contract/text.ts';
import { REDIRECTS } from '../redirects/hostFileNames.ts';
import { isDerived } from '../pages/derivedFiles.ts';
import type { ChangedPages } from '../pages/deriveSitemap.ts';
import type { SetupChange } from '../formats/faults.ts';
import { cut, quoted } from '../../text/text.ts';
import type { Pages } from '../pages/pages.ts';
import type { GainedDouble, NewOutsider, PageKeptBeside, PageSetupChange } from './newOutsiders.ts';

/** The effects of a commit that a person should check before it goes live. */
export interface Done {
  changed: ChangedPages;
  /** Moved pages, by their slugs. `isOver` means that the move replaced another page. */
  moved: { from: string; to: string; isOver: boolean }[];
  /** Pages that another page replaced. */
  replaced: PageFile[];
  /** Pages whose addresses lead on to others, by their slugs. */
  redirects: { from: string; to: string }[];
  /** Paths of the written and deleted files. */
  paths: string[];
  outsiders: NewOutsider[];
  doubled: GainedDouble[];
  setups: PageSetupChange[];
  beside: PageKeptBeside[];
}

type Paths = Pick<Pages, 'isPage' | 'slugOf'>;

/** The most items of one kind to name; further ones are counted. */
const MOST = 30;
/** Characters of a note. */
const LONGEST = 500;
const LONGEST_TARGET = 120;
const NAMED_TEXTS = 4;
const NAMED_PARTS = 8;

/** Makes one note for each host, address or number, and one for each other kind of effect. */
export function changeNotes(pages: Paths, done: Done): Note[] {
  const outsiders = bounded(done.outsiders.map((outsider) => outsiderNote(pages, outsider)));
  const notes = [
    ...outsiders,
    ...deletedNotes(done),
    ...movedNotes(done),
    ...fileNotes(pages, done),
    ...doubledNotes(pages, done),
    ...setupNotes(pages, done),
    ...done.beside.map(({ path, says, values }) =>
      noteOn(pages.slugOf(path), 'part', says, {
        ...valuesIn(values.map((value) => cut(value, LONGEST))),
      }),
    ),
  ];
  return mergeNotes(notes.map((note) => ({ ...note, text: cut(note.text, LONGEST) })));
}

function bounded(notes: Note[]): Note[] {
  const rest = notes.length - MOST;
  const more: Note = {
    kind: 'host',
    text: `${rest} more hosts, e-mail addresses and telephone numbers are new`,
  };
  return rest > 0 ? [...notes.slice(0, MOST), more] : notes;
}

function outsiderNote(pages: Paths, outsider: NewOutsider): Note {
  const { says, paths } = outsider;
  const kind = 'host';
  const value = cut(outsider.value, LONGEST);
  const [path = '', ...others] = paths;
  if (others.length === 0 && pages.isPage(path))
    return noteOn(pages.slugOf(path), kind, says, { value });
  const places = paths.map((place) => (pages.isPage(place) ? pages.slugOf(place) : place));
  return { kind, text: `${says[0]!.toUpperCase()}${says.slice(1)}: ${namesOf(places)}`, value };
}

function deletedNotes({ changed, moved, replaced, redirects }: Done): Note[] {
  const gone = [...changed.deleted, ...replaced].map(({ slug }) => slug);
  const slugs = gone.filter((slug) => !moved.some(({ from }) => from === slug));
  const [slug, ...others] = slugs;
  if (slug === undefined) return [];
  const leadOf = (from: string) => redirects.find((redirect) => redirect.from === from)?.to;
  const lead = leadOf(slug);
  if (others.length === 0) {
    const instead = replaced.length > 0 ? ', and another one made in its place' : '';
    const leads = lead === undefined ? '' : `, and its address leads to ${lead}`;
    return [noteOn(slug, 'changed', `the page was deleted${instead}${leads}`)];
  }
  const named = slugs.map((one) => {
    const to = leadOf(one);
    return to === undefined ? one : `${one} (leads to ${to})`;
  });
  return [{ kind: 'changed', text: `${slugs.length} pages were deleted: ${namesOf(named)}` }];
}

function movedNotes({ moved, redirects }: Done): Note[] {
  const [only, ...others] = moved;
  if (only === undefined) return [];
  const leads = ({ from, to }: { from: string; to: string }) =>
    redirects.some((redirect) => redirect.from === from && redirect.to === to);
  const over = only.isOver ? ', in place of the page that was there' : '';
  const here = leads(only) ? ', whose address leads here' : '';
  if (others.length === 0)
    return [noteOn(only.to, 'changed', `the page was moved here from ${only.from}${here}${over}`)];
  const moves = moved.map(
    (move) => `${move.from} to ${move.to}${leads(move) ? ' (leads there)' : ''}`,
  );
  return [{ kind: 'changed', text: `${moves.length} pages were moved: ${namesOf(moves)}` }];
}

/** Makes one note for each target, naming all pages where it is doubled. */
function doubledNotes(pages: Paths, { doubled }: Done): Note[] {
  const groups = Map.groupBy(doubled, ({ where, target }) => `${where} ${target}`);
  return [...groups.values()].slice(0, MOST).map((same) => {
    const { where, target, texts } = same[0]!;
    const said = [...new Set(texts)].slice(0, NAMED_TEXTS).map((text) => quoted(text));
    const menu = where === 'navigation' ? 'the navigation' : 'a list';
    const says = `${menu} has ${texts.length} entries that lead to ${cut(target, LONGEST_TARGET)}: ${said.join(', ')}`;
    const slugs = [...new Set(same.map(({ path }) => pages.slugOf(path)))];
    if (slugs.length === 1) return noteOn(slugs[0]!, 'part', says);
    return { kind: 'part', text: `${namesOf(slugs)}: ${says}` };
  });
}

/** Makes one note for each change of the setup, naming all pages with the same change. */
function setupNotes(pages: Paths, { setups }: Done): Note[] {
  const groups = [...Map.groupBy(setups, setupWords)];
  const notes = groups.slice(0, MOST).map(([says, same]): Note => {
    const slugs = same.map(({ path }) => pages.slugOf(path));
    if (slugs.length === 1) return noteOn(slugs[0]!, 'changed', says);
    return { kind: 'changed', text: `${namesOf(slugs)}: ${says}` };
  });
  const more = groups.slice(MOST).flatMap(([, same]) => same).length;
  if (more === 0) return notes;
  const text = `${more} more pages lost scripts or style sheets, or are hidden from search engines`;
  return [...notes, { kind: 'changed', text }];
}

/** `the edit removed or switched off the script "/site.js" and the viewport` */
function setupWords({ removed, isUnlisted }: SetupChange): string {
  const rest = removed.length - NAMED_PARTS;
  const named = [...removed.slice(0, NAMED_PARTS), ...(rest > 0 ? [`${rest} more parts`] : [])];
  const gone = `removed or switched off ${listing.format(named)}`;
  const hides = 'asks search engines not to list the page (noindex)';
  const does = [...(removed.length > 0 ? [gone] : []), ...(isUnlisted ? [hides] : [])];
  return `the edit ${does.join(', and ')}`;
}

const listing = new Intl.ListFormat('en-GB');

function fileNotes(pages: Paths, { paths, changed, moved }: Done): Note[] {
  const isTold = moved.length + changed.deleted.length > 0;
  const hostNotes = (isTold ? [] : paths)
    .filter((path) => path === REDIRECTS)
    .map((path): Note => {
      const text = `${path} was changed: redirects away from new pages were taken out`;
      return { kind: 'changed', text };
    });
  const files = paths.filter(
    (path) => !pages.isPage(path) && !isDerived(path) && path !== REDIRECTS,
  );
  if (files.length === 0) return hostNotes;
  const [were, them] = files.length === 1 ? ['was', 'it'] : ['were', 'them'];
  return [
    ...hostNotes,
    {
      kind: 'changed',
      text: `${namesOf(files, 'files')} ${were} changed: look at the pages that use ${them}`,
    },
  ];
}
