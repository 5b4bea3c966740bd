import type { CustomHelpers, Root, StringSchema } from 'joi';
import { Joi } from '../boundedJoi.ts';
import { limits, type PageItem } from '../contract/task.ts';
import { checkSlug, foldSlug, slugProblems } from '../sites/pages/urls/slug.ts';

/**
 * Joi schemas for slugs: the paths of pages on their site, without an ending, such as `/pricing`.
 * They normalize what clients send: `locations/lisbon` → `/locations/lisbon`.
 */

/** What is wrong with the slug of a page that is also its template, as the end of a sentence. */
export const OWN_TEMPLATE_PROBLEM = 'must not be the template itself';

/** What is wrong with the slug of another item, as the end of a sentence. */
export const sameItemProblem = (index: number) =>
  `must not be the same page as items[${index}].targetPageSlug`;

/** @param character the pattern of each character after the first one */
const slugType = (type: string, character: string) => (joi: Root) => ({
  type,
  base: joi.string(),
  jsonSchema: (_: unknown, schema: object) => ({
    ...schema,
    type: 'string',
    maxLength: limits.slugLength,
    // the limit includes the first slash
    pattern: `^(/${character}*|[^\\s%?#\\\\/]${character}{0,${limits.slugLength - 2}})$`,
  }),
});

const slugExtension = Joi.extend(
  slugType('slug', '[^\\s%?#\\\\]'),
  slugType('existing', '(?:[^\\s%?#\\\\]| )'),
) as Record<'slug' | 'existing', () => StringSchema>;

/**
 * The slug of an existing page (a template, a page to edit), normalized. Unlike the slug of a new
 * page, it may be the home page, and contain spaces.
 */
export const pageSlug = (): StringSchema => slugExtension.existing().custom(checkPageSlug);

/**
 * The slug of a new page, normalized. It must differ from the template and from all earlier items.
 */
export const targetSlug = (): StringSchema => slugExtension.slug().custom(checkTargetSlug);

/** The slug of a new page, normalized. It is not compared with others. */
export const newPageSlug = (): StringSchema => slugExtension.slug().custom(checkNewPageSlug);

/**
 * The slug of the page that will link to the new pages, normalized. It must differ from the
 * template and from all items.
 */
export const linkingSlug = (): StringSchema => slugExtension.existing().custom(checkLinkingSlug);

function checkLinkingSlug(slug: string, helpers: CustomHelpers) {
  const result = checkSlugText(slug, { exists: true });
  if ('problem' in result) return slugError(helpers, result.problem);
  const [body] = helpers.state.ancestors as [Record<string, unknown>];
  if (isSamePage(result.slug, body['templatePageSlug']))
    return slugError(helpers, OWN_TEMPLATE_PROBLEM);
  const items = Array.isArray(body['items']) ? body['items'].slice(0, limits.itemsPerTask) : [];
  const duplicateIndex = items.findIndex((item: PageItem | null) =>
    isSamePage(result.slug, item?.targetPageSlug),
  );
  if (duplicateIndex === -1) return result.slug;
  return slugError(helpers, sameItemProblem(duplicateIndex), { twin: duplicateIndex });
}

/** Normalizes the slug of a new page. null if the value is not a valid one. */
export function readSlug(givenValue: unknown): string | null {
  const result = typeof givenValue === 'string' ? checkSlugText(givenValue) : undefined;
  return result && 'slug' in result ? result.slug : null;
}

function checkPageSlug(slug: string, helpers: CustomHelpers) {
  const result = checkSlugText(slug, { exists: true });
  return 'slug' in result ? result.slug : slugError(helpers, result.problem);
}

function checkNewPageSlug(slug: string, helpers: CustomHelpers) {
  const result = checkSlugText(slug);
  return 'slug' in result ? result.slug : slugError(helpers, result.problem);
}

function checkTargetSlug(slug: string, helpers: CustomHelpers) {
  const result = checkSlugText(slug);
  if ('problem' in result) return slugError(helpers, result.problem);
  const [, items, body] = helpers.state.ancestors as [
    unknown,
    { targetPageSlug?: unknown }[],
    Record<string, unknown>,
  ];
  if (isSamePage(result.slug, body['templatePageSlug']))
    return slugError(helpers, OWN_TEMPLATE_PROBLEM);
  const itemIndex = helpers.state.path?.at(-2) as number;
  // the schema of the list refuses it already, because there are too many items
  if (itemIndex >= limits.itemsPerTask) return result.slug;
  const duplicateIndex = items
    .slice(0, itemIndex)
    .findIndex((item) => isSamePage(result.slug, item?.targetPageSlug));
  return duplicateIndex === -1 ? result.slug : slugError(helpers, sameItemProblem(duplicateIndex));
}

/**
 * Checks a slug; its first slash is optional. The length is checked first, so that no pattern runs
 * on a huge text.
 */
function checkSlugText(slug: string, options?: { exists: boolean }): ReturnType<typeof checkSlug> {
  if (slug.length > limits.slugLength) return { problem: slugProblems.tooLong };
  return checkSlug(slug.startsWith('/') ? slug : `/${slug}`, options);
}

/**
 * Whether two slugs name the same page. Case does not matter, because some file systems ignore it.
 */
function isSamePage(slug: string, otherSlug: unknown): boolean {
  const result =
    typeof otherSlug === 'string' ? checkSlugText(otherSlug) : { problem: 'is not a string' };
  return 'slug' in result && foldSlug(result.slug) === foldSlug(slug);
}

/**
 * @param messageValues values for code that reads the error (`twin`: the index of the item with the
 *   same slug, see tasks.check.ts)
 */
function slugError(helpers: CustomHelpers, problem: string, messageValues: { twin?: number } = {}) {
  return helpers.message({ custom: '{{#label}} {{#problem}}' }, { ...messageValues, problem });
}
