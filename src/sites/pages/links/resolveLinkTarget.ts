import type { PageFile } from '../../../contract/site.ts';
import { invalidInputError, notFoundError } from '../../../errors.ts';
import { digitsOf, isMailbox } from '../../../text/text.ts';
import type { SiteTarget } from '../../formats/changes.ts';
import { plainHostOf } from '../urls/urlHosts.ts';
import { normalizeSlug } from '../urls/slug.ts';
import { decodeUrlPart, parseReference, type UrlReference } from '../urls/urls.ts';

/** Which targets a link may have. */
export const EXPECTED_LINK_TARGET =
  'a link must be the path of a page ("/pricing"), "#" followed by an id on the page, or an https, http, mailto, tel or sms URL';

/** The pages and files of the site that the link is on. */
export interface LinkingSite {
  /** The page at a slug. @throws DomainError NOT_FOUND */
  pageAt(slug: string): PageFile;
  /** Whether a file that is not a page exists at a path. */
  hasOtherFile(path: string): boolean;
  /** The ids of a page that a fragment can name. */
  anchors(page: PageFile): Promise<string[]>;
}

/**
 * Checks the target that an agent or a person chose for a link, and finds the page or file that it
 * names: `/pricing#plans` → `{ slug: '/pricing', path: 'pricing.html', fragment: '#plans', … }`.
 * @param page the page with the link
 * @param target a path from the site's root, a fragment, or a full URL
 * @returns the page or file of the site; a fragment or a full URL stays as it is
 * @throws DomainError INVALID_INPUT for unsafe schemes (`javascript:`, `data:`), NOT_FOUND for a
 *   missing page or fragment
 */
export async function resolveLinkTarget(
  site: LinkingSite,
  page: PageFile,
  target: string,
): Promise<string | SiteTarget> {
  if (/[\s\\<>"`]|[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(target))
    throw invalidInputError(EXPECTED_LINK_TARGET);
  const reference = parseReference(target);
  if (reference.scheme || reference.authority) return checkExternalTarget(target, reference);
  if (reference.path === '' && reference.fragment.length > 1) {
    await checkAnchor(site, page, reference.fragment);
    return target;
  }
  if (!reference.path.startsWith('/')) throw invalidInputError(EXPECTED_LINK_TARGET);
  return resolveSiteTarget(site, reference);
}

function checkExternalTarget(target: string, { scheme, authority, path }: UrlReference): string {
  const isWeb = /^https?:$/i.test(scheme) && plainHostOf(target) !== undefined;
  const isContact =
    /^(?:mailto|tel|sms):$/i.test(scheme) &&
    authority === '' &&
    isValidContact(scheme, decodeUrlPart(path));
  if (!isWeb && !isContact) throw invalidInputError(EXPECTED_LINK_TARGET);
  return target;
}

/**
 * A telephone number. Numbers of RFC 3966 have parameters after a `;`. Service numbers may begin
 * with `*` or `#`.
 */
const NUMBER = /^\+?[\d().\-\s*#]{3,40}(?:;.*)?$/s;

/** Whether a `mailto:`, `tel:` or `sms:` link has valid e-mail addresses or numbers. */
const isValidContact = (scheme: string, path: string) =>
  /^mailto:$/i.test(scheme)
    ? path.split(',').every((address) => isMailbox(address.trim()))
    : path
        .split(',')
        .every(
          (number) => NUMBER.test(number) && digitsOf(number.split(';')[0]!).length >= MIN_DIGITS,
        );

const MIN_DIGITS = 3;

async function resolveSiteTarget(
  site: LinkingSite,
  { path, query, fragment }: UrlReference,
): Promise<SiteTarget> {
  const file = decodeUrlPart(path).slice(1);
  if (site.hasOtherFile(file)) return { path: file, slug: null, query, fragment };
  const page = site.pageAt(normalizeSlug(decodeUrlPart(path)));
  if (fragment.length > 1) await checkAnchor(site, page, fragment);
  return { ...page, query, fragment };
}

async function checkAnchor(site: LinkingSite, page: PageFile, fragment: string) {
  const anchor = decodeUrlPart(fragment.slice(1));
  if (anchor !== 'top' && !(await site.anchors(page)).includes(anchor))
    throw missingAnchorError(page.slug, fragment);
}

export const missingAnchorError = (slug: string, fragment: string) =>
  notFoundError(`${slug} has no element with the id "${fragment}"`);
