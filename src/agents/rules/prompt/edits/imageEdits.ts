import type { ImageListing } from '../../../shared/tools/linksAndImages.ts';
import type { RulesEdit } from '../../../shared/tools/rulesCalls.ts';
import type { PromptStepOf } from '../promptSteps.ts';
import { createSiteCall } from './siteQueries.ts';
import { joinFirstNames, createInstructionError } from './instructionError.ts';
import { selectByText } from './findByText.ts';

/**
 * Changes an image's alt text. The image is found by its current alt text, or by its file name with
 * or without the ending. If it is on the page twice with the same alt text, both change.
 */
export function createImageEdits(
  images: ImageListing,
  { slug, image, text }: PromptStepOf<'alt'>,
): RulesEdit[] {
  const candidateLists = [
    selectByText(images, image, ({ alt }) => alt),
    selectByText(images, image.split('/').at(-1)!, ({ file }) => file),
    selectByText(images, image, ({ file }) => file.replace(/\.\w+$/, '')),
  ];
  const matchingImages = candidateLists.find((matchingImages) => matchingImages.length > 0);
  if (!matchingImages)
    throw createInstructionError(
      `no image of ${slug} has this text or file name: its images are ${listImageFiles(images)}`,
    );
  const distinctImages = new Set(matchingImages.map(({ file, alt }) => `${file} ${alt}`));
  if (distinctImages.size > 1)
    throw createInstructionError(
      `${matchingImages.length} images of ${slug} have this text or file name: ${listImageFiles(matchingImages)}. Name one by its current text or its file`,
    );
  return matchingImages.map(({ id }) => createSiteCall('set_alt', { slug, id, text }));
}

const listImageFiles = (images: ImageListing) =>
  images.length === 0 ? 'none' : joinFirstNames(images.map(({ file, id }) => file || id));
