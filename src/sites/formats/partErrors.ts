import { DomainError } from '../../errors.ts';
import { invalidInput } from '../invalidInput.ts';

/*
 * The errors for requests that name parts of a page, which the page lacks or which cannot change.
 */

export const unknownLinkError = (id: string) =>
  invalidInput(`The page has no link or image "${id.slice(0, 40)}" that can be changed`);

export const unknownSectionError = (id: string) =>
  invalidInput(`The page has no section or table "${id.slice(0, 40)}"`);

const pictureFileName = /\.(?:avif|gif|ico|jpe?g|png|svg|webp)$/i;

/** An image of a page, and the path of its new file. Throws if there is none, or no picture. */
export function checkImage<Image>(image: Image | undefined, id: string, newPath: string): Image {
  if (!image) throw new DomainError('NOT_FOUND', `"${id.slice(0, 40)}" is not an image`);
  if (!pictureFileName.test(newPath)) throw invalidInput(`${newPath} is not a picture`);
  return image;
}

/** Throws CHANGED_BY_DEPLOY if a template's digest is another one than when it was read. */
export function checkDigest(slug: string, digest: string, formerDigest: string): void {
  if (digest !== formerDigest)
    throw new DomainError(
      'CHANGED_BY_DEPLOY',
      `The service was updated during the task and now reads the texts of ${slug} in a different way. Start the task again.`,
    );
}
