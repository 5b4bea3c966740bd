import type { JSONSchema7, LanguageModel, ModelMessage } from 'ai';
import type { Usage } from '../../contract/task.ts';
import { DomainError } from '../../errors.ts';
import type { Turn } from '../agent.ts';
import type { ToolDefinition } from '../tools.ts';
import type { Provider } from './models.ts';

/** One turn of a conversation with tools. */
export interface TurnRequest {
  taskId: string;
  instructions: string;
  messages: ModelMessage[];
  tools: ToolDefinition[];
}

/** An answer that is an object of a JSON schema. */
export interface ObjectRequest {
  taskId: string;
  instructions: string;
  prompt: string | ModelMessage[];
  schema: JSONSchema7;
}

/** What a model answered: parsed, not yet checked. `value` is undefined where the text is no JSON. */
export interface ObjectAnswer {
  value: unknown;
  text: string;
  usage: Usage;
}

/** Calls of one language model. Both stream, and repeat nothing. They throw DomainError, or the signal's reason. */
export interface Caller {
  turn(request: TurnRequest, signal?: AbortSignal): Promise<Turn>;
  object(request: ObjectRequest, signal?: AbortSignal): Promise<ObjectAnswer>;
}

export function createCaller(_model: LanguageModel, _provider: Provider): Caller {
  throw new DomainError('CONFIGURATION', 'Language models come with a later commit');
}
