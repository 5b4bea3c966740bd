import { isName } from './models.ts';

const REACHED_WITHIN_MS = 2_000;
const OLLAMA_WITHIN_MS = 300;
const OLLAMA_PORT = 11_434;

/**
 * Checks whether a model's address answers, with any answer. Sends no key.
 * @returns one sentence on the failure; undefined if it answers
 */
export async function probe(baseUrl: string, ms = REACHED_WITHIN_MS): Promise<string | undefined> {
  try {
    const { body } = await fetch(`${baseUrl}/models`, {
      redirect: 'manual',
      signal: AbortSignal.timeout(ms),
    });
    await body?.cancel();
    return undefined;
  } catch (error) {
    const { code } = ((error as Error).cause ?? {}) as { code?: string };
    const why =
      (error as Error).name === 'TimeoutError'
        ? `no answer within ${ms / 1_000} s`
        : (code ?? 'no connection');
    return `The language model's address ${new URL(baseUrl).host} can't be reached (${why}): tasks that need it are tried a few times and then fail.`;
  }
}

/**
 * The first model of an Ollama on this machine; undefined if Ollama does not run, or has no model.
 */
export async function ollamaModel(port = OLLAMA_PORT): Promise<string | undefined> {
  try {
    const signal = AbortSignal.timeout(OLLAMA_WITHIN_MS);
    const response = await fetch(`http://127.0.0.1:${port}/v1/models`, {
      redirect: 'manual',
      signal,
    });
    const { data } = (await response.json()) as { data: { id: unknown }[] };
    const id = data[0]?.id;
    return response.ok && typeof id === 'string' && isName(id) ? id : undefined;
  } catch {
    return undefined;
  }
}
