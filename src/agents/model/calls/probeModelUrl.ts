const REACHED_WITHIN_MS = 2_000;

/**
 * Checks whether the API of a language model can be reached. Any HTTP response counts. Sends no
 * key.
 * @returns one sentence on the failure; undefined if there was a response
 */
export async function probeModelUrl(
  baseUrl: string,
  timeoutMs = REACHED_WITHIN_MS,
): Promise<string | undefined> {
  try {
    const { body } = await fetch(`${baseUrl}/models`, {
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
    });
    await body?.cancel();
    return undefined;
  } catch (error) {
    const { code } = ((error as Error).cause ?? {}) as { code?: string };
    const reason =
      (error as Error).name === 'TimeoutError'
        ? noAnswerReason(timeoutMs)
        : (code ?? NO_CONNECTION_REASON);
    return unreachableModelSentence(new URL(baseUrl).host, reason);
  }
}

export const NO_CONNECTION_REASON = 'no connection';
export const noAnswerReason = (timeoutMs: number) => `no answer within ${timeoutMs / 1_000} s`;

export const unreachableModelSentence = (host: string, reason: string) =>
  `The language model API at ${host} can't be reached (${reason}). Until it can, tasks that use it fail after some retries. Check AGENT_BASE_URL`;
