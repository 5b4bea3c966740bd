import { DomainError } from '../errors.ts';
import type { Rules } from './port.ts';
import { modelsOf } from './assignment.ts';
import type { AgentSettings } from './agents.ts';
import { ollamaModel } from './model/probe.ts';

/**
 * The start of the service with a model of this machine: where no model is set, and Ollama answers.
 * @returns a command line
 */
export async function adviceOn(
  settings: Omit<AgentSettings, 'keys'>,
  find = ollamaModel,
): Promise<string | undefined> {
  const local = modelsOf(settings).length > 0 ? undefined : await find();
  return (
    local &&
    `AGENT_MODEL=openai-compatible/${local} AGENT_BASE_URL=http://localhost:11434/v1 npm start`
  );
}

/** Rules whose refusals name the command line of a language model that is at hand. */
export function withAdvice(rules: Rules, advice: () => Promise<string | undefined>): Rules {
  return {
    ...rules,
    carryOut: (workspace, prompt, work) =>
      rules.carryOut(workspace, prompt, work).catch(async (error: unknown) => {
        if (!(error instanceof DomainError) || error.code !== 'NOT_UNDERSTOOD') throw error;
        const line = await advice();
        if (line === undefined) throw error;
        const { message, code } = error;
        throw new DomainError(code, `${message}. Ollama runs beside the service: ${line}`, {
          cause: error,
        });
      }),
  };
}
