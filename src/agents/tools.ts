import type Joi from 'joi';
import { type DomainError, finalError, invalidInput } from '../errors.ts';
import { visible } from '../contract/visible.ts';
import { collapse, cut, inLine, plainLines } from '../text/text.ts';
import type { ToolCall, ToolResult } from './agent.ts';
import { ask } from './tools/model/ask.ts';
import { editFile } from './tools/model/fileTools.ts';
import { editHtml } from './tools/model/editHtml.ts';
import { pageTools } from './tools/model/pageTools.ts';
import { listFiles } from './tools/model/listFiles.ts';
import { outlineTools } from './tools/model/outlineTools.ts';
import { finish } from './tools/model/finish.ts';
import { readHtml } from './tools/model/readHtml.ts';
import { replaceText } from './tools/model/replaceText.ts';
import { searchTool } from './tools/model/searchTool.ts';
import { undo } from './tools/model/undo.ts';
import type { Tool, ToolAnswer, ToolContext } from './tools/tool.ts';

/** The tools of every language model. */
const tools: Tool[] = [
  ...outlineTools,
  readHtml,
  searchTool,
  editHtml,
  replaceText,
  ...pageTools,
  listFiles,
  editFile,
  undo,
  finish,
];

/** Most characters of a result for a language model. No outline is longer. */
const LONGEST_RESULT = 30_000;
const LONGEST_PROBLEM = 1_000;

/** A tool as described to language models. `parameters` is a JSON schema. */
export interface ToolDefinition {
  name: string;
  description: string;
  parameters: Record<string, unknown>;
}

/** Keys of a JSON schema that bound values. */
const bounds = ['minLength', 'maxLength', 'pattern', 'minItems', 'minimum', 'uniqueItems'];

/**
 * The definitions of all tools, for requests to models. They are most of a first request. What all
 * tools have in common is said once, in the instructions.
 */
export const modelTools: ToolDefinition[] = tools.map(definitionOf);

/** The definition of the tool for models that may ask people. */
export const askTool: ToolDefinition = definitionOf(ask);

function definitionOf({ name, description, schema }: Tool): ToolDefinition {
  const parameters = schema['~standard'].jsonSchema.input({ target: 'draft-2020-12' });
  return { name, description, parameters: withoutBounds(parameters) };
}

/** Leaves out bounds that a model need not know: a call outside of them is answered by an error. */
function withoutBounds(schema: Record<string, unknown>): Record<string, unknown> {
  const inner = (value: unknown) => withoutBounds(value as Record<string, unknown>);
  const entries = Object.entries(schema).filter(([key]) => !bounds.includes(key));
  return Object.fromEntries(
    entries.map(([key, value]): [string, unknown] => {
      if (key === 'items') return [key, inner(value)];
      if (key !== 'properties') return [key, value];
      const named = Object.entries(value as object).map(([name, one]) => [name, inner(one)]);
      return [key, Object.fromEntries(named)];
    }),
  );
}

/**
 * Runs a tool call of a language model. The model's mistakes become results with `isError`, and
 * such a call changes nothing. Only failures of the service are thrown. The result ends with the
 * notes that the call added, and with those that no longer hold. An error is one line.
 */
export async function runTool(context: ToolContext, call: ToolCall): Promise<ToolResult> {
  const takeBack = [context.site.save(), context.warnings.save()];
  const { content, isError, ...shown } = await dispatch(context, call).then(
    ({ text, pictures }) => ({
      content: plainLines(text),
      isError: false,
      ...(pictures.length > 0 && { pictures }),
    }),
    (error: unknown) => {
      for (const one of takeBack) one();
      return { content: inLine(finalError(error).message), isError: true };
    },
  );
  const notes = notesOf(await context.warnings.news());
  return {
    id: call.id,
    content: cut(content, LONGEST_RESULT - notes.length) + notes,
    isError,
    ...shown,
  };
}

/** Most notes that a result names, and most characters of one. */
const MOST_NOTES = 20;
const LONGEST_NOTE = 300;

/** Lines for the end of a result. A line break in a page's text begins no line of its own. */
function notesOf({ added, gone }: { added: string[]; gone: string[] }): string {
  const lines = [
    ...added.map((text) => `Note: ${text}`),
    ...gone.map((text) => `No longer so: ${text}`),
  ].map((line) => cut(collapse(visible(line)), LONGEST_NOTE));
  const rest = lines.length - MOST_NOTES;
  const more = rest > 0 ? [`${rest} more notes`] : [];
  return ['', ...lines.slice(0, MOST_NOTES), ...more].join('\n');
}

async function dispatch(
  context: ToolContext,
  { name, arguments: args }: ToolCall,
): Promise<ToolAnswer> {
  const own = context.questions ? [...tools, ask] : tools;
  const tool = own.find((tool) => tool.name === name);
  if (!tool)
    throw invalidInput(
      `There is no tool "${name}"; there are: ${own.map(({ name }) => name).join(', ')}`,
    );
  const options = { abortEarly: false, convert: false };
  const checked: Joi.ValidationResult<unknown> = tool.schema.validate(args, options);
  if (checked.error) throw wrongArguments(tool, checked.error.message);
  const answer = await tool.run(context, checked.value as never);
  return typeof answer === 'string' ? { text: answer, pictures: [] } : answer;
}

/** The error for invalid arguments. It lists the expected ones. */
function wrongArguments({ name, schema }: Tool, message: string): DomainError {
  const wrong = cut(`Wrong arguments for ${name}: ${message}`, LONGEST_PROBLEM);
  const keys = (schema.describe().keys ?? {}) as Record<string, { flags?: { presence?: string } }>;
  const given = Object.entries(keys).map(
    ([key, { flags }]) => key + (flags?.presence === 'required' ? '' : '?'),
  );
  return invalidInput(`${wrong}. Expected: { ${given.join(', ')} }`);
}
