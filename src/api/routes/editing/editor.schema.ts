import { Joi } from '../../../boundedJoi.ts';
import type { SettableNoteState } from '../../../contract/notes/noteStates.ts';
import { limits } from '../../../contract/task.ts';
import type { EditorChange } from '../../../editor/protocol.ts';
import { pageSlug } from '../../slugSchemas.ts';

export const sessionBody = Joi.object<{ key: string }>({ key: Joi.string().max(1_000).required() })
  .required()
  .label('body');

/** The query of requests for a page. */
export interface PageQuery {
  slug: string;
}

export const pageQuery = Joi.object<PageQuery>({ slug: pageSlug().required() });

const texts = Joi.array().items(Joi.string().allow('')).min(1).max(limits.pageSlots);

/**
 * The body that saves a page: new texts, its source, or (`drop`) notes whose facts are removed.
 * `digest` is that of the page that the person has edited.
 */
export const saveBody = Joi.object<EditorChange>({
  digest: Joi.string().hex().length(64).required(),
  texts: Joi.object().pattern(Joi.string().max(40), texts).max(limits.pageSlots),
  source: Joi.string().allow(''),
  drop: Joi.array().items(Joi.string().max(60)).min(1).max(300),
})
  .xor('texts', 'source', 'drop')
  .required()
  .label('body');

/** The body that sets the state of notes on the page. */
export interface ResolveNotesBody {
  state: SettableNoteState;
  notes: string[];
}

export const settleBody = Joi.object<ResolveNotesBody>({
  state: Joi.valid('open', 'done', 'kept').required(),
  notes: Joi.array().items(Joi.string().max(60)).min(1).max(300).required(),
})
  .required()
  .label('body');
