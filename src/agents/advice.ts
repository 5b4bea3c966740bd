import { DomainError, hasCode } from '../errors.ts';
import type { Rules } from './port.ts';
import { modelsOf } from './assignment.ts';
import type { AgentSettings } from './agents.ts';
import { ollamaModel } from './model/probe.ts';

/**
 * The command line that starts the service with a local Ollama model; undefined if a model is set
 * or Ollama does not answer.
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

/** Wraps rules: their NOT_UNDERSTOOD errors add this advice. */
export function withAdvice(rules: Rules, advice: () => Promise<string | undefined>): Rules {
  return {
    ...rules,
    carryOut: (...asked) =>
      rules.carryOut(...asked).catch(async (error: unknown) => {
        if (!hasCode(error, 'NOT_UNDERSTOOD')) throw error;
        const line = await advice();
        if (line === undefined) throw error;
        const { message, code } = error;
        throw new DomainError(code, `${message}. Ollama runs beside the service: ${line}`, {
          cause: error,
        });
      }),
  };
}
