import type { ImageListing } from '../../../tools/linking.ts';
import type { Edit } from '../../../siteCalls.ts';
import type { StepOf } from '../planSteps.ts';
import { call } from './askSite.ts';
import { listed, refuse } from './refuse.ts';
import { saying } from './slotTexts.ts';

/**
 * Changes an image's alt text. The image is found by its current alt text or its file name. An
 * image that appears twice on the page counts as one.
 */
export function editImage(images: ImageListing, { slug, image, text }: StepOf<'alt'>): Edit[] {
  const named = [
    saying(images, image, ({ alt }) => alt),
    saying(images, image.split('/').at(-1)!, ({ file }) => file),
    saying(images, image, ({ file }) => file.replace(/\.\w+$/, '')),
  ];
  const found = named.find((found) => found.length > 0);
  if (!found)
    throw refuse(
      `no image of ${slug} has this text or this file name; its images are ${filesOf(images)}`,
    );
  const kinds = new Set(found.map(({ file, alt }) => `${file} ${alt}`));
  if (kinds.size > 1)
    throw refuse(
      `${found.length} images of ${slug} are called so: ${filesOf(found)}; name one by its present text or its file`,
    );
  return found.map(({ id }) => call('set_alt', { slug, id, text }));
}

const filesOf = (images: ImageListing) =>
  images.length === 0 ? 'none' : listed(images.map(({ file, id }) => file || id));
