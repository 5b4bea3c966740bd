import type { PageFile } from '../../../contract/site.ts';
import type { PageImage } from '../../../sites/formats/pageParts.ts';
import type { SiteEdits } from '../site/siteEdits.ts';
import { describeLinkTarget } from './linksAndImages.ts';

/** A link or an image of a page. `description`: its target in words, such as `leads to /about`. */
export interface TargetReference {
  id: string;
  description: string;
  /** The same for all links and images with this target. */
  key: string;
  image?: PageImage;
}

export const describeImage = (file: string) => `shows the image "${file}"`;

/** Lists the links and images of a page, with their targets. */
export async function readReferences(site: SiteEdits, page: PageFile): Promise<TargetReference[]> {
  const links = await site.query(page, 'links');
  const images = await site.query(page, 'images');
  const { urls } = await site.query(page, 'readTexts');
  const fileUrls = new Map(urls.map(({ id, value }) => [id, value]));
  return [
    ...links.map((link) => ({
      id: link.id,
      description: describeLinkTarget(link),
      key: describeLinkTarget(link),
    })),
    ...images.map((image) => ({
      id: image.id,
      description: describeImage(image.file),
      key: `image ${fileUrls.get(image.id.replace(/\.alt$/, '.src')) ?? image.file}`,
      image,
    })),
  ];
}

/** Whether a link leads to a telephone number or an e-mail address, which one person has alone. */
const isContactKey = (key: string) => /"(?:tel|mailto):/i.test(key);

/**
 * Finds links and images of new members of a group that are still those of the copied member, such
 * as another person's photo. If every old member had a target, it is right for the new one too,
 * except for contacts and for a described picture in a group of one.
 * @param members how many members the group had before
 */
export function findCopiedReferences(
  referencesBefore: TargetReference[],
  referencesAfter: TargetReference[],
  members: number,
): TargetReference[] {
  const knownIds = new Set(referencesBefore.map(({ id }) => id));
  const referencesByKey = Map.groupBy(referencesBefore, ({ key }) => key);
  return referencesAfter.filter(({ id, key }) => {
    const sameReferences = referencesByKey.get(key) ?? [];
    const isOnlyPicture =
      members === 1 && sameReferences.some(({ image }) => image && image.alt !== '');
    return (
      !knownIds.has(id) &&
      sameReferences.length > 0 &&
      (sameReferences.length < members || isContactKey(key) || isOnlyPicture)
    );
  });
}
