import type Joi from 'joi';
import { DomainError } from '../errors.ts';
import { cut } from '../sites/html/text.ts';
import type { ToolCall, ToolResult } from './agent.ts';
import { editingTools } from './tools/editing.ts';
import { factTools } from './tools/facts.ts';
import { groupTools } from './tools/grouping.ts';
import { linkTools } from './tools/linking.ts';
import { menuTools } from './tools/menu.ts';
import { buildingTools } from './tools/model/building.ts';
import { itemTools } from './tools/model/items.ts';
import { linkingTools } from './tools/model/linking.ts';
import { outlineTools } from './tools/model/reading.ts';
import { searchTools } from './tools/model/search.ts';
import { writingTools } from './tools/model/writing.ts';
import { nameTools } from './tools/names.ts';
import { readingTools } from './tools/reading.ts';
import { sectionTools } from './tools/sections.ts';
import { structureTools } from './tools/structure.ts';
import type { Tool, ToolContext } from './tools/tool.ts';

/** What the embedded rules call. */
const rulesTools: Tool[] = [
  ...readingTools,
  ...nameTools,
  ...editingTools,
  ...linkTools,
  ...groupTools,
  ...sectionTools,
  ...menuTools,
  ...factTools,
  ...structureTools,
];
/** Tools of the rules that language models call as they are. */
const shared = ['finish'];

/** What a language model calls: also under names that the rules' tools have, with arguments and answers of its own. */
const offeredTools: Tool[] = [
  ...outlineTools,
  ...searchTools,
  ...writingTools,
  ...linkingTools,
  ...itemTools,
  ...buildingTools,
  ...rulesTools.filter(({ name }) => shared.includes(name)),
];

/** Characters of a result that a language model is given: no outline is longer. */
const LONGEST_RESULT = 30_000;
const LONGEST_PROBLEM = 1_000;

/** Whose turns are run: two sets of tools, in which a name can mean two things. */
export type Toolset = 'rules' | 'model';

const sets: Record<Toolset, Tool[]> = { rules: rulesTools, model: offeredTools };

/** A tool's description for language models; `parameters` is a JSON schema. */
export interface ToolDefinition {
  name: string;
  description: string;
  parameters: Record<string, unknown>;
}

/** Every tool of a language model, for its requests. */
export const modelTools: ToolDefinition[] = offeredTools.map(({ name, description, schema }) => ({
  name,
  description,
  parameters: schema['~standard'].jsonSchema.input({ target: 'draft-2020-12' }),
}));

/** The names of the rules' tools. */
export const rulesToolNames: string[] = rulesTools.map(({ name }) => name);

/**
 * Runs one tool call. What the caller did wrong is a result with `isError`; only failures of the service itself are
 * thrown.
 */
export async function runTool(context: ToolContext, call: ToolCall, set: Toolset = 'rules'): Promise<ToolResult> {
  const content = (text: string) => (set === 'model' ? cut(text, LONGEST_RESULT) : text);
  try {
    return { id: call.id, content: content(await dispatch(context, call, set)), isError: false };
  } catch (error) {
    if (!(error instanceof DomainError) || error.retryable) throw error;
    return { id: call.id, content: content(error.message), isError: true };
  }
}

function dispatch(context: ToolContext, { name, arguments: args }: ToolCall, set: Toolset): Promise<string> {
  const tools = sets[set];
  const tool = tools.find((tool) => tool.name === name);
  if (!tool)
    throw new DomainError(
      'INVALID_INPUT',
      `There is no tool "${name}"; there are: ${tools.map(({ name }) => name).join(', ')}`,
    );
  const checked: Joi.ValidationResult<unknown> = tool.schema.validate(args, { abortEarly: false, convert: false });
  if (checked.error) throw wrongArguments(tool, checked.error.message, set);
  return tool.run(context, checked.value as never);
}

/** What is wrong with a call's arguments, and for a language model what there is to give. */
function wrongArguments({ name, schema }: Tool, message: string, set: Toolset): DomainError {
  const wrong = `Wrong arguments for ${name}: ${message}`;
  if (set === 'rules') return new DomainError('INVALID_INPUT', wrong);
  const keys = (schema.describe().keys ?? {}) as Record<string, { flags?: { presence?: string } }>;
  const given = Object.entries(keys).map(([key, { flags }]) => key + (flags?.presence === 'required' ? '' : '?'));
  return new DomainError('INVALID_INPUT', `${cut(wrong, LONGEST_PROBLEM)}. Expected: { ${given.join(', ')} }`);
}
