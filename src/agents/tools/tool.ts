import type Joi from 'joi';
import type { AskedQuestion } from '../../contract/task.ts';
import type { ShownPicture } from '../agent.ts';
import type { SiteEdits } from '../siteEdits.ts';
import type { TaskPictures } from '../pictures.ts';
import type { Warnings } from '../warnings.ts';
import type { Texts } from './textsPool.ts';

export interface ToolContext {
  site: SiteEdits;
  warnings: Warnings;
  texts: Texts;
  pictures: TaskPictures;
  /** Absent: the model may not ask people. */
  questions?: Questions;
}

/** The questions of a task whose language model may ask people. */
export interface Questions {
  count: number;
  /** The question that this turn asks. */
  current?: AskedQuestion | undefined;
  /** Whether a question was not answered in time: then there are no more. */
  isUnanswered?: boolean;
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
  run(context: ToolContext, args: never): Promise<string | ToolAnswer>;
}

/** A tool's answer with pictures. */
export interface ToolAnswer {
  text: string;
  pictures: ShownPicture[];
}
