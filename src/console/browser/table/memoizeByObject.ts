/** A function that keeps its results, by the objects that it was given. */
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
