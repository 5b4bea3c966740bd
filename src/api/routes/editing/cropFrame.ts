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
}

export const cropQuery = Joi.object<CropQuery>({
  slug: pageSlug().required(),
  of: Joi.valid('page', 'template').default('page'),
  slot: Joi.string().alphanum().max(40),
});

/**
 * GET /edit/{id}/.crop: a page under review in a frame, scrolled to one of its texts, which is
 * outlined. As in the editor, the page has an opaque origin, and only our script runs.
 */
export async function showCrop(
  ctx: ApiContext<ValidQuery<CropQuery>>,
  deps: PageCropPorts,
): Promise<void> {
  const { slug, of: shownPage, slot } = ctx.state.query;
  const nonce = randomBytes(16).toString('base64url');
  const attribute = `data-text-${randomBytes(6).toString('hex')}`;
  const request = {
    id: taskIdOf(ctx),
    slug,
    isTemplate: shownPage === 'template',
    attribute,
    head: slot === undefined ? '' : cropMarkup({ nonce, attribute, slot }),
  };
  ctx.body = await readPageCrop(callerOf(ctx), deps, request, jobOwnerOf(ctx));
  ctx.set('Content-Security-Policy', framePolicy(nonce));
  ctx.type = 'text/html; charset=utf-8';
}

/** Outlines the text and scrolls to it: at first, and again when pictures above it have loaded. */
function cropMarkup({
  nonce,
  attribute,
  slot,
}: {
  nonce: string;
  attribute: string;
  slot: string;
}): string {
  const selector = `[${attribute}^="${slot} "]`;
  const script =
    `const show=()=>document.querySelector('${selector}')?.scrollIntoView({block:'center'});` +
    `addEventListener('DOMContentLoaded',show);addEventListener('load',show);` +
    `addEventListener('click',(event)=>event.preventDefault(),true)`;
  return (
    `<style nonce="${nonce}">${selector}{outline:3px solid #3b54d6;outline-offset:4px}</style>` +
    `<script nonce="${nonce}">${script}</script>`
  );
}
