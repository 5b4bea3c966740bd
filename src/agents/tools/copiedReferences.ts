import type { PageFile } from '../../contract/site.ts';
import type { PageImage } from '../../sites/formats/page.ts';
import type { SiteEdits } from '../siteEdits.ts';
import { whereTo } from './linking.ts';

/** A link or an image of a page, with a sentence on its target. */
export interface Reference {
  id: string;
  says: string;
  /** The same for all links and images with this target. */
  key: string;
  image?: PageImage;
}

/** The targets of a page's links and images. */
export async function referencesOf(site: SiteEdits, page: PageFile): Promise<Reference[]> {
  const links = await site.query(page, 'links');
  const images = await site.query(page, 'images');
  const { addresses } = await site.query(page, 'readTexts');
  const files = new Map(addresses.map(({ id, value }) => [id, value]));
  return [
    ...links.map((link) => ({ id: link.id, says: whereTo(link), key: whereTo(link) })),
    ...images.map((image) => ({
      id: image.id,
      says: `shows the image "${image.file}"`,
      key: `image ${files.get(image.id.replace(/\.alt$/, '.src')) ?? image.file}`,
      image,
    })),
  ];
}

/** The numbers and addresses of one person, which are wrong even where all members share them. */
const isContact = (key: string) => /"(?:tel|mailto):/i.test(key);

/**
 * The links and images of new members that are those of the member which was copied. Omits those
 * that all members share. A picture with a text for it is never shared by the only member.
 * @param members the number of members before
 */
export function copiedReferences(
  before: Reference[],
  after: Reference[],
  members: number,
): Reference[] {
  const known = new Set(before.map(({ id }) => id));
  const sameOf = Map.groupBy(before, ({ key }) => key);
  return after.filter(({ id, key }) => {
    const same = sameOf.get(key) ?? [];
    const isOnly = members === 1 && same.some(({ image }) => image && image.alt !== '');
    return !known.has(id) && same.length > 0 && (same.length < members || isContact(key) || isOnly);
  });
}
