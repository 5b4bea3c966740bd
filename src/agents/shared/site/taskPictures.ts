import type { PageFile } from '../../../contract/site.ts';
import { type Note, createPageNote } from '../../../contract/task.ts';
import { quoteText } from '../../../text/text.ts';
import { isRegular } from '../../../sites/pages/pageSource.ts';
import type { PageMethods } from '../../../sites/pages/pages.ts';
import type { PageImage } from '../../../sites/formats/pageParts.ts';
import type { Tree } from '../../../sites/git/repository.ts';
import type { ShownPicture } from '../agentTypes.ts';
import type { SiteEdits } from './siteEdits.ts';

/** The pictures that a language model is shown in one task. */
export interface TaskPictures {
  /**
   * Chooses those of a page's pictures that the model has not been shown, and shows them. They are
   * files of the commit that the task begins with: no tool makes pictures.
   */
  show(images: PageImage[]): ShownPicture[];
  /**
   * Records that the model's provider does not accept pictures. Then none of them counts as seen.
   */
  hide(): void;
  hasSeen(path: string): boolean;
}

/** Most pictures of one reading of a page, and the largest file in bytes. */
const MAX_PER_READING = 8;
const MAX_PICTURE_BYTES = 1_000_000;
/**
 * Most pictures of a task. Every call of the model sends all of them, so they must fit into a
 * request of each provider. With more than 20, Anthropic accepts only smaller ones. A call with
 * 8 MB of pictures takes up to 66 MB of memory.
 */
const MAX_PER_TASK = 20;
const MAX_BYTES_PER_TASK = 8_000_000;

export function createTaskPictures(tree: Tree): TaskPictures {
  const shownPictures = new Map<string, ShownPicture>();
  let shownBytes = 0;
  let isHidden = false;
  return {
    show(images) {
      const chosenPictures: ShownPicture[] = [];
      for (const path of new Set(images.map((image) => image.path))) {
        const entry = tree.entries.get(path);
        if (!entry || !isRegular(tree, path) || !isPicture(path) || shownPictures.has(path))
          continue;
        const fits =
          entry.size > 0 &&
          entry.size <= MAX_PICTURE_BYTES &&
          shownBytes + entry.size <= MAX_BYTES_PER_TASK;
        if (
          !fits ||
          chosenPictures.length === MAX_PER_READING ||
          shownPictures.size === MAX_PER_TASK
        )
          continue;
        const picture = { path, id: entry.id };
        shownBytes += entry.size;
        shownPictures.set(path, picture);
        chosenPictures.push(picture);
      }
      return chosenPictures;
    },
    hide: () => void (isHidden = true),
    hasSeen: (path) => !isHidden && shownPictures.has(path),
  };
}

/** Whether a file may be a picture that providers take. Its first bytes decide when it is read. */
const isPicture = (path: string) => /\.(?:png|jpe?g|gif|webp)$/i.test(path);

/** Formats by their first bytes. `.` stands for any byte. */
const pictureFormats: [beginning: RegExp, mediaType: string][] = [
  [/^\x89PNG\r\n\x1a\n/, 'image/png'],
  [/^\xff\xd8\xff/, 'image/jpeg'],
  [/^GIF8[79]a/, 'image/gif'],
  [/^RIFF[^]{4}WEBP/, 'image/webp'],
];

/** The media type of a picture that providers take, by its bytes; undefined for other files. */
export const pictureType = (bytes: Buffer): string | undefined =>
  pictureFormats.find(([beginning]) => beginning.test(bytes.toString('latin1', 0, 12)))?.[1];

const MAX_NAMED_ALTS = 5;

/**
 * Notes on the alternative texts that a language model wrote without seeing the pictures.
 * @param request the customer's own words. Alternative texts that occur in them are the customer's
 */
export async function listUnseenAltNotes(
  pages: Pick<PageMethods, 'images'>,
  site: Pick<SiteEdits, 'files' | 'changes' | 'before'>,
  { pictures, request }: { pictures: TaskPictures; request: string },
): Promise<Note[]> {
  const notes: Note[] = [];
  const writtenSources = new Map(site.changes().map(({ path, content }) => [path, content]));
  for (const { path, slug } of site.files()) {
    const source = writtenSources.get(path);
    if (typeof source !== 'string') continue;
    const sourceBefore = await site.before(path);
    const knownKeys = new Set(
      sourceBefore ? (await pages.images(sourceBefore)).map(createImageKey) : [],
    );
    const unseenImages = (await pages.images({ path, source })).filter(
      (image) =>
        image.alt !== '' &&
        !knownKeys.has(createImageKey(image)) &&
        !request.includes(image.alt) &&
        !pictures.hasSeen(image.path),
    );
    const alts = [...new Set(unseenImages.map(({ alt }) => alt))];
    if (alts.length > 0) notes.push(createUnseenAltNote(slug, alts));
  }
  return notes;
}

const createImageKey = ({ path, file, alt }: PageImage) => JSON.stringify([path || file, alt]);

function createUnseenAltNote(slug: PageFile['slug'], alts: string[]): Note {
  return createPageNote(slug, 'invented', unseenAltSentence(alts), { values: alts });
}

export function unseenAltSentence(alts: string[]): string {
  const omittedCount = alts.length - MAX_NAMED_ALTS;
  const namedAlts = alts.slice(0, MAX_NAMED_ALTS).map((alt) => quoteText(alt));
  const altList = namedAlts.join(', ') + (omittedCount > 0 ? ` and ${omittedCount} more` : '');
  return alts.length === 1
    ? `the alternative text ${altList} was written without seeing the picture`
    : `${alts.length} alternative texts were written without seeing the pictures: ${altList}`;
}
