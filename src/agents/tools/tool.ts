import type Joi from 'joi';
import type { SiteEdits } from '../siteEdits.ts';
import type { PartNumbers } from '../partNumbers.ts';
import type { Warnings } from '../warnings.ts';
import type { Texts } from './textsPort.ts';

export interface ToolContext {
  site: SiteEdits;
  warnings: Warnings;
  texts: Texts;
  /** The numbers of parts that a language model knows. */
  parts?: PartNumbers;
  /** The lengths of texts before they were written first, by path and id. */
  lengths?: Map<string, number>;
}

/** A tool that reads or edits the site with the edits so far. */
export interface Tool {
  name: string;
  description: string;
  schema: Joi.ObjectSchema;
  /**
   * Runs the tool with arguments that passed `schema`. Throws DomainError for mistakes of the
   * caller.
   */
  run(context: ToolContext, args: never): Promise<string>;
}
