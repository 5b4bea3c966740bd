/**
 * Calls a function for each value, some at the same time.
 * @param atOnce the most calls at the same time
 * @returns the results, in order
 */
export async function mapConcurrently<T, R>(
  values: T[],
  call: (value: T) => Promise<R>,
  atOnce = 20,
): Promise<R[]> {
  const results: R[] = [];
  const valueQueue = values.entries();
  const workThrough = async () => {
    for (const [index, value] of valueQueue) results[index] = await call(value);
  };
  await Promise.all(Array.from({ length: atOnce }, workThrough));
  return results;
}
