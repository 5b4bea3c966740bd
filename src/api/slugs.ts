import type { CustomHelpers } from 'joi';

/** Joi check of the template's slug, normalized. The home page may be a template, though never a target. */
export function templateSlug(slug: string, helpers: CustomHelpers) {
  if (slug === '/') return slug;
  return normalize(slug) ?? refuse(helpers, slug);
}

/** Joi check of an item's slug, normalized: allowed, and the same page neither as the template nor as an item before it. */
export function targetSlug(slug: string, helpers: CustomHelpers) {
  const normalized = normalize(slug);
  if (normalized === null) return refuse(helpers, slug);
  const [, items, body] = helpers.state.ancestors as [unknown, { targetPageSlug?: unknown }[], Record<string, unknown>];
  if (isSamePage(normalized, body['templatePageSlug'])) return fail(helpers, 'must not be the template itself');
  const index = helpers.state.path?.at(-2) as number;
  const twin = items.slice(0, index).findIndex((item) => isSamePage(normalized, item?.targetPageSlug));
  return twin === -1 ? normalized : fail(helpers, `must not be the same page as items[${twin}].targetPageSlug`);
}

/** Names that differ only in case are one page: file systems and hosts do not agree on telling them apart. */
function isSamePage(slug: string, other: unknown): boolean {
  if (typeof other !== 'string') return false;
  return normalize(other)?.toLowerCase() === slug.toLowerCase();
}

function refuse(helpers: CustomHelpers, slug: string) {
  return fail(helpers, problemOf(slug));
}

/** The reason is a local, not a part of the template: it may quote the client's own text. */
function fail(helpers: CustomHelpers, reason: string) {
  return helpers.message({ custom: '{{#label}} {{#reason}}' }, { reason });
}

function problemOf(_slug: string): string {
  return 'is no slug of a page';
}
function normalize(slug: string): string | null {
  if (!/^(\/[\p{L}\p{N}_-][\p{L}\p{N}._~-]*)+\/?$/u.test(slug) || slug.includes('..') || slug.length > 200) return null;
  return slug.normalize('NFC').replace(/(\/index)?\.html$|\/$/, '');
}
