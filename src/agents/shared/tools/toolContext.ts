import type Joi from 'joi';
import type { ModelQuestion } from '../../../contract/task.ts';
import type { ShownPicture } from '../agentTypes.ts';
import type { SiteEdits } from '../site/siteEdits.ts';
import type { TaskPictures } from '../site/taskPictures.ts';
import type { TaskWarnings } from '../site/taskWarnings.ts';
import type { PageTextCalls } from '../texts/textsPool.ts';

export interface ToolContext {
  site: SiteEdits;
  warnings: TaskWarnings;
  texts: PageTextCalls;
  pictures: TaskPictures;
  /** Absent: the model may not ask people. */
  questions?: PromptTaskQuestions;
}

/** The questions of a task whose language model may ask people. */
export interface PromptTaskQuestions {
  count: number;
  /** The question that this turn asks. */
  current?: ModelQuestion | undefined;
  /** Whether a question was not answered in time: then there are no more. */
  isUnanswered?: boolean;
}

/** A tool that reads or edits the site with the edits so far. */
export interface ModelTool {
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
