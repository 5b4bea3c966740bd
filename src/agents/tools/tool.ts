import type Joi from 'joi';
import type { SiteEdits } from '../siteEdits.ts';
import type { Warnings } from '../warnings.ts';
import type { Texts } from './textsPort.ts';

export interface ToolContext {
  site: SiteEdits;
  warnings: Warnings;
  texts: Texts;
}

/** A pure function over the site as edited so far. */
export interface Tool {
  name: string;
  description: string;
  schema: Joi.ObjectSchema;
  /** Runs with arguments that passed `schema`. Throws DomainError for what the caller can mend. */
  run(context: ToolContext, args: never): Promise<string>;
}
