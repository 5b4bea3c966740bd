import type Joi from 'joi';
import type { ModelQuestion } from '../../../contract/task.ts';
import type { ShownPicture } from '../agentTypes.ts';
import type { SiteEdits } from '../site/siteEdits.ts';
import type { TaskPictures } from '../site/taskPictures.ts';
import type { TaskWarnings } from '../site/taskWarnings.ts';
import type { PageTextCalls } from '../texts/textsPool.ts';

/**
 * What the functions of this folder work on: a site with one task's edits in memory. Each reads or
 * edits the site, and adds notes for people (a note: what a person should check on a page):
 *
 *     setTexts(context, { slug: '/about', edits: [{ id: 's7', text: 'Who we are' }] })
 *
 * writes a text into `context.site`. If the page already had this text, it adds a note to
 * `context.warnings`. Nothing is committed here.
 *
 * - Reading: searchPages.ts, and lists in groupMembers.ts, linksAndImages.ts and menuEntries.ts.
 * - Editing: editTexts.ts, setFact.ts, groupMembers.ts, linksAndImages.ts, menuEntries.ts,
 *   pageSections.ts and wholePages.ts. rulesCalls.ts names all these functions for the rules.
 *   The tools of language models, in agents/model/tools/, use some of them too.
 * - Noting what an edit left: copiedReferences.ts, removePagePart.ts and addReplacedValueNotes.ts.
 */
export interface ToolContext {
  site: SiteEdits;
  warnings: TaskWarnings;
  texts: PageTextCalls;
  pictures: TaskPictures;
  /** Absent: the model may not ask people. */
  questions?: PromptTaskQuestions;
}

/** The questions of a task whose language model may ask people. `count`: those asked so far. */
export interface PromptTaskQuestions {
  count: number;
  /** The question that this turn asks. */
  current?: ModelQuestion | undefined;
  /** Whether a question was not answered in time: then there are no more. */
  isUnanswered?: boolean;
}

/** A tool: a function that a language model may call by name. It reads or edits the site. */
export interface ModelTool {
  name: string;
  description: string;
  schema: Joi.ObjectSchema;
  /** Runs the tool with arguments that passed `schema`. Throws DomainError if the model errs. */
  run(context: ToolContext, args: never): Promise<string | ToolAnswer>;
}

/** A tool's answer with pictures. */
export interface ToolAnswer {
  text: string;
  pictures: ShownPicture[];
}
