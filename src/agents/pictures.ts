import type { PageFile } from '../contract/site.ts';
import { type Note, noteOn } from '../contract/task.ts';
import { quoted } from '../text/text.ts';
import { isRegular } from '../sites/pages/pageSource.ts';
import type { Pages } from '../sites/pages/pages.ts';
import type { PageImage } from '../sites/formats/page.ts';
import type { Tree } from '../sites/git/repository.ts';
import type { ShownPicture } from './agent.ts';
import type { SiteEdits } from './siteEdits.ts';

/** The pictures that a language model is shown in one task. */
export interface TaskPictures {
  /**
   * Chooses those of a page's pictures that the model has not been shown, and shows them. They are
   * files of the commit that the task begins with: no tool makes pictures.
   */
  show(images: PageImage[]): ShownPicture[];
  /** Says that the model's provider takes no pictures: then none counts as seen. */
  hide(): void;
  hasSeen(path: string): boolean;
}

/** Most pictures of one reading of a page, and the largest file in bytes. */
const MOST_AT_ONCE = 8;
const LARGEST = 1_000_000;
/**
 * Most pictures of a task. Every call of the model sends all of them, so they must fit into a
 * request of each provider. With more than 20, Anthropic accepts only smaller ones. A call with
 * 8 MB of pictures takes up to 66 MB of memory.
 */
const MOST_OF_TASK = 20;
const MOST_BYTES = 8_000_000;

export function createPictures(tree: Tree): TaskPictures {
  const shown = new Map<string, ShownPicture>();
  let bytes = 0;
  let isHidden = false;
  return {
    show(images) {
      const chosen: ShownPicture[] = [];
      for (const path of new Set(images.map((image) => image.path))) {
        const entry = tree.entries.get(path);
        if (!entry || !isRegular(tree, path) || !isPicture(path) || shown.has(path)) continue;
        const fits = entry.size > 0 && entry.size <= LARGEST && bytes + entry.size <= MOST_BYTES;
        if (!fits || chosen.length === MOST_AT_ONCE || shown.size === MOST_OF_TASK) continue;
        const picture = { path, id: entry.id };
        bytes += entry.size;
        shown.set(path, picture);
        chosen.push(picture);
      }
      return chosen;
    },
    hide: () => void (isHidden = true),
    hasSeen: (path) => !isHidden && shown.has(path),
  };
}

/** Whether a file may be a picture that providers take. Its first bytes decide when it is read. */
const isPicture = (path: string) => /\.(?:png|jpe?g|gif|webp)$/i.test(path);

/** Formats by their first bytes. `.` stands for any byte. */
const formats: [beginning: RegExp, mediaType: string][] = [
  [/^\x89PNG\r\n\x1a\n/, 'image/png'],
  [/^\xff\xd8\xff/, 'image/jpeg'],
  [/^GIF8[79]a/, 'image/gif'],
  [/^RIFF[^]{4}WEBP/, 'image/webp'],
];

/** The media type of a picture that providers take, by its bytes; undefined for other files. */
export const pictureType = (bytes: Buffer): string | undefined =>
  formats.find(([beginning]) => beginning.test(bytes.toString('latin1', 0, 12)))?.[1];

const NAMED_ALTS = 5;

/**
 * Notes on the alternative texts that a language model wrote without seeing the pictures.
 * @param request the customer's own words; texts that stand in them are theirs
 */
export async function unseenAltNotes(
  pages: Pick<Pages, 'images'>,
  site: Pick<SiteEdits, 'files' | 'changes' | 'before'>,
  { pictures, request }: { pictures: TaskPictures; request: string },
): Promise<Note[]> {
  const notes: Note[] = [];
  const written = new Map(site.changes().map(({ path, content }) => [path, content]));
  for (const { path, slug } of site.files()) {
    const source = written.get(path);
    if (typeof source !== 'string') continue;
    const before = await site.before(path);
    const known = new Set(before ? (await pages.images(before)).map(keyOf) : []);
    const unseen = (await pages.images({ path, source })).filter(
      (image) =>
        image.alt !== '' &&
        !known.has(keyOf(image)) &&
        !request.includes(image.alt) &&
        !pictures.hasSeen(image.path),
    );
    const alts = [...new Set(unseen.map(({ alt }) => alt))];
    if (alts.length > 0) notes.push(noteOf(slug, alts));
  }
  return notes;
}

const keyOf = ({ path, file, alt }: PageImage) => JSON.stringify([path || file, alt]);

function noteOf(slug: PageFile['slug'], alts: string[]): Note {
  const rest = alts.length - NAMED_ALTS;
  const named = alts.slice(0, NAMED_ALTS).map((alt) => quoted(alt));
  const list = named.join(', ') + (rest > 0 ? ` and ${rest} more` : '');
  const says =
    alts.length === 1
      ? `the alternative text ${list} was written without seeing the picture`
      : `${alts.length} alternative texts were written without seeing the pictures: ${list}`;
  return noteOn(slug, 'invented', says, { values: alts });
}
