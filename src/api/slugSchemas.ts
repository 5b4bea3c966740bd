import type { CustomHelpers, Root, StringSchema } from 'joi';
import { Joi } from '../joi.ts';
import { limits, type PageItem } from '../contract/task.ts';
import { checkSlug, foldSlug } from '../sites/pages/slug.ts';

/** @param character the pattern of a character behind the first one */
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

const extended = Joi.extend(
  slugType('slug', '[^\\s%?#\\\\]'),
  slugType('existing', '(?:[^\\s%?#\\\\]| )'),
) as Record<'slug' | 'existing', () => StringSchema>;

/**
 * The slug of an existing page (a template, a page to edit), normalized. It may be the home page,
 * and have spaces, unlike a target.
 */
export const pageSlug = (): StringSchema => extended.existing().custom(checkPage);

/**
 * The slug of a new page, normalized. It must differ from the template and from all earlier items.
 */
export const targetSlug = (): StringSchema => extended.slug().custom(checkTarget);

/** The slug of a new page, normalized. It is not compared with others. */
export const newPageSlug = (): StringSchema => extended.slug().custom(checkNewPage);

/**
 * The slug of the page that will link to the new pages, normalized. It must differ from the
 * template and from all items.
 */
export const linkingSlug = (): StringSchema => extended.existing().custom(checkLinking);

function checkLinking(slug: string, helpers: CustomHelpers) {
  const result = check(slug, { exists: true });
  if ('problem' in result) return fail(helpers, result.problem);
  const [body] = helpers.state.ancestors as [Record<string, unknown>];
  if (isSamePage(result.slug, body['templatePageSlug']))
    return fail(helpers, 'must not be the template itself');
  const items = Array.isArray(body['items']) ? body['items'].slice(0, limits.itemsPerTask) : [];
  const twin = items.findIndex((item: PageItem | null) =>
    isSamePage(result.slug, item?.targetPageSlug),
  );
  if (twin === -1) return result.slug;
  return fail(helpers, `must not be the same page as items[${twin}].targetPageSlug`, { twin });
}

/** Normalizes a client's value as a slug. null if it is not a valid one. */
export function readSlug(given: unknown): string | null {
  const result = typeof given === 'string' ? check(given) : undefined;
  return result && 'slug' in result ? result.slug : null;
}

function checkPage(slug: string, helpers: CustomHelpers) {
  const result = check(slug, { exists: true });
  return 'slug' in result ? result.slug : fail(helpers, result.problem);
}

function checkNewPage(slug: string, helpers: CustomHelpers) {
  const result = check(slug);
  return 'slug' in result ? result.slug : fail(helpers, result.problem);
}

function checkTarget(slug: string, helpers: CustomHelpers) {
  const result = check(slug);
  if ('problem' in result) return fail(helpers, result.problem);
  const [, items, body] = helpers.state.ancestors as [
    unknown,
    { targetPageSlug?: unknown }[],
    Record<string, unknown>,
  ];
  if (isSamePage(result.slug, body['templatePageSlug']))
    return fail(helpers, 'must not be the template itself');
  const index = helpers.state.path?.at(-2) as number;
  // refused already, because there are too many items
  if (index >= limits.itemsPerTask) return result.slug;
  const twin = items
    .slice(0, index)
    .findIndex((item) => isSamePage(result.slug, item?.targetPageSlug));
  return twin === -1
    ? result.slug
    : fail(helpers, `must not be the same page as items[${twin}].targetPageSlug`);
}

/**
 * Checks a slug; its first slash is optional. The length is checked first, so that no pattern runs
 * on a huge text.
 */
function check(slug: string, options?: { exists: boolean }): ReturnType<typeof checkSlug> {
  if (slug.length > limits.slugLength)
    return { problem: `must not be longer than ${limits.slugLength} characters` };
  return checkSlug(slug.startsWith('/') ? slug : `/${slug}`, options);
}

/**
 * Whether two slugs name the same page. Case does not matter, because some file systems ignore it.
 */
function isSamePage(slug: string, other: unknown): boolean {
  const result = typeof other === 'string' ? check(other) : { problem: 'no string' };
  return 'slug' in result && foldSlug(result.slug) === foldSlug(slug);
}

/** @param more values for the error's readers (`twin`: index of the item with the same slug) */
function fail(helpers: CustomHelpers, problem: string, more: { twin?: number } = {}) {
  return helpers.message({ custom: '{{#label}} {{#problem}}' }, { ...more, problem });
}
