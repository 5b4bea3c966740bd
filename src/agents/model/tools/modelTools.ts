import type Joi from 'joi';
import { type DomainError, finalError, invalidInputError } from '../../../errors.ts';
import { removeInvisible } from '../../../contract/text/removeInvisible.ts';
import { collapseSpaces, truncateText, asOneLine, plainLines } from '../../../text/text.ts';
import type { ToolCall, ToolResult } from '../../shared/agentTypes.ts';
import { askPeopleTool } from './askTool.ts';
import { editFileTool } from './editFileTool.ts';
import { editHtmlTool } from './editHtmlTool.ts';
import { pageTools } from './pageTools.ts';
import { listFilesTool } from './listFilesTool.ts';
import { outlineTools } from './outlineTools.ts';
import { finishTool } from './finishTool.ts';
import { readHtmlTool } from './readHtmlTool.ts';
import { replaceTextTool } from './replaceTextTool.ts';
import { searchTool } from './searchTool.ts';
import { undoTool } from './undoTool.ts';
import type { ModelTool, ToolAnswer, ToolContext } from '../../shared/tools/toolContext.ts';

/**
 * The tools of language models in prompt tasks: functions that a model calls by name to read and
 * edit the site. Each tool has its description for the model, the schema of its arguments, and
 * `run`. What several tools and the rules have in common is in `agents/shared/tools`.
 *
 * This file lists the tools, describes them to models, and runs calls. For example, the call
 * `{ id: 'call_1', name: 'replace_text', arguments: { from: 'Austin', to: 'Lisbon' } }` edits the
 * pages in memory, and its result is
 * `{ id: 'call_1', content: '2 pages, 5 places; …', isError: false }`. A mistake of the model, such
 * as an unknown slug, becomes a result with `isError: true`.
 */

/** The tools of every language model. */
const commonTools: ModelTool[] = [
  ...outlineTools,
  readHtmlTool,
  searchTool,
  editHtmlTool,
  replaceTextTool,
  ...pageTools,
  listFilesTool,
  editFileTool,
  undoTool,
  finishTool,
];

/** Most characters of a result for a language model. No outline is longer. */
const MAX_RESULT_LENGTH = 30_000;
const MAX_PROBLEM_LENGTH = 1_000;

/** A tool as described to language models. `parameters` is a JSON schema. */
export interface ToolDefinition {
  name: string;
  description: string;
  parameters: Record<string, unknown>;
}

/** Keys of a JSON schema that bound values. */
const boundKeys = ['minLength', 'maxLength', 'pattern', 'minItems', 'minimum', 'uniqueItems'];

/**
 * The definitions of all tools, for requests to models. They are most of a first request. What all
 * tools have in common is said once, in the instructions.
 */
export const modelTools: ToolDefinition[] = commonTools.map(createToolDefinition);

/** The definition of the tool for models that may ask people. */
export const askToolDefinition: ToolDefinition = createToolDefinition(askPeopleTool);

function createToolDefinition({ name, description, schema }: ModelTool): ToolDefinition {
  const parameters = schema['~standard'].jsonSchema.input({ target: 'draft-2020-12' });
  return { name, description, parameters: omitBounds(parameters) };
}

/** Leaves out bounds that a model need not know. A call outside of them gets an error. */
function omitBounds(schema: Record<string, unknown>): Record<string, unknown> {
  const omitInnerBounds = (value: unknown) => omitBounds(value as Record<string, unknown>);
  const entries = Object.entries(schema).filter(([key]) => !boundKeys.includes(key));
  return Object.fromEntries(
    entries.map(([key, value]): [string, unknown] => {
      if (key === 'items') return [key, omitInnerBounds(value)];
      if (key !== 'properties') return [key, value];
      const boundedProperties = Object.entries(value as object).map(([name, property]) => [
        name,
        omitInnerBounds(property),
      ]);
      return [key, Object.fromEntries(boundedProperties)];
    }),
  );
}

/**
 * Runs a tool call of a language model. The model's mistakes become results with `isError`, and
 * such a call changes nothing. Only failures of the service are thrown. The result ends with the
 * notes that the call added, and with those that no longer hold. A note is something that a person
 * should check. An error is one line.
 */
export async function runTool(context: ToolContext, call: ToolCall): Promise<ToolResult> {
  const undoSteps = [context.site.save(), context.warnings.save()];
  const { content, isError, ...shownPictures } = await dispatchToolCall(context, call).then(
    ({ text, pictures }) => ({
      content: plainLines(text),
      isError: false,
      ...(pictures.length > 0 && { pictures }),
    }),
    (error: unknown) => {
      for (const undoStep of undoSteps) undoStep();
      return { content: asOneLine(finalError(error).message), isError: true };
    },
  );
  const notes = createNoteLines(await context.warnings.listChanges());
  return {
    id: call.id,
    content: truncateText(content, MAX_RESULT_LENGTH - notes.length) + notes,
    isError,
    ...shownPictures,
  };
}

/** Most notes that a result names, and most characters of one. */
const MAX_NOTES = 20;
const MAX_NOTE_LENGTH = 300;

/**
 * Lines on notes, for the end of a result. A line break in a page's text never begins a new line.
 */
function createNoteLines({ added, gone }: { added: string[]; gone: string[] }): string {
  const lines = [
    ...added.map((text) => `Note: ${text}`),
    ...gone.map((text) => `No longer so: ${text}`),
  ].map((line) => truncateText(collapseSpaces(removeInvisible(line)), MAX_NOTE_LENGTH));
  const omittedCount = lines.length - MAX_NOTES;
  const omittedLine = omittedCount > 0 ? [`${omittedCount} more notes`] : [];
  return ['', ...lines.slice(0, MAX_NOTES), ...omittedLine].join('\n');
}

async function dispatchToolCall(
  context: ToolContext,
  { name, arguments: callArguments }: ToolCall,
): Promise<ToolAnswer> {
  const offeredTools = context.questions ? [...commonTools, askPeopleTool] : commonTools;
  const tool = offeredTools.find((tool) => tool.name === name);
  if (!tool)
    throw invalidInputError(
      callProblems.unknownTool(
        name,
        offeredTools.map(({ name }) => name),
      ),
    );
  const options = { abortEarly: false, convert: false };
  const validation: Joi.ValidationResult<unknown> = tool.schema.validate(callArguments, options);
  if (validation.error) throw createWrongArgumentsError(tool, validation.error.message);
  const answer = await tool.run(context, validation.value as never);
  return typeof answer === 'string' ? { text: answer, pictures: [] } : answer;
}

/** What can be wrong with a call. */
export const callProblems = {
  unknownTool: (name: string, toolNames: string[]) =>
    `There is no tool "${name}". The tools are: ${toolNames.join(', ')}`,
  wrongArguments: (name: string, reason: string, expectedKeys: string[]) =>
    `${truncateText(`Wrong arguments for ${name}: ${reason}`, MAX_PROBLEM_LENGTH)}. Expected: { ${expectedKeys.join(', ')} }`,
};

/** The error for invalid arguments. It lists the expected ones. */
function createWrongArgumentsError({ name, schema }: ModelTool, message: string): DomainError {
  const keys = (schema.describe().keys ?? {}) as Record<string, { flags?: { presence?: string } }>;
  const expectedKeys = Object.entries(keys).map(
    ([key, { flags }]) => key + (flags?.presence === 'required' ? '' : '?'),
  );
  return invalidInputError(callProblems.wrongArguments(name, message, expectedKeys));
}
