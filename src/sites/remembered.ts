interface ValueCache<Key, Value> {
  get(key: Key): Value | undefined;
  set(key: Key, value: Value): unknown;
}

/** The value in `cache` for a key. If there is none, makes one with `create` and stores it. */
export function getOrCreate<Key, Value extends NonNullable<unknown> | null>(
  cache: ValueCache<Key, Value>,
  key: Key,
  create: () => Value,
): Value {
  const cachedValue = cache.get(key);
  if (cachedValue !== undefined) return cachedValue;
  const newValue = create();
  cache.set(key, newValue);
  return newValue;
}
