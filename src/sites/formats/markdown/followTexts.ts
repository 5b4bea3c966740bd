import { decodeUrlPart } from '../../pages/urls/urls.ts';
import {
  type ContactLink,
  isContactUrl,
  newContactTargets,
  type TextReplacement,
} from '../contactLinks.ts';
import type { PageCreation, PageSource } from '../format.ts';
import type { SlotTexts } from '../pageParts.ts';
import { editMarkdownPage } from './editPage.ts';
import { slugOf } from '../fileUrls.ts';
import { findMarkdownPlaces } from './findMarkdownPlaces.ts';
import { nodeText } from './nodeKeys.ts';
import { type MarkdownPage, openMarkdownPage } from './openMarkdownPage.ts';
import { listTargets, type NewTarget, withoutCode, writeTargets } from './pageLinks.ts';

/**
 * Writes new texts, and then what follows them: links to the telephone numbers and e-mail addresses
 * that the texts show, and links in the page to headings, whose anchors are made from their texts.
 * @param newPage for a new page: the contacts of its context, and the country of its numbers
 * @throws INVALID_INPUT: see `editMarkdownPage`
 */
export function writeMarkdownTexts(
  source: PageSource,
  texts: SlotTexts,
  newPage?: Pick<PageCreation, 'contacts' | 'country'>,
): string {
  const page = openMarkdownPage(source);
  const writtenSource = { ...source, source: editMarkdownPage(source, { texts }) };
  const written = openMarkdownPage(writtenSource);
  const newTargets = [...followAnchors(page, written), ...followContacts(page, written, newPage)];
  return writeTargets(written, newTargets);
}

function followAnchors(page: MarkdownPage, written: MarkdownPage): NewTarget[] {
  const anchors = listHeadingAnchors(written);
  const newAnchors = new Map(listHeadingAnchors(page).map((anchor, i) => [anchor, anchors[i]]));
  return listTargets(written).flatMap((target) => {
    const [path = '', fragment = ''] = target.url.split('#', 2);
    const anchor = newAnchors.get(decodeUrlPart(fragment));
    const isOwn = path === '' || slugOf(written.file, path) === written.file.slug;
    return anchor === undefined || !isOwn ? [] : [{ ...target, url: `${path}#${anchor}` }];
  });
}

function followContacts(
  page: MarkdownPage,
  written: MarkdownPage,
  newPage: Pick<PageCreation, 'contacts' | 'country'> | undefined,
): NewTarget[] {
  const listContacts = (of: MarkdownPage) =>
    listTargets(of).filter(({ node, url }) => node.type === 'link' && isContactUrl(url));
  const oldLinks = listContacts(page);
  const links = listContacts(written).flatMap((target, i): (ContactLink & NewTarget)[] => {
    const oldLink = oldLinks[i];
    if (oldLink?.url !== target.url) return [];
    const [before, after] = [nodeText(oldLink.node), nodeText(target.node)];
    const { country } = newPage ?? {};
    return [{ ...target, href: target.url, before, after, country, isOwn: true }];
  });
  const newTexts = new Map(findMarkdownPlaces(written).map(({ slot }) => [slot.id, slot.text]));
  const changes = findMarkdownPlaces(page).flatMap(({ slot }): TextReplacement[] => {
    const newText = newTexts.get(slot.id) ?? slot.text;
    return newText === slot.text ? [] : [[slot.text, newText]];
  });
  const contacts = newPage && { changes, contacts: newPage.contacts ?? {} };
  const newTargets = newContactTargets(links, contacts);
  return links.flatMap((link, i) => {
    const url = newTargets[i];
    return url === undefined ? [] : [{ ...link, url }];
  });
}

/** The anchors of a page's headings, as GitHub and most generators make them. */
export function listHeadingAnchors({ nodes }: MarkdownPage): string[] {
  const counts = new Map<string, number>();
  return nodes.flatMap(({ node }) => {
    if (node.type !== 'heading') return [];
    const text = withoutCode(nodeText(node));
    const own = /\{#([\w-]+)\}\s*$/.exec(text)?.[1];
    if (own) return [own];
    const anchor = text
      .trim()
      .toLowerCase()
      .replace(/[^\p{L}\p{M}\p{N}\s_-]/gu, '')
      .replace(/\s/g, '-');
    const count = counts.get(anchor) ?? 0;
    counts.set(anchor, count + 1);
    return [count === 0 ? anchor : `${anchor}-${count}`];
  });
}
