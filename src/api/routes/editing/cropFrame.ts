import { randomBytes } from 'node:crypto';
import { Joi } from '../../../boundedJoi.ts';
import { type PageCropPorts, readPageCrop } from '../../../tasks/reviews/readPageCrop.ts';
import { type ApiContext, callerOf, jobOwnerOf, taskIdOf, type ValidQuery } from '../../context.ts';
import { pageSlug } from '../../slugSchemas.ts';
import { framePolicy } from './editor.frame.ts';

/** The query of GET /edit/{id}/.crop. */
export interface CropQuery {
  slug: string;
  of: 'page' | 'template';
  /** The id of the text to show. Absent: the top of the page. */
  slot?: string;
  /** The page whose card on this page is shown: the block that links to it. */
  card?: string;
}

export const cropQuery = Joi.object<CropQuery>({
  slug: pageSlug().required(),
  of: Joi.valid('page', 'template').default('page'),
  slot: Joi.string().alphanum().max(40),
  card: pageSlug(),
}).oxor('slot', 'card');

/**
 * GET /edit/{id}/.crop: a page under review in a frame, scrolled to one of its texts or cards,
 * which is outlined. As in the editor, the page has an opaque origin, and only our script runs.
 */
export async function showCrop(
  ctx: ApiContext<ValidQuery<CropQuery>>,
  deps: PageCropPorts,
): Promise<void> {
  const { slug, of: shownPage, slot, card } = ctx.state.query;
  const nonce = randomBytes(16).toString('base64url');
  const attribute = `data-text-${randomBytes(6).toString('hex')}`;
  const request = {
    id: taskIdOf(ctx),
    slug,
    isTemplate: shownPage === 'template',
    attribute,
    head:
      slot === undefined
        ? card === undefined
          ? ''
          : scrollMarkup(nonce, findCardScript(card))
        : scrollMarkup(nonce, `document.querySelector('[${attribute}^="${slot} "]')`),
  };
  ctx.body = await readPageCrop(callerOf(ctx), deps, request, jobOwnerOf(ctx));
  ctx.set('Content-Security-Policy', framePolicy(nonce));
  ctx.type = 'text/html; charset=utf-8';
}

/**
 * Outlines an element and scrolls to it: at first, again when pictures above it have loaded, and
 * when the frame gets another width.
 * @param finder the JavaScript expression that finds the element
 */
function scrollMarkup(nonce: string, finder: string): string {
  const script =
    `const show=()=>{const found=${finder};if(!found)return;` +
    `found.style.outline='3px solid #5b73ee';found.style.outlineOffset='4px';` +
    `found.scrollIntoView({block:'center'})};` +
    `addEventListener('DOMContentLoaded',show);addEventListener('load',show);` +
    `addEventListener('resize',show);` +
    `addEventListener('click',(event)=>event.preventDefault(),true)`;
  return `<script nonce="${nonce}">${script}</script>`;
}

/** An expression that finds the block with the first link of the content to a page. */
function findCardScript(slug: string): string {
  const path = JSON.stringify(new URL(slug, 'https://preview.invalid').pathname);
  const pathOf = String.raw`(link)=>link.pathname.replace(/(\/index)?\.(html?|mdx?|markdown)$|\/$/,'')`;
  return (
    `((links,pathOf)=>{const content=links.filter((one)=>!one.closest('nav,header,footer'));` +
    `const link=content.find((one)=>pathOf(one)===${path})??` +
    `content.find((one)=>pathOf(one)!==''&&${path}.endsWith(pathOf(one)));` +
    `return link?.closest('li,article,tr,.card')??link?.parentElement})` +
    `([...document.links],${pathOf})`
  );
}
