import type { PageFile } from '../../../contract/site.ts';
import type { PageImage } from '../../../sites/formats/pageParts.ts';
import type { SiteEdits } from '../site/siteEdits.ts';
import { describeLinkTarget } from './linksAndImages.ts';

/** A link or an image of a page, with a sentence on its target. */
export interface TargetReference {
  id: string;
  says: string;
  /** The same for all links and images with this target. */
  key: string;
  image?: PageImage;
}

/** The targets of a page's links and images. */
export async function readReferences(site: SiteEdits, page: PageFile): Promise<TargetReference[]> {
  const links = await site.query(page, 'links');
  const images = await site.query(page, 'images');
  const { addresses } = await site.query(page, 'readTexts');
  const fileUrls = new Map(addresses.map(({ id, value }) => [id, value]));
  return [
    ...links.map((link) => ({
      id: link.id,
      says: describeLinkTarget(link),
      key: describeLinkTarget(link),
    })),
    ...images.map((image) => ({
      id: image.id,
      says: `shows the image "${image.file}"`,
      key: `image ${fileUrls.get(image.id.replace(/\.alt$/, '.src')) ?? image.file}`,
      image,
    })),
  ];
}

/** The numbers and addresses of one person, which are wrong even where all members share them. */
const isContactKey = (key: string) => /"(?:tel|mailto):/i.test(key);

/**
 * The links and images of new members that are those of the member which was copied. Omits those
 * that all members share. A picture with a text for it is never shared by the only member.
 * @param members the number of members before
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
