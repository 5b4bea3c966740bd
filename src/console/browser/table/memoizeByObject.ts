/** Makes a function that computes a result once for each object that it gets. */
export function memoizeByObject<Key extends object, Result>(
  computeResult: (key: Key) => Result,
): (key: Key) => Result {
  const resultsByObject = new WeakMap<Key, { result: Result }>();
  return (key) => {
    const cachedResult = resultsByObject.get(key) ?? { result: computeResult(key) };
    resultsByObject.set(key, cachedResult);
    return cachedResult.result;
  };
}
